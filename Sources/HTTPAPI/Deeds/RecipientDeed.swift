// GET, PUT and DELETE /v1/apps/{app}/recipients/{id}/state, settings, topics, badge: what is remembered of one person, looked at and
// repaired by hand. The host changes it between two messages, with a line in the audit that names no value.
import EffectStore
import HTTPServer
import RuleEngine
import RuleHosting
import RuleStore

struct RecipientDeed: CallerDeed, RequestTaking {
    let host: RuleHost
    let clerk: Clerk
    let part: RecipientPart
    var caller = Caller.local

    static let query = [QueryParameter(name: "why", kind: .text(most: 4_096), summary: "The reason that stands in the audit")]
    static let mostBody = 1 << 20

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        head.method == .put ? .whole(upTo: RecipientDeed.mostBody, self) : .bodiless(self)
    }

    func take(_ request: Request) {
        clerk.perform(for: request) { () throws(HostProblem) in try carryOut(request, request.head.path[2], request.head.path[4]) }
    }

    private func carryOut(_ request: Request, _ app: String, _ recipient: String) throws(HostProblem) {
        // Else a misspelt one would get state.
        try host.check(app)
        switch request.head.method {
        case .put: change(request, app, recipient, to: try part.read(request.body), action: "state_set")
        case .delete: change(request, app, recipient, to: RecipientState(), action: "state_delete")
        default: host.state(app: app, recipient: recipient) { answer(request, $0, recipient) }
        }
    }

    private func change(_ request: Request, _ app: String, _ recipient: String, to new: RecipientState, action: String) {
        let part = part
        let deed = Deed(by: caller, why: request.head.value(ofQuery: "why") ?? "")
        host.edit(
            app: app, recipient: recipient, deed, action: action, subject: "recipient \(recipient), \(part.rawValue)",
            { (state, _) throws(HostProblem) in
                let before = state.values
                part.replace(in: &state, by: new)
                do throws(StoreFault) {
                    try StateRoom.check(from: before, to: state.values, path: "the body")
                } catch {
                    throw HostProblem(code: error.code.rawValue, status: 422, detail: error.message, hint: error.hint, pointer: "")
                }
            }, { answer(request, $0, recipient) })
    }

    private func answer(_ request: Request, _ result: Result<AppState, HostProblem>, _ recipient: String) {
        switch result {
        case .success(let state):
            request.exchange.answer(Answer(status: 200, .json, part.text(of: state.recipients[recipient] ?? RecipientState())))
        case .failure(let problem): request.exchange.answer(Answer(problem))
        }
    }
}

extension Deed {
    /// What somebody does over HTTP now.
    init(by caller: Caller, why: String = "") {
        self.init(who: caller.name, at: HostClock.now(), why: why)
    }
}
