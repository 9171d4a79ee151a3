// What whoever runs the host asks all the time, and the description of all routes.
import HTTPServer

/// GET /healthz, /readyz: the same bytes each time.
struct FixedDeed: RouteDeed {
    let answer: Answer

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .answer(answer) }

    static let alive = FixedDeed(answer: Answer(status: 200, .json, Array(#"{"status":"ok"}"#.utf8)))
}

/// GET /openapi.json: made when it is asked for the first time.
struct DescriptionDeed: RouteDeed {
    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        .answer(Answer(status: 200, .json, DescriptionDeed.bytes))
    }

    private static let bytes = API.description()
}
