// What one loop has collected for the host in a turn, and the way of the answers back to it. Each loop has its own; only its
// thread collects.
import HTTPServer
import RuleHosting

// SAFETY: `requests` and `sink` are touched on the loop's thread only; the sink itself is immutable.
final class DecideDesk: @unchecked Sendable {
    private var requests: [DecideRequest] = []
    private var sink: LoopSink?

    func add(_ exchange: Exchange, app: String, body: [UInt8], _ options: DecideOptions) {
        if sink == nil { sink = LoopSink(exchange) }
        requests.append(DecideRequest(app: app, body: body, options: options, tag: exchange.number))
    }

    func handOver(to host: RuleHost) {
        guard let sink, !requests.isEmpty else { return }
        let all = requests
        requests.removeAll(keepingCapacity: true)
        host.decide(all, to: sink)
    }
}

/// Leads the answers of the host to the exchanges of one loop: all that are ready at once, with one wake-up.
final class LoopSink: AnswerTaking {
    private let any: Exchange

    /// - Parameter any: an exchange of the loop.
    init(_ any: Exchange) { self.any = any }

    func take(_ answers: [HostAnswer]) {
        Exchange.answer(answers.map { (any.other($0.tag), Answer($0)) })
    }
}
