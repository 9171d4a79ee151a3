// Rules that are wanted by a shard, and what came of it.

struct LoadOrder: Sendable {
    enum Outcome: Sendable {
        case ready(RulesInForce)
        /// - isThere: the app has a folder, or had one.
        case failed(HostProblem, isThere: Bool)
    }

    let app: String
    /// Those of an older version; nil: those in force.
    var version: String?
    /// Called once, on the library's thread.
    let done: @Sendable (Outcome) -> Void
}

/// By what an app is decided: for all recipients, or for all but some.
struct RulesInForce: Sendable {
    let main: RulesInUse
    var canary: RulesInUse?
    /// Of a hundred recipients.
    var percent = 0
}
