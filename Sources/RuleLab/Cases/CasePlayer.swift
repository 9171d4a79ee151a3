// Plays a case: its steps one after the other, each on the state that the one before has left, by an evaluator that it is
// given. Owns the memory that messages and devices are read into. It does not know what is expected; CaseRunner compares.
import JSONDocument
import PushMessage
import RuleEngine
import RuleStore

final class CasePlayer {
    private let messages: MessageReader
    private let devices = DeviceReader()
    /// The text of the file whose case is played.
    private var places = TextPlaces([])
    /// What came near a limit, of each rule and limit the largest.
    private(set) var strains = Strains()

    init(_ manifest: Manifest) {
        messages = MessageReader(fields: manifest.fields, links: manifest.linkOrder)
    }

    /// - Parameter places: of the case's file.
    func answers(to one: Case, in places: TextPlaces, from evaluator: any RuleEvaluating) throws(CaseFault) -> [CaseAnswer] {
        self.places = places
        var state = AppState()
        var answers: [CaseAnswer] = []
        for step in one.steps {
            answers.append(try answer(to: step, from: evaluator, on: &state))
        }
        return answers
    }

    private func answer(to step: CaseStep, from evaluator: any RuleEvaluating, on state: inout AppState) throws(CaseFault) -> CaseAnswer {
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
        for evaluation in evaluations { evaluation.decision.usage.strains.forEach { strains.note($0) } }
        var stateWriter = JSONWriter()
        StateWriter.inCase(state, recipient: recipient, now: step.now, to: &stateWriter)
        let remarks = evaluations.flatMap { CasePlayer.remarks(on: $0.decision, expected: step) }
        return CaseAnswer(
            json: writer.bytes, state: stateWriter.bytes, remarks: remarks,
            failures: step.wants("errors") ? [] : evaluations.flatMap(\.decision.errors),
            unmeasured: CasePlayer.unmeasured(evaluations))
    }

    private static func unmeasured(_ evaluations: [Evaluation]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for var evaluation in evaluations {
            evaluation.decision.usage.fuel = 0
            DecisionWriter.write(evaluation.decision, into: &writer)
        }
        writer.endArray()
        return writer.bytes
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
        let place = places.place(of: value.offset)
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
            let place = places.place(of: error)
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
}

/// What came out at one step.
struct CaseAnswer: Sendable {
    /// The decision, or the list of decisions, as JSON.
    let json: [UInt8]
    /// What is remembered for the device's recipient afterwards, as JSON.
    let state: [UInt8]
    /// What went wrong beside the answer.
    let remarks: [String]
    /// Rules that failed, and were not expected to.
    let failures: [RuleError]
    /// The decisions without what they cost: where Lua puts tables that are keys depends on addresses, and what it costs to
    /// find them with it.
    private let unmeasured: [UInt8]

    init(json: [UInt8], state: [UInt8], remarks: [String], failures: [RuleError], unmeasured: [UInt8]) {
        self.json = json
        self.state = state
        self.remarks = remarks
        self.failures = failures
        self.unmeasured = unmeasured
    }

    /// Whether it says the same, whatever it cost.
    func says(sameAs other: CaseAnswer) -> Bool {
        unmeasured == other.unmeasured && state == other.state && remarks == other.remarks
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
