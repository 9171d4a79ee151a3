// A ruleset made ready to run: for each event the rules that name it, with their matchers parsed, and what the manifest
// says of guards and links. Made once when a ruleset is taken into use.
import JSONDocument
import LuaSandbox

final class Plan {
    let ruleset: Ruleset
    /// By `EventName.place`, in the order in which they run.
    let rules: [[PlannedRule]]
    private let planned: [PlannedRule]
    let guardModes: GuardModes
    let links: LinkPolicy
    /// Of each channel that app.lua lists, by its code, whether it is on as long as nobody has said otherwise.
    private let channels: ExactTable<Bool>
    /// How long a message is remembered, in milliseconds.
    let seenWindow: Int64
    /// How long a message without an id of its own is taken for the same, in milliseconds.
    let contentWindow: Int64

    init(_ ruleset: Ruleset) {
        self.ruleset = ruleset
        let memories = CapMemories(ruleset.rules)
        let planned = ruleset.rules.enumerated().map { PlannedRule($0.element, at: $0.offset, app: ruleset.app, memories) }
        rules = EventName.allCases.map { event in
            zip(ruleset.rules, planned).filter { $0.0.events.contains(event) }.map(\.1)
        }
        self.planned = planned
        guardModes = GuardModes(ruleset.manifest.guards)
        links = LinkPolicy(ruleset.manifest.links)
        channels = (ruleset.manifest.channels ?? []).reduce(into: [:]) { $0[$1.code] = $1.isOnByDefault }
        seenWindow = ruleset.manifest.dedupe.byID
        contentWindow = ruleset.manifest.dedupe.byContent
    }

    /// nil: app.lua does not list the channel.
    func isOnByDefault(_ code: JSONText) -> Bool? {
        // A few are found sooner by looking than by counting out where they stand.
        guard channels.count > 8 else { return ruleset.manifest.channels?.first { code == $0.code }?.isOnByDefault }
        return channels[code.string]
    }

    /// The rules of an event that is answered again later, and those for `due`, each once.
    func rulesWhenDue(_ deferred: EventName) -> [PlannedRule] {
        planned.filter { rule in
            let events = ruleset.rules[rule.place].events
            return events.contains(deferred) || events.contains(.due)
        }
    }
}

final class PlannedRule {
    enum Decide {
        case nothing
        case function(Int64)
        /// `table` holds it.
        case table
    }

    let name: String
    let file: String
    let line: Int
    /// Place in the ruleset.
    let place: Int
    let conditions: [Condition]
    let when: Int64?
    let decide: Decide
    let table: Contribution
    /// It looks at nothing that may change while a message waits.
    let alwaysSaysTheSame: Bool
    let isFinal: Bool
    let overrides: Bool
    let isEnabled: Bool
    let starts: RuleBoundary?
    let expires: RuleBoundary?
    let quiet: RuleQuiet?
    let rollout: PlannedShare?
    let holdout: PlannedShare?
    let cap: PlannedCap?

    init(_ rule: Rule, at place: Int, app: String, _ memories: CapMemories) {
        name = rule.name
        file = rule.file
        line = rule.line
        self.place = place
        conditions = rule.matchers.map(Condition.init)
        when = rule.when
        switch rule.decide {
        case nil: (decide, table) = (.nothing, Contribution())
        case .function(let function): (decide, table) = (.function(function), Contribution())
        case .table(let contribution): (decide, table) = (.table, contribution)
        }
        if case .table = decide {
            alwaysSaysTheSame = rule.when == nil && !rule.matchers.contains { $0.field == .state || $0.field == .tab }
        } else {
            alwaysSaysTheSame = false
        }
        isFinal = rule.isFinal
        overrides = rule.overrides
        isEnabled = rule.isEnabled
        starts = rule.starts
        expires = rule.expires
        quiet = rule.quiet
        rollout = rule.rollout.map { PlannedShare($0, app: app, rule: rule.name) }
        holdout = rule.holdout.map { PlannedShare($0, app: app, rule: rule.name) }
        cap = rule.cap.map { PlannedCap($0, rule: rule.name, memories) }
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
