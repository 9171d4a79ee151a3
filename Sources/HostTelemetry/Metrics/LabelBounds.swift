// Keeps the names in labels few: names of rules are what authors write, and each new one would be a row in somebody's database for
// ever. Asked only when a combination is seen for the first time.
import EffectStore

final class LabelBounds: Sendable {
    static let other = "other"
    /// Of one app.
    let mostRules: Int
    let mostApps: Int
    private let known = Monitor<[String: Set<String>]>([:])

    init(mostRules: Int = 100, mostApps: Int = 1_000) {
        self.mostRules = mostRules
        self.mostApps = mostApps
    }

    /// The names to count under.
    func admit(app: String, rule: String) -> (app: String, rule: String) {
        known.withLock { known in
            guard known[app] != nil || known.count < mostApps else { return (LabelBounds.other, LabelBounds.other) }
            guard !rule.isEmpty else {
                known[app] = known[app] ?? []
                return (app, rule)
            }
            let rules = known[app] ?? []
            guard rules.contains(rule) || rules.count < mostRules else {
                return (app, LabelBounds.other)
            }
            known[app, default: []].insert(rule)
            return (app, rule)
        }
    }
}
