// The fields of the normalised message, in the order in which they are written.

public enum MessageField: Int, CaseIterable, Sendable {
    case id, idGenerated, format, title, subtitle, body, loc, image, badge, sound, channel, thread, category, collapse
    case topic, condition, link, recipient, account, priority, pushType, interruptionLevel, relevance, targetContentID
    case filter, ttl, sentAt, expiresAt, contentAvailable, mutableContent, silent, scheduled, data, raw, lint

    /// As rules and JSON spell it.
    public var name: StaticString {
        switch self {
        case .id: "id"
        case .idGenerated: "id_generated"
        case .format: "format"
        case .title: "title"
        case .subtitle: "subtitle"
        case .body: "body"
        case .loc: "loc"
        case .image: "image"
        case .badge: "badge"
        case .sound: "sound"
        case .channel: "channel"
        case .thread: "thread"
        case .category: "category"
        case .collapse: "collapse"
        case .topic: "topic"
        case .condition: "condition"
        case .link: "link"
        case .recipient: "recipient"
        case .account: "account"
        case .priority: "priority"
        case .pushType: "push_type"
        case .interruptionLevel: "interruption_level"
        case .relevance: "relevance"
        case .targetContentID: "target_content_id"
        case .filter: "filter"
        case .ttl: "ttl"
        case .sentAt: "sent_at"
        case .expiresAt: "expires_at"
        case .contentAvailable: "content_available"
        case .mutableContent: "mutable_content"
        case .silent: "silent"
        case .scheduled: "scheduled"
        case .data: "data"
        case .raw: "raw"
        case .lint: "lint"
        }
    }

    /// A field that an app's field map may fill.
    public var isMappable: Bool {
        switch self {
        case .idGenerated, .format, .silent, .scheduled, .data, .raw, .lint: false
        default: true
        }
    }

    /// The names of all fields, in order.
    public static let all: [String] = allCases.map(\.text)

    /// The fields of those fields that are tables of a fixed shape, with the table's name: "sound.volume".
    public static let nested: [String] = [
        "sound.name", "sound.critical", "sound.volume", "loc.title_key", "loc.title_args", "loc.subtitle_key",
        "loc.subtitle_args", "loc.body_key", "loc.body_args", "scheduled.from", "scheduled.to",
    ]

    public init?(name: String) {
        guard let field = MessageField.allCases.first(where: { $0.text == name }) else { return nil }
        self = field
    }

    var text: String { name.withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }
}
