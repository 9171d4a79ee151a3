// What --apply remembers: the state as it is after the answers that have gone out. An answer that nobody got must not
// count, because who asks again would be told of a duplicate. Filled by EvalSession, written by StateStore.
import RuleEngine

struct AnsweredState {
    private struct Answer {
        let changes: [(recipient: String, effects: [Effect])]
        /// Bytes of output up to its end.
        let end: Int
    }

    /// What a pipe holds at most that nobody has read: it may turn out not to have arrived.
    private static let pipeBytes = 1 << 20

    private(set) var state: AppState
    /// At least one answer is in the state.
    private(set) var hasSettled = false
    private var waiting: [Answer] = []
    /// Those before are in the state.
    private var first = 0

    init(_ state: AppState) { self.state = state }

    /// Answers that are not in the state.
    var waitingCount: Int { waiting.count - first }

    /// - Parameters:
    ///   - end: bytes of output up to the end of the answer.
    ///   - delivered: bytes of output that have gone out by now.
    mutating func add(_ evaluations: [Evaluation], endingAt end: Int, delivered: Int) {
        let changes = evaluations.filter { !$0.effects.isEmpty }.map { ($0.decision.recipient ?? "", $0.effects) }
        guard !changes.isEmpty else { return }
        waiting.append(Answer(changes: changes, end: end))
        settle(delivered: delivered - AnsweredState.pipeBytes)
    }

    /// Carries out what the answers changed that have arrived in full.
    mutating func settle(delivered: Int) {
        while first < waiting.count, waiting[first].end <= delivered {
            for change in waiting[first].changes { state.apply(change.effects, recipient: change.recipient) }
            first += 1
            hasSettled = true
        }
        guard first > waiting.count / 2 else { return }
        waiting.removeFirst(first)
        first = 0
    }
}
