// One of the two rulesets of a comparison, on a thread of its own: batches of lines go in, what it decides comes out, in
// order. It shares nothing with the other one.
import Glibc
import JSONDocument
import PushMessage
import RuleEngine

/// What one side says to one line.
struct SideLine: Sendable {
    enum Result: Sendable {
        case played(PlayedLine)
        /// The line is another app's.
        case otherApp
        case faulty(TrafficFault)
    }

    /// Messages whose time came before the line, in the order of their times.
    var due: [DueAnswer] = []
    var result: Result
}

// SAFETY: the player belongs to the thread from `start` to the end of `answers`; before and after it to whoever holds the side.
final class DiffSide: @unchecked Sendable {
    private let app: String
    let player: TrafficPlayer
    private let reader = TrafficReader()
    private let batches = Channel<TrafficBatch>()
    private let answers = Channel<[SideLine]>()
    private let mayGoOn: @Sendable () -> Bool

    init(_ evaluator: any RuleEvaluating, state: AppState, mayGoOn: @escaping @Sendable () -> Bool) {
        self.mayGoOn = mayGoOn
        app = evaluator.ruleset.app
        player = TrafficPlayer(evaluator, state: state, tracesRules: true)
    }

    func give(_ batch: TrafficBatch) { batches.give(batch) }
    func close() { batches.close() }
    /// One for each batch; nil when there are no more, and the thread has gone.
    func take() -> [SideLine]? { answers.take() }

    /// Begins to work; false when the system gives no thread.
    func start() -> Bool {
        var thread = pthread_t()
        let side = Unmanaged.passRetained(self)
        let failed = pthread_create(
            &thread, nil,
            { side in
                guard let side else { return nil }
                Unmanaged<DiffSide>.fromOpaque(side).takeRetainedValue().work()
                return nil
            }, side.toOpaque())
        guard failed == 0 else {
            side.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private func work() {
        while let batch = batches.take() { answers.give(batch.lines.map { line in batch.withBytes(of: line, answer) }) }
        answers.close()
    }

    private func answer(_ bytes: UnsafeRawBufferPointer) -> SideLine {
        var answer = SideLine(result: .otherApp)
        guard mayGoOn() else { return answer }
        do throws(TrafficFault) {
            let line = try reader.read(bytes)
            guard line.app == app else { return answer }
            while mayGoOn(), let due = player.playNextDue(until: line.at) { answer.due.append(due) }
            answer.result = .played(try player.play(line))
        } catch {
            answer.result = .faulty(error)
        }
        return answer
    }
}
