// Who asks, and what he may: made from a token, or, on a host without tokens, everybody. Goes with a request from the check to the deed.

final class Caller: Sendable {
    /// Stands in the audit, and beside keys of requests; never the token.
    let name: String
    /// SHA-256 of the token: it is the same one as long as this is. Empty where there are none.
    let digest: [UInt8]
    private let roles: Set<Route.Role>
    /// nil: all.
    private let apps: Set<String>?

    init(name: String, digest: [UInt8], roles: Set<Route.Role>, apps: Set<String>?) {
        self.name = name
        self.digest = digest
        self.roles = roles
        self.apps = apps
    }

    /// A program of this machine, where nobody has to say who he is.
    static let local = Caller(name: "http", digest: [], roles: Set(Route.Role.allCases), apps: nil)

    /// Two tokens may use the same key for a request.
    var tokenName: String { self === Caller.local ? "" : name }

    /// Who may look at all apps sees their numbers anyway.
    func may(_ role: Route.Role) -> Bool {
        role == .anybody || roles.contains(role) || role == .metrics && knowsAllApps && roles.contains(.read)
    }

    func knows(_ app: String) -> Bool { apps?.contains(app) ?? true }

    var knowsAllApps: Bool { apps == nil }
}
