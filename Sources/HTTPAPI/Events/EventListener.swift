// One client who listens to an app: hears what happens until he goes, falls behind too far or loses his token. Made for a request to
// EventsDeed; told by the hall on any thread. It must not keep more for him than he can take.
import HTTPServer
import RuleHosting

final class EventListener: ExchangeStream, TokenStream {
    /// Where a client stands in what has happened.
    struct Place: Sendable {
        /// Events before he came.
        var before: UInt64 = 0
        /// nil: he is new.
        var heard: Heard?

        enum Heard: Sendable {
            /// So many of them.
            case until(UInt64)
            /// Some that nobody here remembers.
            case others
        }
    }

    let app: String
    let wantsDecisions: Bool
    private let hall: EventHall
    private let tokens: TokenKeeper?
    private let state = Guarded(State())
    /// Decisions that were left out because he does not keep up.
    private let missed = Guarded(0)

    private struct State {
        var answer: AnswerStream?
        var place = Place()
        /// He has been told how the app is, and hears what happens to it.
        var hasBegun = false
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
        answer.send(EventDesk.missed("{\"of\":\"decisions\",\"count\":\(missed)}"))
        missed = 0
    }

    // MARK: for the hall

    /// - Parameter pause: so that a client knows that he is in.
    func enter(_ answer: AnswerStream, _ place: Place, _ pause: [UInt8]) {
        answer.send(pause)
        state.withLock { state in
            state.answer = answer
            state.place = place
        }
    }

    /// His token may have gone before he was in.
    func leaveIfTurnedOut() {
        if let problem = state.withLock({ $0.problem }) { turnOut(problem) }
    }

    func begin(in desk: EventDesk, _ info: AppInfo?, _ write: (AppInfo?) -> [UInt8]) {
        let (answer, place) = state.withLock { state in
            state.hasBegun = true
            return (state.answer, state.place)
        }
        answer?.send(desk.greeting(place, info, write))
    }

    /// - Returns: whether he keeps up; else he is to leave.
    func tell(_ bytes: [UInt8], most: Int) -> Bool {
        let (answer, hasBegun) = state.withLock { ($0.answer, $0.hasBegun) }
        guard let answer, hasBegun else { return true }
        if answer.waitingBytes > most { return false }
        answer.send(bytes)
        return true
    }

    func draining() { leave() }

    func gone() { hall.leave(self) }

    func leave() {
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
