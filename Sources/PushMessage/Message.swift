// One push, read from any of the wire formats: what rules see as `msg`. A handle on the reader that read it: its
// texts and values are valid as long as that reader lives and until it reads again. Keep the reader in a variable
// while you look at them, and a String, not a JSONText, for later.
public import JSONDocument

public enum Priority: String, Sendable { case high, normal }

public struct Message {
    let reader: MessageReader
    /// The whole normalised message: the `msg` of rules. Absent fields are no members; `content_available`,
    /// `mutable_content`, `silent`, `data`, `raw` and `lint` always are.
    public let view: JSONValue
    let extras: MessageTape.Extras
    /// The input as it came.
    public let raw: JSONValue

    /// The text that the message was read from.
    public var source: JSONText { reader.source }

    private var draft: MessageDraft {
        @inline(__always) _read { yield reader.draft }
    }

    public var format: MessageFormat { draft.format }
    /// The sender's id, or "hash:" and 32 hex digits of a hash over the content.
    public var id: JSONText { draft[.id] ?? .empty }
    public var idGenerated: Bool { draft.isIDGenerated }
    public var badge: Int? { draft.badge }
    public var sound: Sound? { draft.sound }
    public var relevance: Double? { draft.relevance?.double }
    /// Seconds.
    public var ttl: Int64? { draft.ttl }
    /// Unix milliseconds.
    public var sentAt: Int64? { draft.sentAt?.milliseconds }
    /// Unix milliseconds.
    public var expiresAt: Int64? { draft.expiresAt?.milliseconds }
    public var contentAvailable: Bool { draft.contentAvailable }
    public var mutableContent: Bool { draft.mutableContent }
    /// Content available and nothing to show, or a recipient-time carrier.
    public var silent: Bool { draft.isSilent }
    /// A recipient-time message: its text is for the wall clock to show.
    public var isCarrier: Bool { draft.schedule.isCarrier }
    /// Wall times without a zone, `YYYY-MM-DD HH:MM:SS`.
    public var scheduled: (from: JSONText?, to: JSONText?) { (draft.schedule.from, draft.schedule.to) }
    /// The wire format carries text for the system to show (text that only a field map found does not count).
    public var hasAlert: Bool { draft.hasAlert }
    /// There is no text to display, wherever it was looked for: title, subtitle, body and loc are all absent.
    public var hasNoText: Bool { title == nil && subtitle == nil && body == nil && extras.loc == nil }

    public var title: JSONText? { draft[.title] }
    public var subtitle: JSONText? { draft[.subtitle] }
    public var body: JSONText? { draft[.body] }
    public var image: JSONText? { draft[.image] }
    public var channel: JSONText? { draft[.channel] }
    public var thread: JSONText? { draft[.thread] }
    public var category: JSONText? { draft[.category] }
    public var collapse: JSONText? { draft[.collapse] }
    public var topic: JSONText? { draft[.topic] }
    public var condition: JSONText? { draft[.condition] }
    public var link: JSONText? { draft[.link] }
    public var recipient: JSONText? { draft[.recipient] }
    public var account: JSONText? { draft[.account] }
    public var priority: Priority? { draft[.priority].map { $0 == JSONText("high") ? .high : .normal } }
    public var pushType: JSONText? { draft[.pushType] }
    public var interruptionLevel: JSONText? { draft[.interruptionLevel] }

    /// The custom keys, an object.
    public var data: JSONValue { extras.data }
    public var lint: [Warning] { reader.lint }
    /// Bytes as APNs or FCM count them, and how many they take.
    public var size: (bytes: Int, limit: Int) { (draft.size.bytes, draft.size.limit) }
    /// Fields that were read from one place, in their order, with the path of that place from the raw input.
    public var sources: [(field: String, path: String)] {
        MessageField.allCases.compactMap { field in
            if let mapped = draft.mappedPlaces.first(where: { $0.field == field }) { return (field.text, mapped.path) }
            guard let offset = draft.offset(of: field) else { return nil }
            return (field.text, RawPath.text(ofValueAt: offset, in: raw))
        }
    }

    /// "hash:" and 32 hex digits over title, subtitle, body, loc, category and data without ids: equal for two copies
    /// of one message, of which one may have lost its id.
    public func contentHash() -> String { contentDigest.text }

    /// The same in sixteen bytes. Computed at each call, unless the id was made of it.
    public var contentDigest: ContentDigest {
        (idGenerated ? ContentDigest(id) : nil) ?? reader.contentDigest(extras)
    }

    /// Whose phone it was read for.
    var platform: Platform { draft.platform }

    var traits: JourneyTraits {
        JourneyTraits(
            hasAlert: hasAlert && !isCarrier, hasBadgeOrSound: badge != nil || sound != nil,
            contentAvailable: contentAvailable, mutableContent: mutableContent, isSilent: silent,
            hasData: data.count > 0)
    }
}
