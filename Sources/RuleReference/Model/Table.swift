// A table of fixed keys: app.lua, a rule, what decide gives, a view, a case, a decision. Its keys are in the order in
// which people should meet them.
public import RuleEngine

public struct Table: Sendable {
    /// The first part of its keys' full names: "rule", "rule.quiet", "msg".
    public let name: String
    /// A sentence without a full stop.
    public let summary: String
    public let keys: [Key]
    /// Values under other names; nil: there are none.
    public let others: ValueType?

    public init(_ name: String, _ summary: String, others: ValueType? = nil, _ keys: [Key]) {
        self.name = name
        self.summary = summary
        self.keys = keys
        self.others = others
    }

    public subscript(_ name: String) -> Key? { keys.first { $0.name == name } }
    public var names: [String] { keys.map(\.name) }
}

public struct Key: Sendable {
    public enum Presence: Sendable, Equatable {
        /// Must be given.
        case needed
        /// May be left out; the text says what is so then.
        case optional(otherwise: String?)
        /// Of a view: is always there.
        case always
        /// Of a view: may be nil.
        case sometimes
    }

    public let name: String
    public let type: ValueType
    public let presence: Presence
    /// It may also be given without its name, as the n-th value; from 1.
    public let place: Int?
    /// The events at which it is there or acts; nil: at all.
    public let events: [EventName]?
    /// A sentence without a full stop.
    public let summary: String
    /// Whole paragraphs.
    public let details: [String]
    public let example: Example

    public init(
        _ name: String, _ type: ValueType, _ presence: Presence, place: Int? = nil, at events: [EventName]? = nil, _ summary: String,
        details: [String] = [], _ example: Example
    ) {
        self.name = name
        self.type = type
        self.presence = presence
        self.place = place
        self.events = events
        self.summary = summary
        self.details = details
        self.example = example
    }

    /// A key that may be left out.
    init(
        _ name: String, _ type: ValueType, at events: [EventName]? = nil, _ summary: String, details: [String] = [], _ example: Example
    ) {
        self.init(name, type, .optional(otherwise: nil), at: events, summary, details: details, example)
    }
}
