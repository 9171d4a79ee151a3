// POST /v1/apps/{app}/decide: one request, one decision or journey. The body is the host's to read; it waits in the loop's desk
// until the turn ends.
import HTTPServer
import RuleHosting

struct DecideDeed: CallerDeed, RequestTaking {
    let desks: [DecideDesk]
    let mostBody: Int
    let tellsTrace: Bool
    var caller = Caller.local

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .whole(upTo: mostBody, self) }

    func take(_ request: Request) { take(request, request.body) }

    /// - Parameter body: that of the request, or one that was made of it.
    func take(_ request: Request, _ body: [UInt8]) {
        var options = DecideOptions(asked: request.head, tellsTrace: tellsTrace)
        options.mayChooseNow = caller.may(.operate)
        if let key = request.head.value(of: "idempotency-key") {
            let count = request.head.values(of: "idempotency-key").count
            // Whoever stands between may go by the other one.
            guard count == 1 else { return request.exchange.answer(Answer(DecideDeed.severalKeys(count))) }
            options.idempotency = IdempotencyKey(token: caller.tokenName, key: key)
        }
        desks[request.exchange.loop].add(request.exchange, app: request.head.path[2], body: body, options)
    }

    private static func severalKeys(_ count: Int) -> HostProblem {
        HostProblem(
            .requestInvalid, status: 400, detail: "the request has \(count) fields Idempotency-Key", hint: "send one key with each request")
    }

    static let query = [
        QueryParameter(name: "dry_run", kind: .flag, summary: "Keep nothing: neither what the rules change nor the answer"),
        QueryParameter(
            name: "trace", kind: .oneOf(["0", "1", "rules", "lines"]), summary: "What every rule thought, or each line of them"),
        QueryParameter(name: "usage", kind: .flag, summary: "Tell memory and time beside fuel"),
    ]
}

extension DecideOptions {
    /// What the query of a request wants.
    /// - Parameter tellsTrace: somebody writes it down.
    init(asked head: RequestHead, tellsTrace: Bool = false) {
        self.init()
        if tellsTrace { traceparent = head.trace?.header }
        if head.query.isEmpty { return }
        isDryRun = head.has("dry_run")
        measuresUsage = head.has("usage")
        switch head.value(ofQuery: "trace") {
        case "1", "rules": trace = .rules
        case "lines": trace = .lines
        default: trace = .none
        }
    }
}
