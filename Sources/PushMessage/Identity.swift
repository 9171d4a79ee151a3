// Which message this is: the sender's id, or a hash of what it says.
internal import CNettle
import JSONDocument

/// The places of an id, in the order in which they count.
struct IDCandidates {
    var mapped: [JSONValue] = []
    var gcm, google, messageID, header, event: JSONValue?
}

extension MessageDraft {
    /// The first candidate that is a text or a number gives the id; a number gives its digits as they were written.
    mutating func settleID() {
        guard self[.id] == nil else { return }
        offerID(ids.gcm)
        offerID(ids.google)
        offerID(ids.messageID)
        offerID(ids.header)
        offerID(ids.event)
    }

    mutating func offerID(_ candidate: JSONValue?) {
        guard let candidate, self[.id] == nil else { return }
        if let text = candidate.text ?? candidate.literal {
            offer(text, as: .id, from: candidate)
        } else if !candidate.isNull {
            wrongType(candidate, expected: "the message's id as text")
        }
    }
}

/// A message's text and data in one canonical form, for the id of messages that have none and for finding copies.
///
/// Canonical JSON: one object with the members that are present, in the order title, subtitle, body, loc, category,
/// data. Members of objects inside are sorted by the bytes of their keys, numbers keep their digits, texts are escaped
/// as JSONWriter escapes them, and there is no white space. `data` is what the phone sees, without `message_id`.
enum ContentHash {
    static func text(of draft: MessageDraft, _ extras: MessageTape.Extras) -> String {
        var writer = JSONWriter(reserving: 1024)
        writer.beginObject()
        for field in [MessageField.title, .subtitle, .body] {
            guard let text = draft[field] else { continue }
            writer.key(field.name)
            writer.string(text)
        }
        if let loc = extras.loc {
            writer.key(MessageField.loc.name)
            writer.canonical(loc)
        }
        if let category = draft[.category] {
            writer.key(MessageField.category.name)
            writer.string(category)
        }
        writer.key(MessageField.data.name)
        writer.canonical(extras.data, without: JSONText("message_id"))
        writer.endObject()
        return text(over: writer.bytes)
    }

    /// "hash:" and the first half of the SHA-256 in hexadecimal digits.
    private static func text(over bytes: [UInt8]) -> String {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        bytes.withUnsafeBufferPointer { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
        var digest = [UInt8](repeating: 0, count: 32)
        nettle_sha256_digest(&context, digest.count, &digest)
        var text = Array("hash:".utf8)
        for byte in digest.prefix(16) {
            text.append(hexDigit(byte >> 4))
            text.append(hexDigit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
    }
}

extension JSONWriter {
    /// A value with the members of its objects sorted by key. Depth is what the reader allowed.
    fileprivate mutating func canonical(_ value: JSONValue, without left: JSONText = .empty) {
        switch value.kind {
        case .object:
            beginObject()
            for member in value.children.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) })
            where left.isEmpty || member.key != left {
                key(member.key)
                canonical(member)
            }
            endObject()
        case .array:
            beginArray()
            for element in value.children { canonical(element) }
            endArray()
        default: self.value(value)
        }
    }
}
