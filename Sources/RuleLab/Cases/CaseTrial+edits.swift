// The expectations of one case that missed, written for what came out. Called by CaseUpdate.
import JSONDocument
import RuleEngine

extension CaseTrial {
    /// - Parameter fresh: a machine that has run no other case; nil: there is none.
    func edits(_ fresh: (any RuleEvaluating)?) throws(Refusal) -> [ExpectationEdit] {
        guard let one, let answers else { return [] }
        if let fresh, case .failed(let misses) = again(by: fresh).outcome, let remark = misses.flatMap(\.remarks).first {
            throw Refusal(reason: remark)
        }
        var edits: [ExpectationEdit] = []
        for (step, answer) in zip(one.steps, answers) {
            let root = try JSONOwner(answer.json)
            let decisions = root.value.map { $0.isArray ? Array($0.children) : [$0] } ?? []
            if decisions.contains(where: { $0["errors"]?.count ?? 0 > 0 }) {
                throw Refusal(reason: "a rule fails, as is expected: write by hand what comes of it")
            }
            if let expect = step.expect, let edit = try edit(expect, for: root, .root, again: { _ in root }) { edits.append(edit) }
            if let expect = step.expectState {
                let shaped = { (like: JSONValue) throws(Refusal) in try JSONOwner(CaseState.shaped(answer.state, like: like)) }
                let path = JSONPath.root.appending("state")
                if let edit = try edit(expect, for: try shaped(expect), path, again: shaped) { edits.append(edit) }
            }
        }
        return edits
    }

    /// nil: it holds.
    /// - Parameter shaped: the answer as it is compared with an expectation of another shape.
    private func edit(
        _ expected: JSONValue, for got: JSONOwner, _ path: JSONPath, again shaped: (JSONValue) throws(Refusal) -> JSONOwner
    ) throws(Refusal) -> ExpectationEdit? {
        guard !Subset.holds(expected, of: got.value) else { return nil }
        var rewriter = ExpectationRewriter(source: file.source)
        let text = rewriter.rewritten(expected, for: got.value, path)
        let new = try JSONOwner(text)
        guard let value = new.value else { return nil }
        let compared = try shaped(value)
        guard Subset.holds(value, of: compared.value), !rewriter.changes.isEmpty else {
            throw Refusal(reason: "what came out cannot be written in the form that is expected: write it by hand")
        }
        return ExpectationEdit(
            range: expected.offset..<(expected.offset + expected.sourceLength), text: text, changes: rewriter.changes)
    }
}

/// A text that was just written, read; owns what its value is a view into.
private final class JSONOwner {
    private let document = JSONDocument()
    var value: JSONValue? { document.root }

    init(_ json: [UInt8]) throws(Refusal) {
        do {
            try document.read(json, limit: Int(Int32.max), depth: 128)
        } catch {
            throw Refusal(reason: "the answer is not JSON: \(error.message)")
        }
    }
}
