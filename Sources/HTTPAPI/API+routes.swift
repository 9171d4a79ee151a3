// All routes, in the order in which they are described. To add one: a line in here, and what it does in Deeds; requests, refusals
// and the OpenAPI document follow from the line.
import HTTPServer
import HostTelemetry
import RuleHosting

extension API {
    /// What deeds work with.
    struct Desks {
        let host: RuleHost
        let decide: [DecideDesk]
        let clerk: Clerk
        let trials: TrialDesk
        let copying: LoneThread
        let comparing: LoneThread
        let hall: EventHall
        let tokens: TokenKeeper?
        let rate: TokenRate?
        let telemetry: HostTelemetry?
        let health: HostHealth?
    }

    /// - Parameter desks: nil when the routes are only described.
    static func routes(_ desks: Desks?) -> [Route] {
        deciding(desks) + apps(desks) + working(desks) + files(desks) + recipients(desks) + operating(desks) + probes(desks)
    }

    /// Any one, where routes are only described.
    static func deed(_ desks: Desks?, _ make: (Desks) -> any RouteDeed) -> any RouteDeed { desks.map(make) ?? FixedDeed.alive }

    private static func apps(_ desks: Desks?) -> [Route] {
        [
            Route(
                method: .get, path: RoutePath("/v1/apps"), name: "apps",
                summary: "All apps, and what is known of those that were asked for",
                role: .read, answer: .json(schema: "Apps"), problems: [503], isForEachApp: true,
                deed: deed(desks) { AppsDeed(host: $0.host, clerk: $0.clerk) }),
            Route(
                method: .get, path: RoutePath("/v1/apps/{app}"), name: "app",
                summary: "Which rules of an app are in force, and what is wrong with those that are not", role: .read,
                answer: .json(schema: "App"), problems: [404], deed: deed(desks) { AppDeed(host: $0.host, telemetry: $0.telemetry) }),
            Route(
                method: .get, path: RoutePath("/v1/apps/{app}/events"), name: "events",
                summary: "What happens to an app, as server-sent events: state, reload, fault, gone, due, decision, missed, ended",
                role: .read,
                query: EventsDeed.query, fields: [EventsDeed.heard], answer: .events, problems: [404, 409, 503],
                deed: deed(desks) { desks in
                    EventsDeed(
                        host: desks.host, clerk: desks.clerk, hall: desks.hall, tokens: desks.tokens,
                        isLogged: desks.telemetry?.decisions != nil)
                }),
            Route(
                method: .get, path: RoutePath("/v1/apps/{app}/decisions"), name: "decisions",
                summary: "What was decided lately, as the log of decisions has it, the newest last", role: .read,
                query: DecisionsDeed.query, answer: .lines(schema: "LoggedDecision"), problems: [404, 409, 503],
                deed: deed(desks) { DecisionsDeed(host: $0.host, clerk: $0.clerk, log: $0.telemetry?.decisions) }),
        ]
    }

    private static func working(_ desks: Desks?) -> [Route] {
        [
            Route(
                method: .post, path: RoutePath("/v1/apps/{app}/try"), name: "tryOut",
                summary: "What files that are not saved would decide, with a trace, and whether their cases pass; nothing is kept",
                role: .edit, query: TryDeed.query,
                body: .json(schema: "TryRequest"), answer: .json(schema: "TryAnswer"), problems: [404, 422, 503],
                deed: deed(desks) { TryDeed(host: $0.host, desk: $0.trials) }),
            Route(
                method: .post, path: RoutePath("/v1/apps/{app}/diff"), name: "diff",
                summary: "What would be different by other rules, on traffic that is sent along; nothing is kept", role: .read,
                body: .json(schema: "ComparisonRequest"), answer: .json(schema: "Comparison"), problems: [404, 422, 503],
                deed: deed(desks) { DiffDeed(host: $0.host, thread: $0.comparing) }),
            Route(
                method: .get, path: RoutePath("/v1/apps/{app}/versions"), name: "versions",
                summary: "The rulesets of an app, the newest first",
                role: .read, answer: .json(schema: "Versions"), problems: [404, 503],
                deed: deed(desks) { AppListDeed.versions($0.host, $0.clerk) }),
            Route(
                method: .get, path: RoutePath("/v1/apps/{app}/versions/{hash}"), name: "version",
                summary: "The lines in which a version differs from another one", role: .read, query: AppListDeed.changeQuery,
                answer: .json(schema: "VersionChange"), problems: [404, 503], deed: deed(desks) { AppListDeed.change($0.host, $0.clerk) }),
            Route(
                method: .get, path: RoutePath("/v1/apps/{app}/versions/{hash}/files"), name: "versionFiles",
                summary: "What a version consists of, in the form that a trial takes", role: .read,
                answer: .json(schema: "VersionFiles"), problems: [404, 503],
                deed: deed(desks) { AppListDeed.versionFiles($0.host, $0.clerk) }),
            Route(
                method: .post, path: RoutePath("/v1/apps/{app}/promote"), name: "promote",
                summary: "Brings a version to a stage, for all recipients or for some", role: .operate, body: .json(schema: "Promotion"),
                answer: .json(schema: "App"), problems: [404, 409, 422, 503],
                deed: deed(desks) { StageDeed(host: $0.host, goesBack: false) }),
            Route(
                method: .post, path: RoutePath("/v1/apps/{app}/rollback"), name: "rollback",
                summary: "Goes back to the version that was on a stage before", role: .operate, body: .json(schema: "Rollback"),
                bodyIsNeeded: false,
                answer: .json(schema: "App"), problems: [404, 409, 422, 503], deed: deed(desks) { StageDeed(host: $0.host, goesBack: true) }
            ),
            Route(
                method: .get, path: RoutePath("/v1/apps/{app}/deferred"), name: "deferred", summary: "Messages that wait for their moment",
                role: .read, query: AppListDeed.deferredQuery, answer: .json(schema: "Deferred"), problems: [404, 503],
                deed: deed(desks) { AppListDeed.deferred($0.host, $0.clerk) }),
        ]
    }

    private static func files(_ desks: Desks?) -> [Route] {
        let path = RoutePath("/v1/apps/{app}/files/{path…}")
        let file = deed(desks) { FileDeed(host: $0.host, clerk: $0.clerk) }
        let seen = FieldParameter(name: "If-Match", summary: "The ETag of the file that was read, or * for whatever is there")
        return [
            Route(
                method: .get, path: RoutePath("/v1/apps/{app}/files"), name: "files",
                summary: "The files of an app: rules, modules and cases",
                role: .read, answer: .json(schema: "Files"), problems: [404, 503],
                deed: deed(desks) { AppListDeed.files($0.host, $0.clerk) }),
            Route(
                method: .get, path: path, name: "getFile", summary: "What a file holds; its ETag stands for that", role: .read,
                fields: [FieldParameter(name: "If-None-Match", summary: "What is known already")], answer: .text("text/plain"),
                successes: [200, 304], problems: [404, 409, 503], deed: file),
            Route(
                method: .put, path: path, name: "putFile", summary: "Saves a file, when it is still the one that was read", role: .edit,
                query: FileDeed.query,
                fields: [seen, FieldParameter(name: "If-None-Match", summary: "* when there is no such file yet", words: ["*"])],
                body: .text("text/plain"), answer: .json(schema: "File"), successes: [200, 201], problems: [404, 409, 412, 428, 503],
                deed: file),
            Route(
                method: .delete, path: path, name: "deleteFile", summary: "Removes a file, when it is still the one that was read",
                role: .edit, query: FileDeed.query, fields: [seen], answer: .nothing, successes: [204],
                problems: [404, 409, 412, 428, 503],
                deed: file),
        ]
    }

    private static let repeating = FieldParameter(
        name: "Idempotency-Key", summary: "Who repeats the request with the same key gets the same answer, for 24 hours", most: 255)

    private static func deciding(_ desks: Desks) -> DecideDeed {
        DecideDeed(desks: desks.decide, mostBody: desks.host.settings.mostBody, tellsTrace: desks.telemetry != nil)
    }

    private static func recipients(_ desks: Desks?) -> [Route] {
        [
            Route(
                method: .post, path: RoutePath("/v1/apps/{app}/recipients/{id}/events"), name: "personEvent",
                summary: "What happened to a person besides messages, such as a login: the decision of that event", role: .decide,
                query: DecideDeed.query, fields: [repeating], body: .json(schema: "EventRequest"), answer: .json(schema: "Decision"),
                problems: [404, 422, 503], deed: deed(desks) { PersonEventDeed(decide: deciding($0)) })
        ] + parts(desks)
    }

    private static func parts(_ desks: Desks?) -> [Route] {
        RecipientPart.allCases.flatMap { part in
            let deed = deed(desks) { RecipientDeed(host: $0.host, clerk: $0.clerk, part: part) }
            let path = RoutePath("/v1/apps/{app}/recipients/{id}/\(part.rawValue)")
            func route(_ method: Method, _ name: String, _ summary: String, _ role: Route.Role, _ body: Route.Form = .nothing) -> Route {
                Route(
                    method: method, path: path, name: name + part.rawValue.prefix(1).uppercased() + part.rawValue.dropFirst(),
                    summary: summary, role: role, query: method == .get ? [] : RecipientDeed.query, body: body,
                    answer: .json(schema: part.schema), problems: method == .put ? [404, 422, 503] : [404, 503], deed: deed)
            }
            return [
                route(.get, "get", "What is remembered of a recipient: \(part.rawValue)", .read),
                route(.put, "put", "Puts something else in its place: \(part.rawValue)", .operate, .json(schema: part.givenSchema)),
                route(.delete, "delete", "Forgets it: \(part.rawValue)", .operate),
            ]
        }
    }

    private static func deciding(_ desks: Desks?) -> [Route] {
        let decide = deed(desks, deciding)
        let lines = deed(desks) { LinesDeed(host: $0.host, tokens: $0.tokens, rate: $0.rate, tellsTrace: $0.telemetry != nil) }
        return [
            Route(
                method: .post, path: RoutePath("/v1/apps/{app}/decide"), name: "decide",
                summary: "What a message does on a phone: a decision, or the journey of the message", role: .decide,
                query: DecideDeed.query,
                fields: [repeating],
                body: .json(schema: "DecideRequest"), answer: .json(schema: "Answer"), problems: [404, 422, 503], deed: decide),
            Route(
                method: .post, path: RoutePath("/v1/decide"), name: "decideLines",
                summary: "A stream of requests, one a line, answered one a line and in order while it still comes", role: .decide,
                query: DecideDeed.query, body: .lines(schema: "DecideLine"), answer: .lines(schema: "AnswerLine"), isForEachApp: true,
                deed: lines),
        ]
    }

    private static func probes(_ desks: Desks?) -> [Route] {
        [
            Route(
                method: .get, path: RoutePath("/healthz"), name: "health",
                summary: "Whether the host lives: who does not is to be started anew", role: .anybody, answer: .json(schema: "Status"),
                tells503: true, deed: deed(desks) { HealthDeed.alive($0.health) }),
            Route(
                method: .get, path: RoutePath("/readyz"), name: "ready", summary: "Whether requests are welcome", role: .anybody,
                answer: .json(schema: "Status"), tells503: true, deed: deed(desks) { HealthDeed.ready($0.health) }),
            Route(
                method: .get, path: RoutePath("/metrics"), name: "metrics", summary: "What the host has done and how it is, for Prometheus",
                role: .metrics, answer: .text(Exposition.contentType),
                deed: deed(desks) { MetricsDeed(telemetry: $0.telemetry, clerk: $0.clerk) }),
            Route(
                method: .get, path: RoutePath("/openapi.json"), name: "description", summary: "This description", role: .anybody,
                answer: .json(schema: "Description"), deed: DescriptionDeed()),
        ]
    }
}
