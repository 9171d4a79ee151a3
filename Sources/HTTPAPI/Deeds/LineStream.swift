// One stream of lines: requests are cut out of what comes, handed to the host as they are there, and their answers put back into
// order, because apps answer each in their own time. Belongs to one exchange; its body comes on the loop's thread, answers on any.
//
// Held back are both: the client, while as many lines are under way as are allowed or its answers are not taken; and with it
// the host, which never has more of this client than that.
import HTTPServer
import JSONDocument
import RuleHosting

final class LineStream: ExchangeStream, AnswerTaking {
    private let host: RuleHost
    private let exchange: Exchange
    private let options: DecideOptions
    private let caller: Caller
    private let order = Guarded(Order())
    private let cutting: Guarded<LineCutting>

    /// Lines under way at which no more are read, and at which they are again.
    private static let most = 2_048
    private static let few = 1_024

    private struct Order {
        var answer: AnswerStream?
        /// From the first line that is not sent on; nil: not answered yet.
        var lines: [[UInt8]?] = []
        /// Of `lines`, those that are sent already.
        var sent = 0
        /// The number of the line that `lines` begins with.
        var first: UInt64 = 0
        /// The client does not take its answers.
        var isFull = false
        var isHeld = false
        /// Nothing more will come, or is taken.
        var isOver = false

        var underWay: Int { lines.count - sent }
    }

    init(_ host: RuleHost, _ exchange: Exchange, _ options: DecideOptions, _ caller: Caller) {
        self.host = host
        self.exchange = exchange
        self.options = options
        self.caller = caller
        cutting = Guarded(LineCutting(most: host.settings.mostBody))
    }

    func begin(_ answer: AnswerStream) { order.withLock { $0.answer = answer } }

    // MARK: on the loop's thread

    func receive(_ bytes: [UInt8]) -> Bool {
        ask(cutting.withLock { $0.add(bytes) })
        return order.withLock { order in
            let isEnough = order.underWay >= LineStream.most || order.isFull || order.isOver
            order.isHeld = isEnough
            return !isEnough
        }
    }

    func received() {
        ask(cutting.withLock { $0.end() })
        order.withLock { order in
            order.isOver = true
            send(&order)
        }
    }

    func wanted() {
        order.withLock { order in
            order.isFull = false
            goOnIfHeld(&order)
        }
    }

    /// What has come is answered; nothing more is read.
    func draining() {
        order.withLock { order in
            order.isOver = true
            send(&order)
        }
    }

    func gone() { order.withLock { $0 = Order(isOver: true) } }

    private func ask(_ lines: [LineCutting.Line]) {
        if lines.isEmpty { return }
        var requests: [DecideRequest] = []
        requests.reserveCapacity(lines.count)
        order.withLock { order in
            for line in lines {
                let tag = order.first + UInt64(order.lines.count)
                switch line {
                case .request(let app, _) where !caller.knows(app):
                    order.lines.append(APIProblem.tokenApp.problem("the token is not for this app").body)
                case .request(let app, let body):
                    order.lines.append(nil)
                    requests.append(DecideRequest(app: app, body: body, options: options, tag: tag))
                case .problem(let problem): order.lines.append(problem.body)
                }
            }
            if requests.count < lines.count { send(&order) }
        }
        if !requests.isEmpty { host.decide(requests, to: self) }
    }

    // MARK: on any thread

    func take(_ answers: [HostAnswer]) {
        order.withLock { order in
            for answer in answers where answer.tag >= order.first && answer.tag - order.first < UInt64(order.lines.count) {
                order.lines[Int(answer.tag - order.first)] = answer.body
            }
            send(&order)
            goOnIfHeld(&order)
        }
    }

    /// Sends what is next as long as it is there.
    private func send(_ order: inout Order) {
        var bytes: [UInt8] = []
        while order.sent < order.lines.count, let line = order.lines[order.sent] {
            bytes += line
            bytes.append(0x0a)
            order.lines[order.sent] = []
            order.sent += 1
        }
        if order.sent == order.lines.count || order.sent >= LineStream.most {
            order.first += UInt64(order.sent)
            order.lines.removeFirst(order.sent)
            order.sent = 0
        }
        if !bytes.isEmpty, order.answer?.send(bytes) == false { order.isFull = true }
        if order.isOver, order.underWay == 0 { order.answer?.end() }
    }

    private func goOnIfHeld(_ order: inout Order) {
        guard order.isHeld, !order.isFull, !order.isOver, order.underWay < LineStream.few else { return }
        order.isHeld = false
        exchange.goOn()
    }
}
