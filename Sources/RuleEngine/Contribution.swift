// What one rule wants of a decision: a `decide` table, read and checked. Made by ContributionReader, once at load for
// plain tables and at each call for returned ones; merged by the evaluator. It owns nothing: its texts and values are
// views into the tape they were read from, so reading one allocates nothing and a loser of the merge costs nothing.
public import CivilTime
public import JSONDocument
public import PushMessage

/// Valid as long as the tape it was read from. A field's value means something only when `fields` contains the field.
public struct Contribution: Sendable {
    /// The fields that the rule has set.
    public internal(set) var fields: ContributionFields = []

    /// `display`: what to do. A list of options and `"show"` are `show`.
    public internal(set) var action = Display.Action.show
    /// With `show`: the options; all when `display` is `"show"`; may be empty.
    public internal(set) var options = DisplayOptions.all
    /// A sentence for people.
    public internal(set) var reason = JSONText.empty
    /// The sentence behind a reason of one word that the engine gives; empty for what authors write. Goes with `reason`.
    var detail = JSONText.empty
    public internal(set) var holdUntil = HoldUntil.resume
    /// True: a deferred message is due on the ruleset that deferred it.
    public internal(set) var pin = false

    public internal(set) var title = JSONText.empty
    public internal(set) var subtitle = JSONText.empty
    public internal(set) var body = JSONText.empty
    public internal(set) var sound = JSONText.empty
    public internal(set) var category = JSONText.empty
    public internal(set) var thread = JSONText.empty
    /// One of passive, active, time-sensitive, critical.
    public internal(set) var interruptionLevel = JSONText.empty
    /// 0…1.
    public internal(set) var relevance = 0.0
    public internal(set) var attachments = ContributedAttachments(list: nil)

    public internal(set) var badge = BadgeChange.absolute(0)
    public internal(set) var route = ContributedRoute.nowhere
    public internal(set) var topics = ContributedTopics(shape: .none)
    public internal(set) var fetchResult = FetchResult.newData
    /// Any value without functions; it may link into the message.
    public internal(set) var inbox: JSONValue?
    public internal(set) var labels = ContributedLabels(object: nil)

    public init() {}
}

/// The fields of a `decide` table, one bit each.
public struct ContributionFields: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let display = ContributionFields(rawValue: 1 << 0)
    public static let reason = ContributionFields(rawValue: 1 << 1)
    public static let holdUntil = ContributionFields(rawValue: 1 << 2)
    public static let pin = ContributionFields(rawValue: 1 << 3)
    public static let title = ContributionFields(rawValue: 1 << 4)
    public static let subtitle = ContributionFields(rawValue: 1 << 5)
    public static let body = ContributionFields(rawValue: 1 << 6)
    public static let sound = ContributionFields(rawValue: 1 << 7)
    public static let category = ContributionFields(rawValue: 1 << 8)
    public static let thread = ContributionFields(rawValue: 1 << 9)
    public static let interruptionLevel = ContributionFields(rawValue: 1 << 10)
    public static let relevance = ContributionFields(rawValue: 1 << 11)
    public static let attachments = ContributionFields(rawValue: 1 << 12)
    public static let badge = ContributionFields(rawValue: 1 << 13)
    public static let route = ContributionFields(rawValue: 1 << 14)
    public static let topics = ContributionFields(rawValue: 1 << 15)
    public static let fetchResult = ContributionFields(rawValue: 1 << 16)
    public static let inbox = ContributionFields(rawValue: 1 << 17)
    public static let labels = ContributionFields(rawValue: 1 << 18)

    /// The names that authors write, each with its bit, in the order in which the reference lists them.
    public static let named: [(name: StaticString, field: ContributionFields)] = [
        ("display", .display), ("reason", .reason), ("hold_until", .holdUntil), ("pin", .pin), ("title", .title),
        ("subtitle", .subtitle), ("body", .body), ("sound", .sound), ("category", .category), ("thread", .thread),
        ("interruption_level", .interruptionLevel), ("relevance", .relevance), ("attachments", .attachments),
        ("badge", .badge), ("route", .route), ("topics", .topics), ("fetch_result", .fetchResult), ("inbox", .inbox),
        ("labels", .labels),
    ]
}

/// Until when a deferred message is held.
public enum HoldUntil: Sendable, Equatable {
    case resume
    /// From now, in milliseconds.
    case duration(Int64)
    case instant(Instant)
    /// `YYYY-MM-DD[ HH:MM[:SS]]` or `HH:MM` in the zone of the rule, device, setting or app; its shape is checked.
    case wall(JSONText)
    /// Like `instant`, kept on the wall clock of a zone: the end of a rule's quiet hours.
    case zoned(Instant, Zone)
}

/// What a rule does to the badge. Numbers fit Int32.
public enum BadgeChange: Sendable, Equatable {
    case absolute(Int)
    /// May be negative; the badge never falls below 0.
    case relative(Int, evenIfSuppressed: Bool)
}

/// Where a tap leads.
public enum ContributedRoute: Sendable {
    /// `route = false`.
    case nowhere
    case link(JSONText)
    case place(Place)

    public struct Place: Sendable {
        public internal(set) var tab: JSONText?
        public internal(set) var url: JSONText?
        public internal(set) var mode: Route.Mode?
        public internal(set) var account: JSONText?
        var pathList: JSONValue?

        /// The steps of the path as text; nil when the rule gave none. Whole numbers are written by their digits.
        public var path: [String]? {
            guard let pathList else { return nil }
            return pathList.children.compactMap { $0.text?.string ?? $0.integer.map { String($0) } }
        }
    }
}

/// A list of {url, type}, checked.
public struct ContributedAttachments: Sendable {
    let list: JSONValue?

    public var count: Int { list?.count ?? 0 }
    public func forEach(_ body: (_ url: JSONText, _ type: JSONText?) -> Void) {
        guard let list else { return }
        for attachment in list.children {
            if let url = attachment["url"]?.text { body(url, attachment["type"]?.text) }
        }
    }
}

/// Topic operations in the order in which they are to happen: of {subscribe, unsubscribe} the unsubscribes first.
public struct ContributedTopics: Sendable {
    enum Shape: Sendable {
        case none
        /// A list of {op, topic}.
        case operations(JSONValue)
        case lists(subscribe: JSONValue?, unsubscribe: JSONValue?)
    }
    let shape: Shape

    public func forEach(_ body: (TopicOperation.Kind, _ topic: JSONText) -> Void) {
        switch shape {
        case .none: break
        case .operations(let list):
            for operation in list.children {
                guard let topic = operation["topic"]?.text else { continue }
                body(operation["op"]?.text.map { $0 == "unsubscribe" } ?? false ? .unsubscribe : .subscribe, topic)
            }
        case .lists(let subscribe, let unsubscribe):
            if let unsubscribe {
                for topic in unsubscribe.children { if let name = topic.text { body(.unsubscribe, name) } }
            }
            if let subscribe {
                for topic in subscribe.children { if let name = topic.text { body(.subscribe, name) } }
            }
        }
    }
}

/// Text by name, for analytics and logs.
public struct ContributedLabels: Sendable {
    let object: JSONValue?

    public func forEach(_ body: (_ name: JSONText, _ value: JSONText) -> Void) {
        guard let object else { return }
        for label in object.children {
            if let value = label.text { body(label.key, value) }
        }
    }
}
