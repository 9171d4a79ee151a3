// What the cases of an app have tried of its rules, and what they have not: by line, by rule, by the ways that a rule can go,
// and by guard. Read from a witness when all cases have run; reports are made from it.
import LuaSandbox
public import RuleEngine

/// So many of so many.
public struct CoveredCount: Sendable, Equatable {
    public var covered = 0
    public var all = 0

    public init(_ covered: Int = 0, of all: Int = 0) {
        self.covered = covered
        self.all = all
    }

    public static func + (a: CoveredCount, b: CoveredCount) -> CoveredCount { CoveredCount(a.covered + b.covered, of: a.all + b.all) }

    /// Whether it is less than this many percent, to the last line; nothing of nothing is enough.
    public func isBelow(percent: Int) -> Bool { covered * 100 < percent * all }
}

public struct LineCoverage: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// Nothing that could run stands on it.
        case nothing
        /// It has run when the file was loaded, and that is all that it is for.
        case load
        /// A line of a function, or the line on which a rule begins: how often the one ran, or the other matched.
        case counted(Int)
    }
    /// From 1.
    public let number: Int
    public let text: String
    public let kind: Kind

    public var hits: Int? { if case .counted(let hits) = kind { hits } else { nil } }
}

public struct FileCoverage: Sendable, Equatable {
    /// As in the app's folder: "banner.lua", "lib/room.lua", "_shared/lib/text.lua".
    public let path: String
    public let lines: [LineCoverage]
    public let rules: [RuleCoverage]

    public var isShared: Bool { path.hasPrefix("_shared/") }

    public var lineCount: CoveredCount {
        let counted = lines.compactMap(\.hits)
        return CoveredCount(counted.count { $0 > 0 }, of: counted.count)
    }
    public var branchCount: CoveredCount { rules.map(\.branchCount).reduce(CoveredCount(), +) }
}

public struct RuleCoverage: Sendable, Equatable {
    public enum Standing: Sendable, Equatable {
        /// At least once.
        case matched
        case neverMatched
        /// No case caused an event that it is for, or a rule before it was final.
        case neverAsked
        /// `enabled = false`: it counts nowhere.
        case disabled
    }

    /// One of the ways at something that a rule declares.
    public struct Way: Sendable, Equatable {
        public let branch: RuleBranch
        /// How often it was taken.
        public let taken: Int
    }

    public let name: String
    public let line: Int
    public let standing: Standing
    public let asked: Int
    public let matched: Int
    public let failed: Int
    /// For each thing that it declares, the ways that there are.
    public let branches: [[Way]]
    /// What `decide` said about the display, of what it did say.
    public let outcomes: [Way]

    public var branchCount: CoveredCount {
        let ways = branches.joined()
        return CoveredCount(ways.count { $0.taken > 0 }, of: ways.count)
    }
}

public struct GuardCoverage: Sendable, Equatable {
    public let name: GuardName
    /// In how many decisions it did something.
    public let acted: Int
    /// app.lua turns it off.
    public let isOff: Bool
}

public struct AppCoverage: Sendable, Equatable {
    public let app: String
    /// Those with something to count, by name; those of the shared folder, which count for no app, last.
    public let files: [FileCoverage]
    /// In the order of GuardName.
    public let guards: [GuardCoverage]
    /// How many decisions the cases have caused.
    public let decisions: Int

    public var own: [FileCoverage] { files.filter { !$0.isShared } }
    public var rules: [(file: String, rule: RuleCoverage)] { files.flatMap { file in file.rules.map { (file.path, $0) } } }
    public var lineCount: CoveredCount { own.map(\.lineCount).reduce(CoveredCount(), +) }
    public var branchCount: CoveredCount { own.map(\.branchCount).reduce(CoveredCount(), +) }
    public var ruleCount: CoveredCount {
        let counted = rules.filter { $0.rule.standing != .disabled }
        return CoveredCount(counted.count { $0.rule.standing == .matched }, of: counted.count)
    }
    /// Lines and ways together.
    public var total: CoveredCount { lineCount + branchCount }
}
