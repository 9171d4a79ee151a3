// One event over which the rulesets differ, with everything that is needed to understand it: the message, the phone, and
// what both sides decide and why.
public import PushMessage
public import RuleEngine

public struct DiffExample: Sendable {
    /// Of the traffic, from 1.
    public var line: Int
    public var at: Instant
    public var recipient: String
    public var channel: String?
    /// What the line names, "due" for a message whose time had come, nil for a journey.
    public var event: EventName?
    public var kinds: ChangeKinds
    /// Who decides what is different, on either side: a rule's name or `guard:<name>`.
    public var rules: [String]
    /// One decision of a named event, any number of a journey; with traces.
    public var old: [Decision]
    public var new: [Decision]
    /// JSON text; nil: an event without a message.
    public var message: [UInt8]?
    /// JSON text.
    public var device: [UInt8]

    public init(
        line: Int, at: Instant, recipient: String, channel: String?, event: EventName?, kinds: ChangeKinds, rules: [String],
        old: [Decision], new: [Decision], message: [UInt8]?, device: [UInt8]
    ) {
        self.line = line
        self.at = at
        self.recipient = recipient
        self.channel = channel
        self.event = event
        self.kinds = kinds
        self.rules = rules
        self.old = old
        self.new = new
        self.message = message
        self.device = device
    }
}
