// What --apply remembers: the state as it is after the answers that have gone out. An answer that nobody got must not
// count, because who asks again would be told of a duplicate. Filled by EvalSession, written by StateStore.
import RuleEngine

struct AnsweredState {
    private struct Answer {
        let changes: [(recipient: String, effects: [Effect])]
        /// Bytes of output up to its end.
        let end: Int
        /// Bytes of what it changed.
        let bytes: Int
    }

    /// What a pipe holds at most that nobody has read: it may turn out not to have arrived.
    private static let pipeBytes = 1 << 20

    /// Bytes of changes that wait until their answers have surely arrived. With more it has to be looked how far these have
    /// come: rules may write a thousand times as much as they answer.
    private static let mostBytes = 8 << 20

    private(set) var state: AppState
    /// At least one answer is in the state.
    private(set) var hasSettled = false
    private var waiting: [Answer] = []
    /// Those before are in the state.
    private var first = 0
    private var waitingBytes = 0

    init(_ state: AppState) { self.state = state }

    /// Answers that are not in the state.
    var waitingCount: Int { waiting.count - first }

    /// Who knows exactly how much has arrived is to say so now.
    var isFull: Bool { waitingBytes > AnsweredState.mostBytes }

    /// - Parameters:
    ///   - end: bytes of output up to the end of the answer.
    ///   - delivered: bytes of output that have gone out by now.
    mutating func add(_ evaluations: [Evaluation], endingAt end: Int, delivered: Int) {
        let changes = evaluations.filter { !$0.effects.isEmpty }.map { ($0.decision.recipient ?? "", $0.effects) }
        guard !changes.isEmpty else { return }
        let bytes = changes.reduce(0) { sum, change in change.1.reduce(sum) { $0 + $1.roughBytes } }
        waiting.append(Answer(changes: changes, end: end, bytes: bytes))
        waitingBytes += bytes
        settle(delivered: delivered - AnsweredState.pipeBytes)
    }

    /// Carries out what the answers changed that have arrived in full.
    mutating func settle(delivered: Int) {
        while first < waiting.count, waiting[first].end <= delivered {
            for change in waiting[first].changes { state.apply(change.effects, recipient: change.recipient) }
            waitingBytes -= waiting[first].bytes
            // What has been overwritten since is let go of at once.
            waiting[first] = Answer(changes: [], end: waiting[first].end, bytes: 0)
            first += 1
            hasSettled = true
        }
        guard first > waiting.count / 2 else { return }
        waiting.removeFirst(first)
        first = 0
    }
}
