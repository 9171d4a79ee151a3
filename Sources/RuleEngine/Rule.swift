// One rule as its author wrote it, checked and typed. Values that only Lua can compute are references into the
// machine that loaded the same files.

public struct Rule: Sendable {
    public let name: String
    /// Relative to the app's folder.
    public let file: String
    /// Line of the `rule "…"` call, from 1.
    public let line: Int
    public let events: Set<EventName>
    public let matchers: [Matcher]
    public let priority: Double
    public let isFinal: Bool
    public let overrides: Bool
    public let isEnabled: Bool
    public let note: String?
    /// The rule matches from then on.
    public let starts: RuleBoundary?
    /// The rule matches before that, no longer at it.
    public let expires: RuleBoundary?
    public let quiet: RuleQuiet?
    /// The rule is for this part of all recipients.
    public let rollout: RuleShare?
    /// The rule is for all but this part.
    public let holdout: RuleShare?
    public let cap: RuleCap?
    /// Everything that a rule can say, in the order of the reference; then what its `decide` can, and what app.lua can.
    public static let keys = RuleReader.keys + ContributionFields.named.map { "\($0.name)" } + ManifestReader.keys
    /// `when`, a function of the machine.
    package let when: Int64?
    package let decide: Decide?
}

/// What a rule does when it matches.
package enum Decide: Sendable {
    /// A function of the machine.
    case function(Int64)
    /// A plain table, read once at load.
    case table(Contribution)
}

/// A condition on one field; the values are alternatives.
public struct Matcher: Sendable, Equatable {
    public enum Field: String, Sendable, CaseIterable {
        case channel, topic, category, state, os, locale, tab, urgency, silent
        case minOS = "min_os"
        case appVersion = "app_version"
    }
    public let field: Field
    public let values: [String]
}
