// The tokens in force, which may be others from one request to the next, and the streams that were opened with them. Made by `rulehost serve
// --tokens`, which puts new ones in at SIGHUP; asked by the API. It must not call a stream with its lock held.
import HTTPServer
import RuleHosting

public final class TokenKeeper: Sendable {
    private struct State {
        var table: TokenTable
        var streams: [ObjectIdentifier: Admission] = [:]
    }

    /// A stream that is open, and what its token opened it by.
    private struct Admission {
        weak var stream: (any TokenStream)?
        let caller: Caller
        let role: Route.Role
        let app: String?
    }

    private let state: Guarded<State>

    public init(_ table: TokenTable) { state = Guarded(State(table: table)) }

    /// Requests that are under way are answered by what they were let in with; streams that their tokens open no more end.
    public func replace(with new: TokenTable) {
        let streams = state.withLock { state in
            state.table = new
            return state.streams.values.compactMap { admission in admission.stream.map { ($0, admission) } }
        }
        for (stream, admission) in streams {
            do throws(HostProblem) {
                stream.goOn(as: try TokenKeeper.check(new.caller(like: admission.caller), admission.role, admission.app))
            } catch {
                stream.turnOut(error)
            }
        }
    }

    /// Who asks for a route.
    func caller(of head: RequestHead, for route: Route) throws(HostProblem) -> Caller {
        if route.role == .anybody { return .local }
        let fields = head.values(of: "authorization")
        // Whoever stands between may have looked at the other one.
        guard fields.count == 1 else {
            throw fields.isEmpty
                ? APIProblem.tokenMissing.problem("this host is asked with a token", "write Authorization: Bearer TOKEN")
                : APIProblem.tokenUnknown.problem("the request has \(fields.count) fields Authorization", "send one")
        }
        let words = fields[0]
        let parts = words.split(separator: " ", maxSplits: 1)
        let isBearer = parts.count == 2 && parts[0].lowercased() == "bearer"
        let known = isBearer ? state.withLock({ $0.table }).caller(of: String(parts[1])) : nil
        let app = route.path.names.first == "app" ? head.path[2] : nil
        let caller = try TokenKeeper.check(known, route.role, app)
        guard app != nil || route.isForEachApp || caller.knowsAllApps else { throw TokenKeeper.notForIt }
        return caller
    }

    private static func check(_ caller: Caller?, _ role: Route.Role, _ app: String?) throws(HostProblem) -> Caller {
        guard let caller else {
            throw APIProblem.tokenUnknown.problem("this host does not know the token", "ask whoever runs it for another one")
        }
        guard caller.may(role) else { throw .tokenRole(role) }
        guard app.map(caller.knows) != false else { throw notForIt }
        return caller
    }

    private static let notForIt = APIProblem.tokenApp.problem("the token is not for this app")

    // MARK: streams

    /// From now on a stream hears of other tokens, until it leaves.
    ///
    /// - Parameter app: that it is about; nil: it looks itself which ones its caller knows.
    /// - Throws: when the token, good a moment ago, opens it no more.
    func admit(_ stream: any TokenStream, _ caller: Caller, _ role: Route.Role, app: String?) throws(HostProblem) {
        var caller = caller
        while true {
            let known = state.withLock { state in
                let known = state.table.caller(like: caller)
                // Only with what is in force: what comes into force later is told afterwards.
                if known === caller {
                    state.streams[ObjectIdentifier(stream)] = Admission(stream: stream, caller: caller, role: role, app: app)
                }
                return known
            }
            if known === caller { return }
            caller = try TokenKeeper.check(known, role, app)
            stream.goOn(as: caller)
        }
    }

    /// Whoever has been admitted leaves before he is gone.
    func leave(_ stream: any TokenStream) { state.withLock { $0.streams[ObjectIdentifier(stream)] = nil } }
}

/// What goes on for long after its token was looked at. Called on any thread.
protocol TokenStream: AnyObject, Sendable {
    /// Its token is good; it may be allowed more or less than before.
    func goOn(as caller: Caller)

    /// Its token opens it no more: it says why, and ends.
    func turnOut(_ problem: HostProblem)
}
