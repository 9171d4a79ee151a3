// Finds the route of a request, or says why there is none. The list itself is in API+routes.swift.
import HTTPServer
import RuleHosting

struct RouteTable: Sendable {
    enum Outcome {
        case route(Route)
        case answer(Answer)
    }

    let routes: [Route]

    /// Which of them a request is for; nil: none.
    func place(of head: RequestHead) -> Int? {
        let method = head.method == .head ? .get : head.method
        return routes.firstIndex { $0.method == method && $0.path.matches(head.path) }
    }

    func find(_ head: RequestHead) -> Outcome {
        // HEAD is GET whose body nobody wants.
        let method = head.method == .head ? .get : head.method
        for route in routes where route.method == method && route.path.matches(head.path) {
            if let problem = QueryParameter.problem(of: head.query, among: route.query) { return .answer(Answer(problem)) }
            return .route(route)
        }
        let there = routes.filter { $0.path.matches(head.path) }
        guard !there.isEmpty else {
            return .answer(
                Answer(APIProblem.routeUnknown.problem("there is nothing by this path", "GET /openapi.json lists what there is")))
        }
        let allowed = Method.allCases.filter { method in
            method == .options || there.contains { $0.method == method || ($0.method == .get && method == .head) }
        }
        let words = allowed.map(\.rawValue).joined(separator: ", ")
        if head.method == .options { return .answer(Answer(status: 204, AnswerFields().adding("Allow", words))) }
        var answer = Answer(APIProblem.methodNotAllowed.problem("this path does not know \(head.method.rawValue)", "it knows \(words)"))
        answer.fields.add("Allow", words)
        return .answer(answer)
    }
}
