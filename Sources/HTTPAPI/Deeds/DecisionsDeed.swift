// GET /v1/apps/{app}/decisions: what was decided for an app lately, as the log has it: masked as the log is masked, and of this app
// alone, whatever else the log holds. For whoever wants to know why somebody saw what he saw.
import HTTPServer
import HostTelemetry
import RuleEngine
import RuleHosting

struct DecisionsDeed: RouteDeed {
    let host: RuleHost
    let clerk: Clerk
    let log: DecisionLog?

    static let query = [
        QueryParameter(name: "limit", kind: .number(1...1_000), summary: "How many, the newest ones; 100 when nothing is said"),
        QueryParameter(
            name: "action", kind: .oneOf(["show", "suppress", "defer", "none"]),
            summary: "What became of the display; none where nothing did"),
        QueryParameter(name: "event", kind: .oneOf(EventName.allCases.map(\.rawValue)), summary: "At which event"),
        QueryParameter(name: "rule", kind: .text(most: 1_024), summary: "Which rule or guard:NAME decided the display"),
        QueryParameter(name: "recipient", kind: .text(most: 1_024), summary: "For whom, as the log names him"),
        QueryParameter(name: "message_id", kind: .text(most: 1_024), summary: "On which message"),
    ]

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        .bodiless(
            AppTaking(host: host, clerk: clerk) { [log] (request, app) throws(HostProblem) in
                guard let log else { throw DecisionsDeed.notLogged }
                var wish = LoggedDecisions.Wish(app: app)
                let head = request.head
                wish.count = head.value(ofQuery: "limit").flatMap { Int($0) } ?? wish.count
                wish.action = head.value(ofQuery: "action")
                wish.event = head.value(ofQuery: "event")
                wish.rule = head.value(ofQuery: "rule")
                wish.recipient = head.value(ofQuery: "recipient")
                if let recipient = wish.recipient, log.masksRecipients, !Masking.isMasked(recipient) {
                    throw DecisionsDeed.masked
                }
                wish.messageID = head.value(ofQuery: "message_id")
                do throws(TelemetryFault) {
                    return Answer(status: 200, DecisionsDeed.fields, try log.find(wish))
                } catch {
                    throw HostProblem(code: error.code, status: 503, detail: error.message, hint: error.hint, retryAfter: 5)
                }
            })
    }

    private static let fields = AnswerFields(contentType: "application/x-ndjson").adding("Cache-Control", "no-store")

    private static let masked = APIProblem.decisionsMasked.problem(
        "recipients are masked in the log of decisions, so that none is found by name",
        "ask for recipient=masked-… as a line of the log has it, or look by message_id")

    static let notLogged = APIProblem.decisionsNotLogged.problem(
        "this host keeps no log of decisions", "start it with --log-decisions FILE")
}
