// What `rulehost test --update` writes: the expectations of cases that miss, so that they hold of what came out. A case that
// cannot be run, whose rules fail, or whose answer is not the same on every machine is left as it is. Reads, and writes
// nothing: that is for whoever asked.
import JSONDocument
public import RuleEngine
public import RuleStore

/// One file of cases with the expectations that it would have.
public struct CaseUpdate: Sendable {
    /// "cases/banner.json"
    public let file: String
    public let source: [UInt8]
    /// Laid out, if the source is.
    public private(set) var text: [UInt8]
    public private(set) var changed: [Changed] = []
    public private(set) var left: [Left] = []

    public struct Changed: Sendable {
        public let name: String
        public let line: Int
        /// At least one.
        public let changes: [ExpectationChange]
    }

    /// A case, or the whole file, that stays as it is although it does not pass.
    public struct Left: Sendable {
        /// nil: the file.
        public let name: String?
        /// From 1; 0 when it is not known.
        public let line: Int
        /// One sentence without a full stop.
        public let reason: String
    }

    public enum Plan: Sendable {
        /// Of the files with a case that does not pass.
        case updates([CaseUpdate])
        case rulesDoNotLoad([RuleFault], files: [SourceFile])
    }

    /// - Parameter isWanted: false: the case is not looked at.
    public static func plan(
        _ app: String, in folder: RulesFolder, loading load: (String, [SourceFile]) -> EvaluatorOutcome,
        where isWanted: (CaseResult) -> Bool = { _ in true }
    ) throws(StoreFault) -> Plan {
        let files = try folder.files(of: app)
        let sources = try folder.cases(of: app)
        let evaluator: any RuleEvaluating
        switch load(app, files) {
        case .failed(let faults): return .rulesDoNotLoad(faults, files: files)
        case .ready(let ready): evaluator = ready
        }
        let runner = CaseRunner(evaluator) { nil }
        let examples = ExampleFiles(of: app, in: folder)
        var named: [String] = []
        var updates: [CaseUpdate] = []
        for source in sources {
            var update = CaseUpdate(file: source.path, source: source.bytes, text: source.bytes)
            do throws(CaseFault) {
                let file = try CaseFile(path: source.path, source: source.bytes) { name throws(CaseFault) in
                    named.append("cases/\(name)")
                    return try examples.content(of: name)
                }
                update.take(runner.begin(file).filter { isWanted($0.result) }) {
                    if case .ready(let fresh) = load(app, files) { fresh } else { nil }
                }
            } catch {
                update.left.append(Left(name: nil, line: error.line, reason: error.message))
            }
            updates.append(update)
        }
        return .updates(
            updates.filter { update in
                // A message or a phone that a case names is no file of cases.
                let isExample = named.contains(update.file) && update.left.contains { $0.name == nil }
                return !isExample && !(update.changed.isEmpty && update.left.isEmpty)
            })
    }

    private mutating func take(_ trials: [CaseTrial], _ load: () -> (any RuleEvaluating)?) {
        var edits: [ExpectationEdit] = []
        for trial in trials {
            let result = trial.result
            switch result.outcome {
            case .passed: break
            case .broken(let fault): left.append(Left(name: result.name, line: fault.line, reason: "it is broken: \(fault.message)"))
            case .failed(let misses):
                do throws(Refusal) {
                    if let remark = misses.flatMap(\.remarks).first { throw Refusal(reason: remark) }
                    let own = try trial.edits(load())
                    edits += own
                    changed.append(Changed(name: result.name, line: result.line, changes: own.flatMap(\.changes)))
                } catch {
                    left.append(Left(name: result.name, line: result.line, reason: error.reason))
                }
            }
        }
        guard !edits.isEmpty else { return }
        var edited: [UInt8] = []
        var place = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            edited += source[place..<edit.range.lowerBound] + edit.text
            place = edit.range.upperBound
        }
        edited += source[place...]
        text = JSONLayout.document(source) == source ? JSONLayout.document(edited) : edited
    }
}

/// Why a case stays as it is.
struct Refusal: Error {
    let reason: String
}

/// An `expect` or an `expect_state` of one step, written anew.
struct ExpectationEdit: Sendable {
    let range: Range<Int>
    let text: [UInt8]
    let changes: [ExpectationChange]
}
