// The tokens in force, which may be others from one request to the next. Made by `rulehost serve --tokens`, which puts new ones in at
// SIGHUP; asked by the API.
import HTTPServer
import RuleHosting

public final class TokenKeeper: Sendable {
    private let table: Guarded<TokenTable>

    public init(_ table: TokenTable) { self.table = Guarded(table) }

    /// Requests that are under way go on with what they were let in with.
    public func replace(with new: TokenTable) { table.withLock { $0 = new } }

    /// Who asks for a route.
    func caller(of head: RequestHead, for route: Route) throws(HostProblem) -> Caller {
        if route.role == .anybody { return .local }
        guard let words = head.value(of: "authorization") else {
            throw APIProblem.tokenMissing.problem("this host is asked with a token", "write Authorization: Bearer TOKEN")
        }
        let parts = words.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", let caller = table.withLock({ $0 }).caller(of: String(parts[1])) else {
            throw APIProblem.tokenUnknown.problem("this host does not know the token", "ask whoever runs it for another one")
        }
        guard caller.may(route.role) else {
            throw APIProblem.tokenRole.problem("the token has not the role `\(route.role.rawValue)`")
        }
        let isKnown = route.path.names.first == "app" ? caller.knows(head.path[2]) : route.isForEachApp || caller.knowsAllApps
        guard isKnown else { throw APIProblem.tokenApp.problem("the token is not for this app") }
        return caller
    }
}
