// What can be wrong with a request before anybody decides: the way to it, its query, who asks. Each code has a page in
// docs/errors. What the server finds (HTTPServer.Refusal) and what the host finds (RuleHosting.HostProblem) look the same on the wire.
import HTTPServer
import RuleHosting

/// Codes that only the routes give.
public enum APIProblem: String, Sendable, CaseIterable {
    case routeUnknown = "route_unknown"
    case methodNotAllowed = "method_not_allowed"
    case queryUnknown = "query_unknown"
    case queryInvalid = "query_invalid"
    case hostNotLocal = "host_not_local"
    case originForeign = "origin_foreign"
    case tokenMissing = "token_missing"
    case tokenUnknown = "token_unknown"
    case tokenRole = "token_role"
    case tokenApp = "token_app"
    case tooManyRequests = "too_many_requests"
    case filePathInvalid = "file_path_invalid"
    case preconditionRequired = "precondition_required"
    case decisionsNotLogged = "decisions_not_logged"
    case decisionsMasked = "decisions_masked"

    var status: Int {
        switch self {
        case .routeUnknown: 404
        case .methodNotAllowed: 405
        case .queryUnknown, .queryInvalid, .filePathInvalid: 400
        case .decisionsNotLogged, .decisionsMasked: 409
        case .preconditionRequired: 428
        case .tooManyRequests: 429
        case .tokenMissing, .tokenUnknown: 401
        case .hostNotLocal, .originForeign, .tokenRole, .tokenApp: 403
        }
    }

    func problem(_ detail: String, _ hint: String? = nil) -> HostProblem {
        HostProblem(code: rawValue, status: status, detail: detail, hint: hint)
    }
}

extension HostProblem {
    static func tokenRole(_ role: Route.Role) -> HostProblem {
        APIProblem.tokenRole.problem("the token has not the role `\(role.rawValue)`", "ask whoever runs the host for one that has it")
    }
}

extension Answer {
    init(_ problem: HostProblem) {
        self.init(status: problem.status, .problem, problem.body)
        if problem.status == 401 { fields.add("WWW-Authenticate", "Bearer realm=\"rulehost\"") }
        if let seconds = problem.retryAfter { fields.add("Retry-After", String(seconds)) }
    }

    init(_ answer: HostAnswer) {
        self.init(status: answer.status, answer.isProblem ? .problem : .json, answer.body)
        if let seconds = answer.retryAfter { fields.add("Retry-After", String(seconds)) }
    }

    init(_ refusal: Refusal) {
        self.init(
            HostProblem(
                code: refusal.code, status: refusal.status, detail: refusal.detail.withoutStop, retryAfter: refusal.retryAfter))
    }
}

extension String {
    /// Problems are sentences without a full stop.
    fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
