// One stream of lines: requests are cut out of what comes, handed to the host as they are there, and their answers put back into
// order, because apps answer each in their own time. Belongs to one exchange; its body comes on the loop's thread, answers on any.
//
// Held back are both: the client, while as many lines are under way as are allowed, its answers are not taken or its token has sent more
// than its rate; and with it the host, which never has more of this client than that.
import HTTPServer
import JSONDocument
import RuleHosting

final class LineStream: ExchangeStream, AnswerTaking, TokenStream {
    private let host: RuleHost
    private let exchange: Exchange
    private let tokens: TokenKeeper?
    private let state: Guarded<State>
    /// nil: it sends as fast as it is decided.
    private let rate: TokenRate?
    private let cutting: Guarded<LineCutting>
    private let paced = Guarded(Paced())

    /// Lines under way at which no more are read, and at which they are again.
    private static let most = 2_048
    private static let few = 1_024

    private struct State {
        var options: DecideOptions
        var caller: Caller
        var answer: AnswerStream?
        var order = LineOrder()
        /// The client does not take its answers.
        var isFull = false
        var isHeld = false
        /// Lines wait for the rate.
        var isPaced = false
        /// Nothing more will come, or is taken.
        var isOver = false
        /// The client has gone.
        var isGone = false
        /// Why, when it is not the client who ends it: the last line.
        var farewell: HostProblem?
    }

    /// What waits for the rate of the token: no more than has come in one piece.
    private struct Paced {
        var lines: [LineCutting.Line] = []
        /// No others will come.
        var isComplete = false
    }

    init(
        _ host: RuleHost, _ exchange: Exchange, _ options: DecideOptions, _ caller: Caller, _ tokens: TokenKeeper?, _ rate: TokenRate?
    ) {
        self.host = host
        self.rate = rate
        self.exchange = exchange
        self.tokens = tokens
        state = Guarded(State(options: options, caller: caller))
        cutting = Guarded(LineCutting(most: host.settings.mostBody, tellsBlanks: rate != nil))
        goOn(as: caller)
    }

    deinit { tokens?.leave(self) }

    func begin(_ answer: AnswerStream) {
        state.withLock { state in
            state.answer = answer
            // Its token may have gone by now.
            send(&state)
        }
    }

    // MARK: on the loop's thread

    func receive(_ bytes: [UInt8]) -> Bool {
        take(cutting.withLock { $0.add(bytes) })
        return state.withLock { state in
            let isEnough = state.order.underWay >= LineStream.most || state.isFull || state.isPaced || state.isOver
            // Several pieces may come although the first was enough.
            if isEnough { state.isHeld = true }
            return !isEnough
        }
    }

    func received() {
        take(cutting.withLock { $0.end() })
        let waits = paced.withLock { paced in
            paced.isComplete = true
            return !paced.lines.isEmpty
        }
        if !waits { end() }
    }

    /// Nothing more will come.
    private func end() {
        state.withLock { state in
            state.isOver = true
            send(&state)
        }
    }

    func wanted() {
        state.withLock { state in
            state.isFull = false
            goOnIfHeld(&state)
        }
    }

    /// What has come is answered, but for lines that wait for the rate; nothing more is read.
    func draining() { end() }

    func gone() {
        state.withLock { state in
            state.answer = nil
            state.order = LineOrder()
            (state.isOver, state.isGone) = (true, true)
        }
        paced.withLock { $0.lines = [] }
    }

    private func take(_ lines: [LineCutting.Line]) {
        guard let rate, !lines.isEmpty else { return ask(lines) }
        let isWaiting = paced.withLock { paced in
            defer { paced.lines += lines }
            return !paced.lines.isEmpty
        }
        // Behind others that are called when there is room.
        if !isWaiting { askWaiting(rate) }
    }

    func reminded() {
        guard let rate else { return }
        if askWaiting(rate) { return }
        if paced.withLock({ $0.isComplete }) { end() }
    }

    /// - Returns: whether some have to wait.
    @discardableResult
    private func askWaiting(_ rate: TokenRate) -> Bool {
        let name = state.withLock { $0.caller.name }
        let (lines, pause) = paced.withLock { paced -> ([LineCutting.Line], Int?) in
            let (count, milliseconds) = rate.take(paced.lines.count, of: name)
            let lines = Array(paced.lines.prefix(count))
            paced.lines.removeFirst(count)
            return (lines, paced.lines.isEmpty ? nil : milliseconds)
        }
        ask(lines)
        state.withLock { state in
            state.isPaced = pause != nil
            goOnIfHeld(&state)
        }
        if let pause { exchange.remind(after: pause) }
        return pause != nil
    }

    private func ask(_ lines: [LineCutting.Line]) {
        if lines.isEmpty { return }
        var requests: [DecideRequest] = []
        requests.reserveCapacity(lines.count)
        state.withLock { state in
            // Nobody would hear the answers.
            if state.isOver { return }
            for line in lines {
                switch line.content {
                case .request(let app, _, _) where !state.caller.knows(app):
                    state.order.add(APIProblem.tokenApp.problem("the token is not for this app"), line.number)
                case .request(let app, let body, let outline):
                    let tag = state.order.add(line.number)
                    requests.append(DecideRequest(app: app, body: body, outline: outline, options: state.options, tag: tag))
                case .problem(let problem): state.order.add(problem, line.number)
                case .blank: break
                }
            }
            if requests.count < lines.count { send(&state) }
        }
        if !requests.isEmpty { host.decide(requests, to: self) }
    }

    // MARK: on any thread

    /// Lines that nobody hears of are not decided when they have not been yet.
    var isGone: Bool { state.withLock { $0.isGone } }

    func take(_ answers: [HostAnswer]) {
        state.withLock { state in
            for answer in answers { state.order.set(answer) }
            send(&state)
            goOnIfHeld(&state)
        }
    }

    func goOn(as caller: Caller) {
        state.withLock { state in
            state.caller = caller
            state.options.mayChooseNow = caller.may(.operate)
        }
    }

    /// Lines that have come are answered, as those of a request are; not those that wait for the rate.
    func turnOut(_ problem: HostProblem) {
        state.withLock { state in
            if state.isOver { return }
            (state.isOver, state.farewell) = (true, problem)
            send(&state)
        }
    }

    /// Sends what is next as long as it is there.
    private func send(_ state: inout State) {
        guard let answer = state.answer else { return }
        var bytes = state.order.next()
        let isLast = state.isOver && state.order.underWay == 0
        if isLast, let farewell = state.farewell { bytes += farewell.body + [0x0a] }
        if !bytes.isEmpty, !answer.send(bytes) { state.isFull = true }
        if isLast { answer.end(closes: state.farewell != nil) }
    }

    private func goOnIfHeld(_ state: inout State) {
        guard state.isHeld, !state.isFull, !state.isPaced, !state.isOver, state.order.underWay < LineStream.few else { return }
        state.isHeld = false
        exchange.goOn()
    }
}
