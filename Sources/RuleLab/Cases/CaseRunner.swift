// Runs cases on a loaded app: the same evaluator as everywhere, on a state of the case's own. Each case runs on a
// machine that has run others and on a new one; an answer that depends on that is a miss.
import JSONDocument
import PushMessage
public import RuleEngine
import RuleStore

public enum CaseOutcome: Sendable, Equatable {
    case passed
    case failed([StepMiss])
    /// The case itself is wrong.
    case broken(CaseFault)
}

/// Where a step's answer is not as expected.
public struct StepMiss: Sendable, Equatable {
    /// From 1; above 1 it is a step of `then`.
    public let step: Int
    /// Line of the step in its file.
    public let line: Int
    public let differences: [Difference]
    /// What went wrong beside the answer: a rule that failed, a field that does not exist.
    public let remarks: [String]
    /// Rules that failed, and were not expected to; they stand in the remarks as well.
    public let failures: [RuleError]

    init(step: Int, line: Int, differences: [Difference], remarks: [String], failures: [RuleError] = []) {
        self.step = step
        self.line = line
        self.differences = differences
        self.remarks = remarks
        self.failures = failures
    }
}

public struct CaseResult: Sendable, Equatable {
    /// "cases/banner.json"
    public let file: String
    public let name: String
    public let line: Int
    public let outcome: CaseOutcome
}

public final class CaseRunner {
    private let load: () -> (any RuleEvaluating)?
    private let evaluator: any RuleEvaluating
    private let player: CasePlayer
    private let channels: [String]
    /// What is probably not meant in the cases that have run, and rules that came near a limit.
    public var warnings: [RuleWarning] { noted + strains.warnings }
    /// Of the cases alone.
    private(set) var noted: [RuleWarning] = []
    private var repeated = Strains()
    /// What came near a limit.
    var strains: Strains {
        var strains = player.strains
        strains.note(repeated)
        return strains
    }

    /// - Parameters:
    ///   - evaluator: answers all cases, one after the other.
    ///   - reload: takes the same app into use anew; nil when that is not possible.
    public init(_ evaluator: any RuleEvaluating, reload: @escaping () -> (any RuleEvaluating)?) {
        load = reload
        let manifest = evaluator.ruleset.manifest
        player = CasePlayer(manifest)
        channels = (manifest.channels ?? []).map(\.code)
        self.evaluator = evaluator
    }

    public func run(_ file: CaseFile) -> [CaseResult] {
        begin(file).map { trial in
            guard trial.isToBeRepeated, let fresh = load() else { return trial.result }
            let (outcome, strains) = trial.again(by: fresh)
            repeated.note(strains)
            return trial.result(outcome)
        }
    }

    /// What the machine that answers all cases says; what is as expected has to be so on a new machine as well.
    /// - Parameter mayGoOn: asked before each case.
    func begin(_ file: CaseFile, mayGoOn: () -> Bool = { true }) -> [CaseTrial] {
        if !channels.isEmpty { lookAtChannels(of: file) }
        var trials: [CaseTrial] = []
        for entry in file.entries {
            guard mayGoOn() else { break }
            switch entry {
            case .readable(let one): trials.append(trial(of: one, in: file))
            case .broken(let name, let place, let fault):
                trials.append(
                    CaseTrial(
                        file, nil,
                        CaseResult(
                            file: file.path, name: name ?? "case \(place), without a name", line: fault.line, outcome: .broken(fault))))
            }
        }
        return trials
    }

    private func trial(of one: Case, in file: CaseFile) -> CaseTrial {
        func trial(_ outcome: CaseOutcome, _ answers: [CaseAnswer]? = nil) -> CaseTrial {
            CaseTrial(file, one, CaseResult(file: file.path, name: one.name, line: one.line, outcome: outcome), answers)
        }
        do {
            let answers = try player.answers(to: one, in: file.places, from: evaluator)
            var misses: [StepMiss] = []
            for (index, answer) in answers.enumerated() {
                if let miss = try miss(of: answer, at: index, one.steps[index]) { misses.append(miss) }
            }
            return misses.isEmpty ? trial(.passed, answers) : trial(.failed(misses), answers)
        } catch {
            return trial(.broken(error))
        }
    }

    /// Switches of channels that app.lua does not list.
    private func lookAtChannels(of file: CaseFile) {
        // What a step has from the one before is one place.
        var told: Set<TextPlace> = []
        for step in file.cases.flatMap(\.steps) {
            var switches = step.written.device?["channels"].map { Array($0.children) } ?? []
            for setting in step.state?["settings"]?.children.map({ $0 }) ?? [] where !["app_push", "timezone"].contains(setting.key.string)
            {
                switches += setting.key == "channels" ? Array(setting.children) : [setting]
            }
            for one in switches where !channels.contains(one.key.string) {
                let place = file.places.place(ofKey: one)
                guard told.insert(place).inserted else { continue }
                let warning = RuleWarning(
                    code: .unknownChannel, file: file.path, line: place.line, column: place.column,
                    message: "app.lua lists no channel \"\(one.key.string)\"",
                    hint: UnlistedName.hint(for: one.key.string, among: channels))
                noted.append(warning)
            }
        }
    }

    // MARK: comparing

    private func miss(of answer: CaseAnswer, at index: Int, _ step: CaseStep) throws(CaseFault) -> StepMiss? {
        var differences: [Difference] = []
        if let expected = step.expect { differences += try compare(expected, answer.json) }
        if let expected = step.expectState {
            let shaped = CaseState.shaped(answer.state, like: expected)
            differences += try compare(expected, shaped).map {
                Difference(
                    path: $0.path.isEmpty ? "state" : "state.\($0.path)", expected: $0.expected, got: $0.got, shape: $0.shape)
            }
        }
        guard !differences.isEmpty || !answer.remarks.isEmpty else { return nil }
        return StepMiss(step: index + 1, line: step.line, differences: differences, remarks: answer.remarks, failures: answer.failures)
    }

    private func compare(_ expected: JSONValue, _ json: [UInt8]) throws(CaseFault) -> [Difference] {
        let document = JSONDocument()
        do {
            try document.read(json, limit: Int(Int32.max), depth: 128)
        } catch {
            throw CaseFault(message: "the answer is not JSON: \(error.message)")
        }
        guard let got = document.root else { throw CaseFault(message: "there is no answer") }
        return Subset.differences(expected: expected, got: got)
    }
}
