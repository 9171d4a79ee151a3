// Reads one message after the other. Owns the memory that a message's texts stand in and uses it again for the next
// one. One thread at a time.
import JSONDocument

public final class MessageReader {
    let fields: FieldMap
    let links: [String]?
    var parts = MessageParts()

    /// - Parameters:
    ///   - fields: an app's own places, tried before the known ones.
    ///   - links: an app's order of the places that may hold a link; nil is `MessageReader.linkOrder`.
    public init(fields: FieldMap = .none, links: [String]? = nil) {
        self.fields = fields
        self.links = links
    }

    /// The places that may hold a link, in the order in which they are tried.
    public static let linkOrder = [
        "link", "url", "deep_link", "deeplink", "ab_uri", "custom.u", "CIO.push.link", "gcm.app_link",
        "webpush.fcm_options.link",
    ]

    /// Reads a message; the one before becomes invalid.
    /// - Parameters:
    ///   - forced: read it as this format, whatever its shape.
    ///   - limit: bytes.
    public func read(
        _ bytes: UnsafeRawBufferPointer, as forced: MessageFormat? = nil, for recipient: RecipientContext = .init(),
        limit: Int = 65_536
    ) throws(MessageFault) -> Message {
        throw MessageFault(code: "json_empty", message: "there is nothing to read", hint: "give a JSON object")
    }

    var view: JSONValue { preconditionFailure("no message has been read") }
    var data: JSONValue { preconditionFailure("no message has been read") }
    var raw: JSONValue { preconditionFailure("no message has been read") }
    var lint: [Warning] { [] }
    var size: (bytes: Int, limit: Int?) { (0, nil) }

    func sources() -> [(field: String, path: String)] { [] }
    func contentHash() -> String { "" }
}
