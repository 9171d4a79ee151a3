// The normalised message while it is being read: what each field holds and which node it was taken from. Filled by
// the readers of the formats, finished by MessageReader, seen through Message.
import JSONDocument

/// A text with the node it came from.
struct FoundText {
    var text: JSONText
    var source: JSONValue
}

struct MessageParts {
    var format = MessageFormat.unknown
    var id: JSONText?
    var isIDGenerated = false
    var title, subtitle, body: JSONText?
    var loc: JSONValue?
    var image: JSONText?
    var badge: Int?
    var sound: Sound?
    var channel, thread, category, collapse, topic, condition, link, recipient, account: JSONText?
    var priority: Priority?
    var pushType: JSONText?
    var interruptionLevel: JSONText?
    var relevance: JSONValue?
    var targetContentID, filter: JSONText?
    var ttl: Int64?
    var sentAt, expiresAt: Instant?
    var contentAvailable = false
    var mutableContent = false
    var isCarrier = false
    var hasAlert = false
}
