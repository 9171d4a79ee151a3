// GET /v1/audit and /v1/apps/{app}/audit: who changed rules or state by hand, when, and why. No value is in it.
import EffectStore
import HTTPServer
import JSONDocument
import PushMessage
import RuleHosting

struct AuditDeed: CallerDeed {
    let host: RuleHost
    let clerk: Clerk
    var caller = Caller.local

    static let query = [
        QueryParameter(name: "newest", kind: .number(1...10_000), summary: "How many entries; 50 when nothing is said")
    ]

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        let count = head.value(ofQuery: "newest").flatMap { Int($0) } ?? 50
        // Of all apps.
        guard head.path.count > 3 else {
            return .bodiless(
                ClerkTaking(clerk: clerk) { [host, caller] _ in
                    do throws(HostProblem) { return try AuditDeed.answer(host, count, of: nil, caller) } catch { return Answer(error) }
                })
        }
        return .bodiless(
            AppTaking(host: host, clerk: clerk) { [host, caller] (_, app) throws(HostProblem) in
                try AuditDeed.answer(host, count, of: app, caller)
            })
    }

    private static func answer(_ host: RuleHost, _ count: Int, of app: String?, _ caller: Caller) throws(HostProblem) -> Answer {
        // Of all apps more are looked through, because those of others are not told.
        let all = try host.audit(newest: app == nil && !caller.knowsAllApps ? 10_000 : count, of: app)
        return Answer(list: "audit", Array(all.filter { caller.knows($0.app) }.prefix(count))) { entry, writer in
            writer.member("at", entry.deed.at.text)
            writer.member("who", entry.deed.who)
            writer.member("app", entry.app)
            writer.member("action", entry.action)
            writer.member("subject", entry.subject)
            writer.member("why", entry.deed.why)
        }
    }
}
