// An app that is to be taken into use, and what came of it.

struct LoadOrder: Sendable {
    enum Outcome: Sendable {
        case ready(RulesInUse)
        /// - isThere: the app has a folder, or had one.
        case failed(HostProblem, isThere: Bool)
    }

    let app: String
    /// Called once, on the loader's thread.
    let done: @Sendable (Outcome) -> Void
}
