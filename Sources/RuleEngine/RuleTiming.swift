// When a rule counts: from and until when at all, and at which hours of the day it keeps quiet. Read at load by
// TimingReader; wall times get their zone when a message is there, because it may be the zone of the person's phone.
public import CivilTime
public import PushMessage

/// `starts` or `expires`.
public enum RuleBoundary: Sendable, Equatable {
    case instant(Instant)
    /// In the zone that the rule names; nil: in the person's.
    case wall(CivilTime, in: Zone?)

    package func instant(for person: Zone) -> Instant {
        switch self {
        case .instant(let instant): instant
        case .wall(let civil, let zone): (zone ?? person).instant(of: civil)
        }
    }
}

/// `quiet`.
public struct RuleQuiet: Sendable, Equatable {
    /// What happens to a message within the hours, in place of what the rule decides otherwise.
    public enum Otherwise: String, Sendable, CaseIterable { case suppress, `defer`, list }

    public let hours: QuietHours
    /// The zone that the rule names; nil: the person's.
    public let zone: Zone?
    public let otherwise: Otherwise
}
