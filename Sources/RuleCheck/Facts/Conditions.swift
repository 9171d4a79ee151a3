// When a rule matches, held against another rule and against what happens on phones. Used by the checks of rules.
import PushMessage
import RuleEngine

enum Conditions {
    /// Every message that the second rule matches is one that the first matches as well. Only what is certain: a `when` must
    /// be the same function, and a share of people covers nothing.
    static func covers(_ first: CheckedRule, _ second: CheckedRule) -> Bool {
        let (a, b) = (first.rule, second.rule)
        // Most pairs of rules part here.
        for matcher in a.matchers {
            guard let values = second.matcher(matcher.field) else { return false }
            guard values.allSatisfy({ value in matcher.values.contains { takes($0, value, matcher.field) } }) else { return false }
        }
        guard a.isEnabled, b.isEnabled, a.events.isSuperset(of: b.events), a.rollout == nil, a.holdout == nil,
            a.starts == nil || a.starts == b.starts, a.expires == nil || a.expires == b.expires
        else { return false }
        if a.when != nil { guard let when = first.whenFunction, when === second.whenFunction else { return false } }
        return true
    }

    /// A message may come that both match.
    static func meet(_ first: CheckedRule, _ second: CheckedRule) -> Bool {
        guard !first.rule.events.isDisjoint(with: second.rule.events) else { return false }
        return first.rule.matchers.allSatisfy { matcher in
            guard let values = second.matcher(matcher.field) else { return true }
            switch matcher.field {
            case .minOS, .appVersion: return true
            default:
                return values.contains { value in
                    matcher.values.contains { takes($0, value, matcher.field) || takes(value, $0, matcher.field) }
                }
            }
        }
    }

    /// A value of a matcher fits whatever the other value of the same matcher fits.
    private static func takes(_ wide: String, _ narrow: String, _ field: Matcher.Field) -> Bool {
        if wide == narrow { return true }
        guard field == .locale, let tag = LocaleTag(narrow) else { return false }
        return tag.chain.contains { $0.name == wide }
    }

    /// What happens on phones: which event at which state of the app, on which system, of which messages. The table of
    /// docs/messages.md, asked for every kind of message.
    struct Happening: Hashable {
        let event: EventName
        let state: DeviceState
        let system: String
        let isSilent: Bool
    }

    static let happenings: Set<Happening> = {
        var all: Set<Happening> = []
        for kind in 0..<32 {
            let has = { (bit: Int) in kind & (1 << bit) != 0 }
            let traits = JourneyTraits(
                hasAlert: has(0), hasBadgeOrSound: has(1), contentAvailable: has(2), mutableContent: has(3),
                isSilent: has(2) && !has(0), hasData: has(4))
            for state in DeviceState.allCases {
                for (platform, system) in [(Platform.ios, "ios"), (.android, "android")] {
                    for callback in Journey.events(for: traits, state: state, platform: platform, tapped: true) {
                        guard let event = EventName(rawValue: callback.rawValue) else { continue }
                        all.insert(Happening(event: event, state: state, system: system, isSilent: traits.isSilent))
                    }
                }
            }
        }
        return all
    }()

    /// The states of which one of some words speaks.
    static func states(_ words: [String]) -> Set<DeviceState> { Set(words.compactMap { DeviceState(rawValue: $0)?.canonical }) }
}
