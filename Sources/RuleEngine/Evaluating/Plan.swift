// A ruleset made ready to run: for each event the rules that name it, with their matchers parsed, and what the manifest
// says of guards and links. Made once when a ruleset is taken into use.
import LuaSandbox

struct PlannedRule {
    /// Place in the ruleset.
    let place: Int
    let conditions: [Condition]
    let when: Int64?
    let decide: Decide?
    let isFinal: Bool
    let overrides: Bool
    let isEnabled: Bool

    init(_ rule: Rule, at place: Int) {
        self.place = place
        self.conditions = rule.matchers.map(Condition.init)
        self.when = rule.when
        self.decide = rule.decide
        self.isFinal = rule.isFinal
        self.overrides = rule.overrides
        self.isEnabled = rule.isEnabled
    }
}

final class Plan {
    let ruleset: Ruleset
    /// By `EventName.place`, in the order in which they run.
    let rules: [[PlannedRule]]
    let guardModes: GuardModes
    let links: LinkPolicy
    /// How long a message without an id of its own is taken for the same, in milliseconds.
    let contentWindow: Int64

    init(_ ruleset: Ruleset) {
        self.ruleset = ruleset
        var rules = [[PlannedRule]](repeating: [], count: EventName.allCases.count)
        for (place, rule) in ruleset.rules.enumerated() {
            let planned = PlannedRule(rule, at: place)
            for event in EventName.allCases where rule.events.contains(event) { rules[event.place].append(planned) }
        }
        self.rules = rules
        self.guardModes = GuardModes(ruleset.manifest.guards)
        self.links = LinkPolicy(ruleset.manifest.links)
        self.contentWindow = ruleset.manifest.dedupe.contentWindowMilliseconds ?? 5_000
    }
}

/// Guards that the manifest turns off or down, one bit each.
struct GuardModes {
    private var off: UInt16 = 0
    private var warning: UInt16 = 0

    init(_ modes: [GuardName: Manifest.GuardMode]) {
        for (name, mode) in modes {
            switch mode {
            case .on: break
            case .off: off |= GuardModes.bit(name)
            case .warn: warning |= GuardModes.bit(name)
            }
        }
    }

    subscript(name: GuardName) -> Manifest.GuardMode {
        let bit = GuardModes.bit(name)
        return off & bit != 0 ? .off : warning & bit != 0 ? .warn : .on
    }

    private static func bit(_ name: GuardName) -> UInt16 {
        switch name {
        case .duplicate: 1
        case .expired: 2
        case .permission: 4
        case .appSwitch: 8
        case .channelSwitch: 16
        case .empty: 32
        case .account: 64
        case .notSubscribed: 128
        case .link: 256
        case .osOptions: 512
        case .attachment: 1024
        }
    }
}
