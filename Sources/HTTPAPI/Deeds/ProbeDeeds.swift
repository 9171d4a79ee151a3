// What whoever runs the host asks all the time, and the description of all routes.
import HTTPServer
import HostTelemetry

/// The same bytes each time.
struct FixedDeed: RouteDeed {
    let answer: Answer

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .answer(answer) }

    static let alive = FixedDeed(answer: Answer(status: 200, .json, Array(#"{"status":"ok"}"#.utf8)))
}

/// GET /healthz, /readyz: answered at once, because both are asked all the time.
struct HealthDeed: RouteDeed {
    let ask: @Sendable () -> HostHealth.Answer

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        let answer = ask()
        return .answer(Answer(status: answer.status, .json, answer.body))
    }

    static func alive(_ health: HostHealth?) -> any RouteDeed { health.map { health in HealthDeed { health.alive() } } ?? FixedDeed.alive }
    static func ready(_ health: HostHealth?) -> any RouteDeed { health.map { health in HealthDeed { health.ready() } } ?? FixedDeed.alive }
}

/// GET /metrics: beside the loops, because the store is asked as well.
struct MetricsDeed: RouteDeed {
    let telemetry: HostTelemetry?
    let clerk: Clerk

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        .bodiless(
            ClerkTaking(clerk: clerk) { [telemetry] _ in Answer(status: 200, MetricsDeed.fields, telemetry?.metrics() ?? []) })
    }

    private static let fields = AnswerFields(contentType: "text/plain; version=0.0.4; charset=utf-8")
}

/// GET /openapi.json: made when it is asked for the first time.
struct DescriptionDeed: RouteDeed {
    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        .answer(Answer(status: 200, .json, DescriptionDeed.bytes))
    }

    private static let bytes = API.description()
}
