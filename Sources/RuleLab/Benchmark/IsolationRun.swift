// The reference job with its rules in a process of their own: the same readers and writer, and the evaluation by question
// and answer, one message at a time or many.
import JSONDocument
import PushMessage
import ReferenceJob
import RuleEngine
import RuleWorkers

final class IsolationRun {
    let app: WorkerApp
    private let messages: MessageReader
    private let devices = DeviceReader()
    private var writer = JSONWriter(reserving: 1_024)

    /// - Parameter program: what the child runs.
    convenience init(program: String) throws(BenchmarkFault) { try self.init(in: WorkerPool(program: program)) }

    init(in pool: WorkerPool) throws(BenchmarkFault) {
        let files = ReferenceJob.files.map { SourceFile(path: $0.path, bytes: $0.bytes) }
        switch pool.load(app: ReferenceJob.app, files: files) {
        case .failed(let faults): throw .rulesDoNotLoad(faults)
        case .loaded(let loaded):
            app = loaded
            messages = MessageReader(fields: loaded.ruleset.manifest.fields, links: loaded.ruleset.manifest.linkOrder)
        }
    }

    /// From bytes to bytes, `batch` messages at a time. What a message leaves behind, those of the next batch find.
    func decide(_ all: [[UInt8]], _ device: [UInt8], batch: Int) throws(BenchmarkFault) {
        var state = AppState()
        var place = 0
        while place < all.count {
            let end = min(all.count, place + batch)
            var questions: [Question] = []
            questions.reserveCapacity(end - place)
            for message in all[place..<end] { questions.append(try question(message, device, state)) }
            for evaluation in app.evaluate(questions) {
                guard evaluation.decision.errors.isEmpty else {
                    throw .wrong("a decision in a process has an error: \(evaluation.decision.errors[0].message)")
                }
                state.apply(evaluation.effects, recipient: evaluation.decision.recipient ?? "")
                writer.reset()
                DecisionWriter.write(evaluation.decision, into: &writer)
            }
            place = end
        }
    }

    /// One message from bytes to the bytes of its decision, which stand until the next one.
    func decide(_ message: [UInt8], _ device: [UInt8], _ state: inout AppState) throws(BenchmarkFault) -> [UInt8] {
        for evaluation in app.evaluate([try question(message, device, state)]) {
            state.apply(evaluation.effects, recipient: evaluation.decision.recipient ?? "")
            writer.reset()
            DecisionWriter.write(evaluation.decision, into: &writer)
        }
        return Array(writer.bytes)
    }

    private func question(_ message: [UInt8], _ device: [UInt8], _ state: AppState) throws(BenchmarkFault) -> Question {
        do {
            let device = try device.withUnsafeBytes { try devices.read($0) }
            let message = try messages.read(message, for: device.messageContext)
            return Question(
                EvaluationRequest(message: message, device: device, event: Event(.present), now: ReferenceRun.now, state: state),
                windows: DedupeWindows())
        } catch {
            throw .wrong("an input of the reference job cannot be read")
        }
    }
}
