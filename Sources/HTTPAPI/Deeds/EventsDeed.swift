// GET /v1/apps/{app}/events: what happens to an app, told to whoever listens, for as long as he does. Here is who may listen; the rest
// is EventHall's.
import HTTPServer
import RuleHosting

struct EventsDeed: CallerDeed, RequestTaking {
    let host: RuleHost
    let clerk: Clerk
    let hall: EventHall
    let tokens: TokenKeeper?
    /// Decisions are told as the log gets them, masked as they are there.
    let isLogged: Bool
    var caller = Caller.local

    static let query = [QueryParameter(name: "decisions", kind: .flag, summary: "Tell of decisions too, as far as they are logged")]

    static let heard = FieldParameter(
        name: "Last-Event-ID",
        summary: "The id of the last event that was heard: those since then come first, or word that some are missed")

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .bodiless(self) }

    func take(_ request: Request) {
        clerk.perform(for: request) { () throws(HostProblem) in
            let app = request.head.path[2]
            try host.check(app)
            let wantsDecisions = request.head.has("decisions")
            guard isLogged || !wantsDecisions else { throw DecisionsDeed.notLogged }
            // Who asks for the head alone does not listen.
            if request.head.method == .head { return request.exchange.open(200, EventHall.fields, Nobody()).end() }
            let listener = EventListener(hall, tokens, app: app, wantsDecisions: wantsDecisions)
            try tokens?.admit(listener, caller, .read, app: app)
            hall.enter(listener, request.exchange, after: request.head.value(of: "last-event-id"))
            host.info(of: app) { [hall] info in hall.begin(listener, info) }
        }
    }
}

/// Hears nothing of an answer that is over when it begins: one without a length, as the one to GET.
private final class Nobody: ExchangeStream {
    func gone() {}
}
