// One client who listens to an app: hears what happens until he goes, falls behind too far or loses his token. Made for a request to
// EventsDeed; told by the hall on any thread. It must not keep more for him than he can take.
import HTTPServer
import RuleHosting

/// One client who listens.
final class EventListener: ExchangeStream, TokenStream {
    let app: String
    let wantsDecisions: Bool
    private let hall: EventHall
    private let tokens: TokenKeeper?
    private let state = Guarded(State())
    /// Decisions that were left out because he does not keep up.
    private let missed = Guarded(0)

    private struct State {
        var answer: AnswerStream?
        /// Why he is to go.
        var problem: HostProblem?
    }

    init(_ hall: EventHall, _ tokens: TokenKeeper?, app: String, wantsDecisions: Bool) {
        self.hall = hall
        self.tokens = tokens
        self.app = app
        self.wantsDecisions = wantsDecisions
    }

    deinit { tokens?.leave(self) }

    /// Left out while too much waits for him; then he hears how many there were.
    func tellDecision(_ bytes: [UInt8]) {
        guard let answer = state.withLock({ $0.answer }) else { return }
        missed.withLock { missed in
            guard answer.waitingBytes < AnswerStream.highWater else { return missed += 1 }
            tellMissed(&missed, answer)
            answer.send(bytes)
        }
    }

    func wanted() {
        guard let answer = state.withLock({ $0.answer }) else { return }
        missed.withLock { tellMissed(&$0, answer) }
    }

    private func tellMissed(_ missed: inout Int, _ answer: AnswerStream) {
        guard missed > 0 else { return }
        answer.send(Array("event: missed\ndata: {\"count\":\(missed)}\n\n".utf8))
        missed = 0
    }

    func begin(_ answer: AnswerStream) {
        let problem = state.withLock { state in
            state.answer = answer
            return state.problem
        }
        if let problem { turnOut(problem) }
    }

    func tell(_ bytes: [UInt8], most: Int) {
        guard let answer = state.withLock({ $0.answer }) else { return }
        if answer.waitingBytes > most { return leave() }
        answer.send(bytes)
    }

    func draining() { leave() }

    func gone() { hall.leave(self) }

    private func leave() {
        hall.leave(self)
        state.withLock { $0.answer }?.end()
    }

    // MARK: his token

    /// Which app he hears of was looked at.
    func goOn(as caller: Caller) {}

    func turnOut(_ problem: HostProblem) {
        let answer = state.withLock { state in
            state.problem = problem
            return state.answer
        }
        hall.leave(self)
        answer?.send(Array("event: ended\ndata: ".utf8) + problem.body + Array("\n\n".utf8))
        answer?.end(closes: true)
    }
}
