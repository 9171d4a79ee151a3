// Routes for people who work with a host from elsewhere: who changed what, the state of a whole app, one key of it, a copy of the store.
// What the verbs `audit`, `state` and `backup` ask with --host.
import HTTPServer
import RuleHosting

extension API {
    /// - Parameter desks: nil when the routes are only described.
    static func operating(_ desks: Desks?) -> [Route] { audits(desks) + states(desks) + values(desks) + copies(desks) }

    private static func copies(_ desks: Desks?) -> [Route] {
        [
            Route(
                method: .get, path: RoutePath("/v1/backup"), name: "backup",
                summary: "A copy of the store as it is at one moment, looked through", role: .operate,
                answer: .bytes("application/vnd.sqlite3"), problems: [404, 503],
                deed: deed(desks) { BackupDeed(host: $0.host, thread: $0.copying) })
        ]
    }

    private static func audits(_ desks: Desks?) -> [Route] {
        [
            Route(
                method: .get, path: RoutePath("/v1/audit"), name: "audit",
                summary: "Who changed what by hand, in all apps, the newest first",
                role: .read, query: AuditDeed.query, answer: .json(schema: "Audit"), problems: [503], isForEachApp: true,
                deed: deed(desks) { AuditDeed(host: $0.host, clerk: $0.clerk) }),
            Route(
                method: .get, path: RoutePath("/v1/apps/{app}/audit"), name: "auditOfApp",
                summary: "Who changed what of an app by hand, the newest first", role: .read, query: AuditDeed.query,
                answer: .json(schema: "Audit"), problems: [404, 503], deed: deed(desks) { AuditDeed(host: $0.host, clerk: $0.clerk) }),
        ]
    }

    /// Everybody's.
    private static func states(_ desks: Desks?) -> [Route] {
        func change(_ kind: StateDeed.Kind) -> any RouteDeed { deed(desks) { StateDeed(host: $0.host, clerk: $0.clerk, kind: kind) } }
        return [
            Route(
                method: .get, path: RoutePath("/v1/apps/{app}/export"), name: "exportState",
                summary: "Everything that is remembered of an app, as a state file", role: .operate, query: ExportDeed.query,
                answer: .json(schema: "StateFile"),
                problems: [404, 503], deed: deed(desks) { ExportDeed(host: $0.host, clerk: $0.clerk) }),
            Route(
                method: .post, path: RoutePath("/v1/apps/{app}/import"), name: "importState",
                summary: "Puts the recipients of a state file in the place of those that are there", role: .operate,
                query: StateDeed.query, body: .json(schema: "StateFile"), answer: .json(schema: "StateChanges"), problems: [404, 422, 503],
                deed: change(.import)),
            Route(
                method: .post, path: RoutePath("/v1/apps/{app}/reset"), name: "resetState",
                summary: "Forgets everything of an app, or of the recipient that the body names, whatever he is called",
                role: .operate, query: StateDeed.query, body: .json(schema: "Reset"), bodyIsNeeded: false,
                answer: .json(schema: "StateChanges"), problems: [404, 503], deed: change(.reset)),
            Route(
                method: .get, path: RoutePath("/v1/apps/{app}/recipients/{id}"), name: "getRecipient",
                summary: "Everything that is remembered of a recipient, as in a state file", role: .read,
                answer: .json(schema: "StateFile"),
                problems: [404, 503], deed: deed(desks) { ExportDeed(host: $0.host, clerk: $0.clerk) }),
            Route(
                method: .delete, path: RoutePath("/v1/apps/{app}/recipients/{id}"), name: "forgetRecipient",
                summary: "Forgets everything of a recipient, kept answers too", role: .operate, query: StateDeed.query,
                answer: .json(schema: "StateChanges"), problems: [404, 503], deed: change(.reset)),
        ]
    }

    /// What an app shares, and single keys.
    private static func values(_ desks: Desks?) -> [Route] {
        func change(_ kind: StateDeed.Kind) -> any RouteDeed { deed(desks) { StateDeed(host: $0.host, clerk: $0.clerk, kind: kind) } }
        let shared = Route(
            method: .get, path: RoutePath("/v1/apps/{app}/state"), name: "getSharedState",
            summary: "What an app shares among its recipients",
            role: .read, answer: .json(schema: "State"), problems: [404, 503],
            deed: deed(desks) { SharedDeed(host: $0.host, clerk: $0.clerk) })
        let keys = [("/v1/apps/{app}/state/{key}", "Shared"), ("/v1/apps/{app}/recipients/{id}/state/{key}", "Recipient")]
        return [shared]
            + keys.flatMap { path, whose in
                [
                    Route(
                        method: .put, path: RoutePath(path), name: "put\(whose)Key",
                        summary: "Puts a value in the place of one that is stored",
                        role: .operate, query: StateDeed.query, body: .json(schema: "Value"), answer: .json(schema: "StateChanges"),
                        problems: [404, 422, 503], deed: change(.set)),
                    Route(
                        method: .delete, path: RoutePath(path), name: "delete\(whose)Key", summary: "Takes a stored value away",
                        role: .operate, query: StateDeed.query, answer: .json(schema: "StateChanges"), problems: [404, 422, 503],
                        deed: change(.delete)),
                ]
            }
    }
}
