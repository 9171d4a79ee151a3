// One push, read from any of the wire formats: what rules see as `msg`. A handle on the reader that read it: its
// texts and values are valid until that reader reads again; keep a String, not a Message.
public import JSONDocument

public enum Priority: String, Sendable { case high, normal }

public struct Sound: Sendable {
    public var name: JSONText
    public var critical: Bool
    /// 0…1; nil when the sender gave none.
    public var volume: Double?
}

public struct Message {
    let reader: MessageReader
    private var parts: MessageParts { reader.parts }

    public var format: MessageFormat { parts.format }
    /// The sender's id, or "hash:" and 32 hex digits of a hash over the content.
    public var id: JSONText { parts.id ?? .empty }
    public var idGenerated: Bool { parts.isIDGenerated }
    public var title: JSONText? { parts.title }
    public var subtitle: JSONText? { parts.subtitle }
    public var body: JSONText? { parts.body }
    public var image: JSONText? { parts.image }
    public var badge: Int? { parts.badge }
    public var sound: Sound? { parts.sound }
    public var channel: JSONText? { parts.channel }
    public var thread: JSONText? { parts.thread }
    public var category: JSONText? { parts.category }
    public var topic: JSONText? { parts.topic }
    public var condition: JSONText? { parts.condition }
    public var link: JSONText? { parts.link }
    public var recipient: JSONText? { parts.recipient }
    public var account: JSONText? { parts.account }
    public var priority: Priority? { parts.priority }
    public var interruptionLevel: JSONText? { parts.interruptionLevel }
    public var relevance: Double? { parts.relevance?.double }
    /// Seconds.
    public var ttl: Int64? { parts.ttl }
    /// Unix milliseconds.
    public var sentAt: Int64? { parts.sentAt?.milliseconds }
    /// Unix milliseconds.
    public var expiresAt: Int64? { parts.expiresAt?.milliseconds }
    public var contentAvailable: Bool { parts.contentAvailable }
    public var mutableContent: Bool { parts.mutableContent }
    /// Content available and nothing to show, or a recipient-time carrier.
    public var silent: Bool { parts.isCarrier || (parts.contentAvailable && !parts.hasAlert) }
    /// The wire format carries text for the system to show (text that only a field map found does not count).
    public var hasAlert: Bool { parts.hasAlert }
    /// Title, subtitle, body and loc are all absent: there is no text to display, wherever it was looked for.
    public var hasNoText: Bool { parts.title == nil && parts.subtitle == nil && parts.body == nil && parts.loc == nil }

    /// The whole normalised message: the `msg` of rules. Absent fields are no members; `silent`,
    /// `content_available`, `mutable_content` and `data` always are.
    public var view: JSONValue { reader.view }
    /// The custom keys, an object.
    public var data: JSONValue { reader.data }
    /// The input as it came.
    public var raw: JSONValue { reader.raw }
    public var lint: [Warning] { reader.lint }
    /// Where fields came from: paths from the raw input.
    public var sources: [(field: String, path: String)] { reader.sources() }
    /// Bytes as APNs or FCM count them, and their limit; the limit is nil for formats that have none.
    public var size: (bytes: Int, limit: Int?) { reader.size }

    /// "hash:" and 32 hex digits over title, subtitle, body, loc, category and data without ids: equal for two copies
    /// of one message, of which one may have lost its id.
    public func contentHash() -> String { reader.contentHash() }

    var traits: JourneyTraits {
        JourneyTraits(
            hasAlert: parts.hasAlert && !parts.isCarrier, hasBadgeOrSound: parts.badge != nil || parts.sound != nil,
            contentAvailable: parts.contentAvailable, mutableContent: parts.mutableContent, isSilent: silent,
            hasData: reader.data.count > 0)
    }
}
