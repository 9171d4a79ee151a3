// How much of a rule's audience it is for, and how often one person may be shown what it is about: `rollout`, `holdout`
// and `cap`, as authors write them. Read at load by LimitReader.
public import CivilTime
import PushMessage

/// A part of all recipients, the same ones for as long as the salt is the same.
public struct RuleShare: Sendable, Equatable {
    /// 0…100
    public let percent: Int
    /// nil: the rule's name.
    public let salt: String?
}

/// `cap`
public struct RuleCap: Sendable, Equatable {
    public enum Window: Sendable, Equatable {
        /// The time before now, in milliseconds; and in words for people: "in the last hour".
        case rolling(Int64, words: String)
        /// The minute, hour, day or week that the person's calendar shows.
        case calendar(CalendarUnit)
    }
    public enum Key: Sendable, Equatable {
        /// nil: the rule's name.
        case text(String?)
        /// A function of the machine that answers with a text.
        case function(Int64)
    }
    /// What happens to a message for which there is no room, in place of what the rule decides otherwise.
    public enum Otherwise: String, Sendable, CaseIterable { case suppress, `defer`, list }

    /// 1 or more.
    public let limit: Int
    public let window: Window
    public let key: Key
    public let otherwise: Otherwise
}

extension RuleCap.Window {
    /// Milliseconds after which a message surely counts no longer: a day may have 25 hours or more.
    var span: Int64 {
        switch self {
        case .rolling(let milliseconds, _): milliseconds
        case .calendar(.minute): 60_000
        case .calendar(.hour): 3_600_000
        case .calendar(.day): 2 * 86_400_000
        case .calendar(.week): 9 * 86_400_000
        case .calendar(.month): 33 * 86_400_000
        case .calendar(.year): 368 * 86_400_000
        }
    }

    /// "today"
    var words: String {
        switch self {
        case .rolling(_, let words): words
        case .calendar(.day): "today"
        case .calendar(let unit): "this \(unit.rawValue)"
        }
    }
}

extension CapCount {
    /// When there is room for one more; nil: now.
    func room(for limit: Int, in window: RuleCap.Window, at now: Instant, zone: () -> Zone) -> Instant? {
        // A cap is rarely full: the first look costs no calendar.
        guard instants.count >= limit else { return nil }
        switch window {
        case .rolling(let span, _):
            // What lies ahead counts too: a clock that was set back must not let more through.
            let counting = instants.filter { (now.milliseconds &- $0.milliseconds).magnitude < UInt64(span) }
            guard counting.count >= limit else { return nil }
            return Instant(milliseconds: counting[counting.count - limit].milliseconds &+ span)
        case .calendar(let unit):
            let zone = zone()
            let (start, end) = (zone.start(of: unit, around: now), zone.end(of: unit, around: now))
            return instants.count { start <= $0 && $0 < end } >= limit ? end : nil
        }
    }
}
