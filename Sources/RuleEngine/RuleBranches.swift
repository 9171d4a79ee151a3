// Which way a rule can go at each of the things that it declares, and which way it went: for whoever counts what cases have
// tried. Told by the trace; decides nothing.

/// One way at one thing.
public enum RuleBranch: UInt8, Sendable, CaseIterable {
    case notStarted, started, expired, notExpired
    case conditionsFail, conditionsHold
    case outsideRollout, insideRollout, insideHoldout, outsideHoldout
    case whenNo, whenYes
    case insideQuiet, outsideQuiet
    case capFull, capFree
    /// What `decide` says counts: it was neither quiet nor full.
    case decided
    /// What `decide` says about the display.
    case shows, suppresses, defers, leavesDisplay

    /// Where the two ways part: the key of the rule, or what its matchers are called.
    public var place: String {
        switch self {
        case .notStarted, .started: "starts"
        case .expired, .notExpired: "expires"
        case .conditionsFail, .conditionsHold: "conditions"
        case .outsideRollout, .insideRollout: "rollout"
        case .insideHoldout, .outsideHoldout: "holdout"
        case .whenNo, .whenYes: "when"
        case .insideQuiet, .outsideQuiet: "quiet"
        case .capFull, .capFree: "cap"
        case .decided, .shows, .suppresses, .defers, .leavesDisplay: "decide"
        }
    }

    /// The way itself, for people: "quiet: inside".
    public var words: String {
        switch self {
        case .notStarted: "before"
        case .started: "from then on"
        case .expired: "from then on"
        case .notExpired: "before"
        case .conditionsFail: "do not hold"
        case .conditionsHold: "hold"
        case .outsideRollout, .outsideHoldout: "outside"
        case .insideRollout, .insideHoldout: "inside"
        case .whenNo: "no"
        case .whenYes: "yes"
        case .insideQuiet: "inside"
        case .outsideQuiet: "outside"
        case .capFull: "full"
        case .capFree: "room"
        case .decided: "asked"
        case .shows: "show"
        case .suppresses: "suppress"
        case .defers: "defer"
        case .leavesDisplay: "no wish"
        }
    }
}

/// The ways that a rule went in one evaluation.
public struct RuleBranches: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public init(_ branch: RuleBranch) { rawValue = 1 << UInt32(branch.rawValue) }

    public func contains(_ branch: RuleBranch) -> Bool { contains(RuleBranches(branch)) }
    mutating func insert(_ branch: RuleBranch) { insert(RuleBranches(branch)) }
    mutating func insert(_ yes: RuleBranch, if condition: Bool, else no: RuleBranch) { insert(condition ? yes : no) }

    /// All that there are.
    static let all = RuleBranches(rawValue: (1 << UInt32(RuleBranch.allCases.count)) - 1)
}

extension Rule {
    /// The ways that there are at each thing it declares, in the order in which it looks at them. What a function decides
    /// about the display is not known before it has done so; the lines of the function say whether all of it ran.
    public var branches: [[RuleBranch]] {
        var groups: [[RuleBranch]] = []
        if starts != nil { groups.append([.notStarted, .started]) }
        if expires != nil { groups.append([.notExpired, .expired]) }
        if !matchers.isEmpty { groups.append([.conditionsHold, .conditionsFail]) }
        if rollout != nil { groups.append([.insideRollout, .outsideRollout]) }
        if holdout != nil { groups.append([.insideHoldout, .outsideHoldout]) }
        if when != nil { groups.append([.whenYes, .whenNo]) }
        let hasLimits = events.contains(where: \.hasQuietHours)
        if quiet != nil, hasLimits { groups.append([.insideQuiet, .outsideQuiet]) }
        if cap != nil, hasLimits { groups.append([.capFree, .capFull]) }
        if decide != nil { groups.append([.decided]) }
        return groups
    }
}
