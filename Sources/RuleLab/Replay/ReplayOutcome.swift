// What somebody saw of an event in the end: shown, not shown, held back, or an event that shows nothing by its nature.
public import RuleEngine

public enum ReplayOutcome: String, Sendable, CaseIterable {
    case shown
    case notShown = "not_shown"
    case held
    /// A tap, a start of the app, a switch: nothing is displayed or not.
    case nothing

    /// Of the events of one line: the last that says something about a display counts.
    public init(_ decisions: [Decision]) {
        switch decisions.last(where: { $0.display != nil })?.display?.action {
        case .show: self = .shown
        case .suppress: self = .notShown
        case .defer: self = .held
        case nil: self = .nothing
        }
    }
}

/// How many events came out how.
public struct ReplayCounts: Sendable, Equatable {
    public var shown = 0
    public var notShown = 0
    public var held = 0
    public var nothing = 0

    public init() {}

    public var events: Int { shown + notShown + held + nothing }

    public subscript(outcome: ReplayOutcome) -> Int {
        switch outcome {
        case .shown: shown
        case .notShown: notShown
        case .held: held
        case .nothing: nothing
        }
    }

    mutating func count(_ outcome: ReplayOutcome) {
        switch outcome {
        case .shown: shown += 1
        case .notShown: notShown += 1
        case .held: held += 1
        case .nothing: nothing += 1
        }
    }
}
