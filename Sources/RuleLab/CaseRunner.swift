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
    private let messages: MessageReader
    private let devices = DeviceReader()
    /// The text of the file whose cases run.
    private var source: [UInt8] = []
    private let channels: [String]
    /// What is probably not meant in the cases that have run, and rules that came near a limit.
    public var warnings: [RuleWarning] { noted + strains.map(\.warning) }
    private var noted: [RuleWarning] = []
    /// Of each rule and limit the largest.
    private var strains: [Strain] = []

    /// - Parameters:
    ///   - evaluator: answers all cases, one after the other.
    ///   - reload: takes the same app into use anew; nil when that is not possible.
    public init(_ evaluator: any RuleEvaluating, reload: @escaping () -> (any RuleEvaluating)?) {
        load = reload
        let manifest = evaluator.ruleset.manifest
        messages = MessageReader(fields: manifest.fields, links: manifest.linkOrder)
        channels = (manifest.channels ?? []).map(\.code)
        self.evaluator = evaluator
    }

    public func run(_ file: CaseFile) -> [CaseResult] {
        source = file.source
        if !channels.isEmpty { lookAtChannels(of: file) }
        return file.entries.map { entry in
            switch entry {
            case .readable(let one): CaseResult(file: file.path, name: one.name, line: one.line, outcome: run(one))
            case .broken(let name, let place, let fault):
                CaseResult(
                    file: file.path, name: name ?? "case \(place), without a name", line: fault.line, outcome: .broken(fault))
            }
        }
    }

    private func run(_ one: Case) -> CaseOutcome {
        do {
            let answers = try answers(to: one, from: evaluator)
            var misses: [StepMiss] = []
            for (index, answer) in answers.enumerated() {
                if let miss = try miss(of: answer, at: index, one.steps[index]) { misses.append(miss) }
            }
            guard misses.isEmpty else { return .failed(misses) }
            return try repeats(one, answers) ? .passed : .failed([unsteady(one)])
        } catch {
            return .broken(error)
        }
    }

    /// Switches of channels that app.lua does not list.
    private func lookAtChannels(of file: CaseFile) {
        for step in file.cases.flatMap(\.steps) {
            var switches = step.written.device?["channels"].map { Array($0.children) } ?? []
            for setting in step.state?["settings"]?.children.map({ $0 }) ?? [] where !["app_push", "timezone"].contains(setting.key.string)
            {
                switches += setting.key == "channels" ? Array(setting.children) : [setting]
            }
            for one in switches where !channels.contains(one.key.string) {
                let place = TextPlace(ofKey: one, in: source)
                let warning = RuleWarning(
                    code: .unknownChannel, file: file.path, line: place.line, column: place.column,
                    message: "app.lua lists no channel \"\(one.key.string)\"",
                    hint: UnlistedName.hint(for: one.key.string, among: channels))
                if !noted.contains(warning) { noted.append(warning) }
            }
        }
    }

    // MARK: answers

    private struct Answer: Equatable {
        /// The decision, or the list of decisions, as JSON.
        let json: [UInt8]
        /// What is remembered for the device's recipient afterwards, as JSON.
        let state: [UInt8]
        let remarks: [String]
    }

    private func answers(to one: Case, from evaluator: any RuleEvaluating) throws(CaseFault) -> [Answer] {
        var state = AppState()
        var answers: [Answer] = []
        for step in one.steps {
            answers.append(try answer(to: step, from: evaluator, on: &state))
        }
        return answers
    }

    private func answer(to step: CaseStep, from evaluator: any RuleEvaluating, on state: inout AppState) throws(CaseFault) -> Answer {
        let device = try device(of: step)
        let recipient = device.recipient?.string ?? ""
        if let before = step.state { state = try self.state(before, recipient, step) }
        let message = try message(of: step, for: device)
        let options = EvaluationOptions(tracesRules: step.wants("trace"), payload: step.wants("payload") ? .shown : .sent)
        var writer = JSONWriter()
        var evaluations: [Evaluation]
        if let event = step.event {
            let request = EvaluationRequest(
                message: message, device: device, event: try self.event(event, step), now: step.now, state: state,
                options: options)
            let evaluation = evaluator.evaluate(request)
            state.apply(evaluation.effects, recipient: evaluation.decision.recipient ?? "")
            DecisionWriter.write(evaluation.decision, into: &writer)
            evaluations = [evaluation]
        } else {
            guard message != nil else {
                throw CaseFault(line: step.line, column: step.column, message: "the step has neither a message nor an event")
            }
            let request = EvaluationRequest(
                message: message, device: device, event: Event(.send), now: step.now, state: state, options: options)
            let journey = evaluator.evaluateJourney(request)
            state = journey.state
            evaluations = journey.evaluations
            writer.beginArray()
            for evaluation in evaluations { DecisionWriter.write(evaluation.decision, into: &writer) }
            writer.endArray()
        }
        for evaluation in evaluations { evaluation.decision.usage.strains.forEach(note) }
        var stateWriter = JSONWriter()
        StateWriter.inCase(state, recipient: recipient, now: step.now, to: &stateWriter)
        let remarks = evaluations.flatMap { CaseRunner.remarks(on: $0.decision, expected: step) }
        return Answer(json: writer.bytes, state: stateWriter.bytes, remarks: remarks)
    }

    private func note(_ strain: Strain) {
        guard let known = strains.firstIndex(where: { $0.limit == strain.limit && $0.rule == strain.rule }) else {
            strains.append(strain)
            return
        }
        if strain.used > strains[known].used { strains[known] = strain }
    }

    private func device(of step: CaseStep) throws(CaseFault) -> Device {
        do throws(DeviceFault) {
            return try step.device.withUnsafeBufferPointer { bytes throws(DeviceFault) in
                try devices.read(UnsafeRawBufferPointer(bytes))
            }
        } catch {
            let written = step.written.device
            let place = place(of: error.place(in: written) ?? written, step)
            throw CaseFault(
                line: place.line, column: place.column, message: "the device cannot be read: \(error.sentence)", hint: error.advice)
        }
    }

    private func message(of step: CaseStep, for device: Device) throws(CaseFault) -> Message? {
        guard let bytes = step.message else { return nil }
        do throws(MessageFault) {
            return try bytes.withUnsafeBufferPointer { bytes throws(MessageFault) in
                try messages.read(UnsafeRawBufferPointer(bytes), for: device.messageContext)
            }
        } catch {
            let place = place(of: step.written.message, step)
            throw CaseFault(
                line: place.line, column: place.column, message: "the message cannot be read: \(error.message)", hint: error.hint)
        }
    }

    /// Of a value in the file of cases; nil: of the step.
    private func place(of value: JSONValue?, _ step: CaseStep) -> (line: Int, column: Int) {
        guard let value else { return (step.line, step.column) }
        let place = TextPlace(of: value.offset, in: source)
        return (place.line, place.column)
    }

    private func event(_ value: JSONValue, _ step: CaseStep) throws(CaseFault) -> Event {
        do {
            return try Event.read(value)
        } catch {
            let place = place(of: error.value(in: value) ?? value, step)
            throw CaseFault(line: place.line, column: place.column, message: error.message, hint: error.hint)
        }
    }

    private func state(_ value: JSONValue, _ recipient: String, _ step: CaseStep) throws(CaseFault) -> AppState {
        do {
            return try StateReader.inCase(value, recipient: recipient, now: step.now)
        } catch {
            let place = TextPlace(of: error, in: source)
            throw CaseFault(line: place.line, column: place.column, message: "`state`: \(error.message)", hint: error.hint)
        }
    }

    /// What must not pass unseen even when the answer is as expected.
    private static func remarks(on decision: Decision, expected step: CaseStep) -> [String] {
        var remarks: [String] = []
        if !step.wants("errors") {
            remarks += decision.errors.map { error in
                let rule = error.rule.map { "rule \"\($0)\" failed" } ?? "the evaluation failed"
                let hint = error.hint.map { "; \($0)" } ?? ""
                return "\(rule) (\(error.file):\(error.line)): \(error.message)\(hint)"
            }
        }
        if !step.wants("warnings") {
            remarks += decision.warnings.filter { [.unknownField, .unknownDeviceKey, .unknownEventKey].contains($0.code) }.map { warning in
                warning.hint.map { "\(warning.message); \($0)" } ?? warning.message
            }
        }
        return remarks
    }

    // MARK: comparing

    private func miss(of answer: Answer, at index: Int, _ step: CaseStep) throws(CaseFault) -> StepMiss? {
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
        return StepMiss(step: index + 1, line: step.line, differences: differences, remarks: answer.remarks)
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

    /// Whether a new machine gives the same answers.
    private func repeats(_ one: Case, _ answers: [Answer]) throws(CaseFault) -> Bool {
        guard let fresh = load() else { return true }
        return try self.answers(to: one, from: fresh) == answers
    }

    private func unsteady(_ one: Case) -> StepMiss {
        StepMiss(
            step: 1, line: one.line, differences: [],
            remarks: ["the answer depends on what was evaluated before; keep nothing in variables of the script, use state"])
    }
}

extension CaseStep {
    /// Whether the step expects something of a key of the decision, in one of them at least.
    func wants(_ key: StaticString) -> Bool {
        guard let expect else { return false }
        if expect.isArray { return expect.children.contains { $0[key] != nil } }
        return expect[key] != nil
    }
}

extension DeviceFault {
    var sentence: String {
        switch self {
        case .unreadable(let fault): fault.message
        case .wrong(let fault): fault.message
        }
    }
    /// What is wrong in the object that stands in a case; nil: the device is in a file of its own.
    func place(in written: JSONValue?) -> JSONValue? {
        guard case .wrong(let fault) = self, let written, written.isObject else { return nil }
        return fault.value(in: written)
    }
    var advice: String? {
        switch self {
        case .unreadable(let fault): fault.hint
        case .wrong(let fault): fault.hint
        }
    }
}
