// The reference job as it runs inside rulehost: the same readers, evaluator and writer as everywhere else, each used
// again for every message.
import JSONDocument
import PushMessage
import ReferenceJob
import RuleEngine

final class ReferenceRun {
    private let evaluator: Evaluator
    private let messages: MessageReader
    private let devices = DeviceReader()
    private var writer = JSONWriter(reserving: 1_024)
    /// The moment of every evaluation.
    static let now = Instant(milliseconds: 1_764_460_800_000)

    init() throws(BenchmarkFault) {
        let files = ReferenceJob.files.map { SourceFile(path: $0.path, bytes: $0.bytes) }
        switch RulesetLoader.load(app: ReferenceJob.app, files: files) {
        case .failed(let faults): throw .rulesDoNotLoad(faults)
        case .loaded(let app):
            messages = MessageReader(fields: app.ruleset.manifest.fields, links: app.ruleset.manifest.linkOrder)
            evaluator = Evaluator(app)
        }
    }

    /// From bytes to bytes; the decision stands in the writer until the next one.
    func decide(_ message: [UInt8], _ device: [UInt8], _ state: inout AppState) throws(BenchmarkFault) {
        let device = try self.device(device)
        let evaluation = evaluate(try self.message(message, for: device), device, state)
        state.apply(evaluation.effects, recipient: evaluation.decision.recipient ?? "")
        write(evaluation.decision)
    }

    func device(_ bytes: [UInt8]) throws(BenchmarkFault) -> Device {
        do throws(DeviceFault) {
            return try bytes.withUnsafeBufferPointer { bytes throws(DeviceFault) in
                try devices.read(UnsafeRawBufferPointer(bytes))
            }
        } catch {
            throw .wrong("the device cannot be read: \(error.sentence)")
        }
    }

    func message(_ bytes: [UInt8], for device: Device) throws(BenchmarkFault) -> Message {
        do throws(MessageFault) {
            return try bytes.withUnsafeBufferPointer { bytes throws(MessageFault) in
                try messages.read(UnsafeRawBufferPointer(bytes), for: device.messageContext)
            }
        } catch {
            throw .wrong("a message cannot be read: \(error.message)")
        }
    }

    func evaluate(_ message: Message, _ device: Device, _ state: AppState) -> Evaluation {
        evaluator.evaluate(
            EvaluationRequest(message: message, device: device, event: Event(.present), now: ReferenceRun.now, state: state))
    }

    func write(_ decision: borrowing Decision) {
        writer.reset()
        DecisionWriter.write(decision, into: &writer)
    }

    /// Asks every check on one state; throws at the first answer that is not as expected.
    func check(_ checks: [ReferenceJob.Check], _ messages: [[UInt8]]) throws(BenchmarkFault) {
        var state = AppState()
        let document = JSONDocument()
        for (number, check) in checks.enumerated() {
            try decide(messages[number], check.device, &state)
            do throws(JSONFault) { try document.read(writer.bytes) } catch { throw .wrong(error.message) }
            guard let decision = document.root else { throw .wrong("there is no decision") }
            var expected = check.answer
            // Each message has a room of its own.
            if expected.path != nil { expected.path = ["room-" + String(10_000 + number).dropFirst()] }
            let answer = ReferenceAnswer(decision: decision)
            guard answer == expected else {
                throw .wrong("check \(number + 1) gives \(String(decoding: writer.bytes, as: UTF8.self))")
            }
        }
    }
}
