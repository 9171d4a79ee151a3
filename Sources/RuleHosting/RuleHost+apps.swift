// Which apps can be asked about. Whoever only looks needs no rules for that: an app whose folder is gone is still there as long as
// versions of it are kept, so that what it remembers can be looked at, and forgotten.
import RuleStore

extension RuleHost {
    /// Returns when there is such an app: the folder has it, or versions of it are kept. Asks the system and the store, so not for a
    /// thread that must not wait.
    public func check(_ app: String) throws(HostProblem) {
        if rules.hasFolder(of: app) { return }
        guard RulesFolder.isAppName(app), try !versions(of: app).isEmpty else { throw .unknownApp(app) }
    }
}
