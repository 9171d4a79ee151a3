// What a decision replaces in a message that is written back. Only fields that are not nil are touched.

public struct ContentChanges: Sendable, Equatable {
    public var title, subtitle, body, sound, category, thread, interruptionLevel: String?
    public var relevance: Double?
    /// Absolute.
    public var badge: Int?
    /// URLs; the first one becomes the message's picture.
    public var attachments: [String]?

    public init(
        title: String? = nil, subtitle: String? = nil, body: String? = nil, sound: String? = nil,
        category: String? = nil, thread: String? = nil, interruptionLevel: String? = nil, relevance: Double? = nil,
        badge: Int? = nil, attachments: [String]? = nil
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
    }

    public var isEmpty: Bool { self == ContentChanges() }
}
