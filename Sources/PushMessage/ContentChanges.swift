// What a decision replaces in a message that is written back. Only fields that are not nil are touched.

public struct ContentChanges: Sendable, Equatable {
    public var title, subtitle, body, sound, category, thread, interruptionLevel: String?
    public var relevance: Double?
    /// Absolute.
    public var badge: Int?
    /// URLs; the first one becomes the message's picture.
    public var attachments: [String]?
    /// What the message carries and the person is not to get.
    public var withheld: Withheld

    public init(
        title: String? = nil, subtitle: String? = nil, body: String? = nil, sound: String? = nil,
        category: String? = nil, thread: String? = nil, interruptionLevel: String? = nil, relevance: Double? = nil,
        badge: Int? = nil, attachments: [String]? = nil, withheld: Withheld = []
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.sound = sound
        self.category = category
        self.thread = thread
        self.interruptionLevel = interruptionLevel
        self.relevance = relevance
        self.badge = badge
        self.attachments = attachments
        self.withheld = withheld
    }

    public var isEmpty: Bool { self == ContentChanges() }
}

/// Parts of a notification that are taken out of a message which is written back.
public struct Withheld: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let sound = Withheld(rawValue: 1)
    /// The message's own; one that is set goes before it.
    public static let badge = Withheld(rawValue: 2)
    /// It goes to the list of notifications only, quietly.
    public static let banner = Withheld(rawValue: 4)
    /// All that would be seen of it.
    public static let text = Withheld(rawValue: 8)
}
