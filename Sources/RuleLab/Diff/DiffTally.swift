// Counts of a comparison while it runs. What it holds does not grow with the traffic: kinds, rules, hours and channels are
// few - of channels that nobody listed no more than so many by name - and people are those of the state.
import PushMessage
import RuleEngine

struct DiffTally {
    /// Beyond it channels are counted together.
    private static let mostChannels = 500

    private(set) var events = 0
    private(set) var changed = 0
    private(set) var kinds: [ChangeKind: Int] = [:]
    /// How often a rule has decided what is different, before and after; "" for nobody.
    private(set) var rules: [ExactText: RuleCount] = [:]
    private(set) var channels: [ExactText: PartCount] = [:]
    private(set) var otherChannels = PartCount()
    private(set) var hours = [PartCount](repeating: PartCount(), count: 24)
    private(set) var carriedBadges = 0
    private(set) var otherReasons = 0
    private(set) var people: Set<ExactText> = []

    struct RuleCount {
        var before = 0
        var after = 0
        /// Events, however often the rule has a part in one.
        var events = 0
    }

    struct PartCount {
        var events = 0
        var changed = 0
    }

    /// Where a line belongs; "" is no channel.
    struct Place {
        let channel: String
        let hour: Int
        let recipient: String
    }

    mutating func countEvent(at place: Place) {
        events += 1
        hours[place.hour].events += 1
        count(place.channel) { $0.events += 1 }
    }

    /// - Parameters:
    ///   - change: what is different.
    ///   - counted: what has been counted for this event already.
    mutating func count(_ change: DecisionChange, beyond counted: ChangeKinds = ChangeKinds(), at place: Place) {
        let fresh = change.kinds.subtracting(counted)
        guard !fresh.isEmpty else {
            if change.hasOtherReason { otherReasons += 1 }
            return
        }
        for kind in fresh.all { kinds[kind, default: 0] += 1 }
        if fresh.contains(.badge), change.carriesBadge { carriedBadges += 1 }
        for name in change.before { rules[ExactText(name), default: RuleCount()].before += 1 }
        for name in change.after { rules[ExactText(name), default: RuleCount()].after += 1 }
        for name in change.rules { rules[ExactText(name), default: RuleCount()].events += 1 }
        guard counted.isEmpty else { return }
        changed += 1
        hours[place.hour].changed += 1
        count(place.channel) { $0.changed += 1 }
        people.insert(ExactText(place.recipient))
    }

    private mutating func count(_ channel: String, _ change: (inout PartCount) -> Void) {
        let key = ExactText(channel)
        if channels[key] != nil || channels.count < DiffTally.mostChannels {
            change(&channels[key, default: PartCount()])
        } else {
            change(&otherChannels)
        }
    }
}

extension DecisionChange {
    /// Everybody who has a part in it, once; one "" when that is nobody.
    var rules: [String] {
        let all = before + after.filter { name in !before.contains(where: name.isExactly) }
        return all.isEmpty ? [""] : all
    }
}
