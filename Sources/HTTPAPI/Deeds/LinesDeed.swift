// POST /v1/decide: a stream of requests, one a line, each with the name of its app; a stream of answers, one a line, in the same
// order. Both go on at the same time, for as long as the client likes.
import HTTPServer
import RuleHosting

struct LinesDeed: CallerDeed {
    let host: RuleHost
    let tokens: TokenKeeper?
    let rate: TokenRate?
    let tellsTrace: Bool
    var caller = Caller.local

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        let lines = LineStream(host, exchange, DecideOptions(asked: head, tellsTrace: tellsTrace), caller, tokens, rate)
        do throws(HostProblem) {
            try tokens?.admit(lines, caller, .decide, app: nil)
        } catch {
            return .answer(Answer(error))
        }
        lines.begin(exchange.open(200, LinesDeed.fields, lines))
        return .stream(lines)
    }

    private static let fields = AnswerFields(contentType: "application/x-ndjson")
}
