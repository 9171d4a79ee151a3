// Reads one case: its keys are those of the description (RuleReference), and what a step leaves out from the step before. Called by CaseFile.
import JSONDocument
import PushMessage
import RuleEngine
import RuleReference
import RuleStore

struct CaseReader {
    let places: TextPlaces
    let lookup: CaseFile.Lookup

    func read(_ value: JSONValue) throws(CaseFault) -> Case {
        guard value.isObject else { throw fault(value, "a case is an object, { … }") }
        try check(value, keys: CaseTable.keys, of: "a case")
        guard let name = value["name"]?.text?.string, !name.isEmpty else {
            throw fault(value, "a case has no `name`", hint: "say in one sentence what it is an example of")
        }
        let start = CaseStep(device: Array("{}".utf8), now: CaseReader.defaultNow, line: line(of: value), column: 1)
        var steps = [try step(value, after: start)]
        if let then = value["then"], !then.isNull {
            guard then.isArray else { throw fault(then, "`then` must be a list of steps") }
            for following in then.children {
                guard following.isObject else { throw fault(following, "a step is an object, { … }") }
                try check(following, keys: CaseTable.thenKeys, of: "a step")
                steps.append(try step(following, after: steps[steps.count - 1]))
            }
        }
        guard steps.contains(where: { $0.expect != nil || $0.expectState != nil }) else {
            throw fault(value, "the case expects nothing", hint: "add `expect` or `expect_state`")
        }
        return Case(
            name: name, note: try text(value, "note"), proves: try proved(value), line: line(of: value), steps: steps)
    }

    /// 2026-01-01T12:00:00Z
    private static let defaultNow = Instant(milliseconds: 1_767_268_800_000)

    private func step(_ value: JSONValue, after before: CaseStep) throws(CaseFault) -> CaseStep {
        var step = before
        let place = place(of: value)
        step.line = place.line
        step.column = place.column
        step.state = nil
        step.expect = nil
        step.expectState = nil
        if let message = value["message"] {
            step.message = message.isNull ? nil : try content(of: message, "message")
            step.written.message = message
        }
        if let device = value["device"], !device.isNull {
            step.device = try content(of: device, "device")
            step.written.device = device
        }
        if let event = value["event"] { step.event = event.isNull ? nil : event }
        if let now = value["now"], !now.isNull {
            guard let instant = now.text.flatMap({ Instant($0) }) else {
                throw fault(now, "`now` is not an instant", hint: "such as \"2026-01-01T12:00:00Z\"")
            }
            step.now = instant
        }
        if let state = value["state"], !state.isNull { step.state = state }
        if let expect = value["expect"], !expect.isNull {
            try checkExpected(expect)
            try checkShape(of: expect, in: step)
            step.expect = expect
        }
        if let state = value["expect_state"], !state.isNull { step.expectState = state }
        return step
    }

    /// The text of an object that stands in the case, or of the file that it names.
    private func content(of value: JSONValue, _ key: String) throws(CaseFault) -> [UInt8] {
        if let name = value.text {
            do throws(CaseFault) {
                return try lookup(name.string)
            } catch {
                throw CaseFault(
                    code: error.code, line: line(of: value), column: place(of: value).column, message: error.message,
                    hint: error.hint)
            }
        }
        guard value.isObject else { throw fault(value, "`\(key)` must be an object or the name of a file") }
        return Array(places.text[value.offset..<(value.offset + value.sourceLength)])
    }

    /// One event is answered by one decision, a journey by a list of them.
    private func checkShape(of expect: JSONValue, in step: CaseStep) throws(CaseFault) {
        if expect.isArray, step.event != nil {
            throw fault(
                expect, "with `event` the answer is one decision, not a list of them",
                hint: "leave out the [ ], or leave out `event` for everything that the message causes")
        }
        if expect.isObject, step.event == nil {
            throw fault(
                expect, "without `event` the answer is a list of decisions, one for each event that the message causes",
                hint: "write [ ] around it, or say which event is meant, such as \"event\": \"present\"")
        }
    }

    private func checkExpected(_ value: JSONValue) throws(CaseFault) {
        if value.isArray {
            for decision in value.children { try checkExpected(decision) }
            return
        }
        guard value.isObject else { throw fault(value, "`expect` must be an object, or a list of them for a journey") }
        try check(value, keys: CaseTable.decisionKeys, of: "a decision")
        for part in value.children where part.isObject {
            let key = part.key.string
            if let keys = CaseTable.partKeys[key] { try check(part, keys: keys, of: "`\(key)`") }
        }
    }

    private func check(_ value: JSONValue, keys: [String], of owner: String) throws(CaseFault) {
        for member in value.children where !keys.contains(where: { member.key == $0 }) {
            let key = member.key.string
            throw fault(
                ofKey: member, "\(owner) has no key `\(key)`",
                hint: DidYouMean.nearest(to: key, among: keys).map { "did you mean `\($0)`?" }
                    ?? "known keys: " + keys.joined(separator: ", "))
        }
    }

    /// The keys of a rule that the case is about.
    private func proved(_ value: JSONValue) throws(CaseFault) -> [String] {
        let words = try texts(value, "proves")
        guard let list = value["proves"] else { return words }
        for (word, written) in zip(list.children, words) where !Rule.keys.contains(written) {
            throw fault(
                word, "`proves` = \"\(written)\" is not a key of rules",
                hint: DidYouMean.nearest(to: written, among: Rule.keys).map { "did you mean \"\($0)\"?" }
                    ?? "one of " + Rule.keys.joined(separator: ", "))
        }
        return words
    }

    private func text(_ value: JSONValue, _ key: String) throws(CaseFault) -> String? {
        guard let member = value[key], !member.isNull else { return nil }
        guard let text = member.text else { throw fault(member, "`\(key)` must be text") }
        return text.string
    }

    private func texts(_ value: JSONValue, _ key: String) throws(CaseFault) -> [String] {
        guard let member = value[key], !member.isNull else { return [] }
        let texts = member.children.compactMap { $0.text?.string }
        guard member.isArray, texts.count == member.count else { throw fault(member, "`\(key)` must be a list of texts") }
        return texts
    }

    func fault(_ value: JSONValue, _ message: String, hint: String? = nil) -> CaseFault {
        let place = place(of: value)
        return CaseFault(line: place.line, column: place.column, message: message, hint: hint)
    }

    /// What is wrong with a key is shown at the key.
    private func fault(ofKey member: JSONValue, _ message: String, hint: String?) -> CaseFault {
        let place = places.place(ofKey: member)
        return CaseFault(line: place.line, column: place.column, message: message, hint: hint)
    }

    private func line(of value: JSONValue) -> Int { place(of: value).line }
    private func place(of value: JSONValue) -> TextPlace { places.place(of: value.offset) }
}
