// Which message this is: the sender's id, or a hash of what it says.
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
    /// - Parameter writer: used again for every message.
    static func digest(of draft: MessageDraft, _ extras: MessageTape.Extras, with writer: inout JSONWriter) -> ContentDigest {
        writer.reset()
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
        return writer.withBytes { ContentDigest(over: $0) }
    }
}

extension JSONWriter {
    /// A value with the members of its objects sorted by key. Depth is what the reader allowed.
    fileprivate mutating func canonical(_ value: JSONValue, without left: JSONText = .empty) {
        switch value.kind {
        case .object:
            beginObject()
            if value.isSortedByKey {
                for member in value.children where left.isEmpty || member.key != left { canonicalMember(member) }
            } else {
                for member in value.children.sorted(by: { $0.key.precedes($1.key) }) where left.isEmpty || member.key != left {
                    canonicalMember(member)
                }
            }
            endObject()
        case .array:
            beginArray()
            for element in value.children { canonical(element) }
            endArray()
        default: self.value(value)
        }
    }

    private mutating func canonicalMember(_ member: JSONValue) {
        key(member.key)
        canonical(member)
    }
}

extension JSONValue {
    /// Most objects are small and some are sorted: those need no list of their members.
    fileprivate var isSortedByKey: Bool {
        var before: JSONText?
        for member in children {
            if let before, member.key.precedes(before) { return false }
            before = member.key
        }
        return true
    }
}

extension JSONText {
    fileprivate func precedes(_ other: JSONText) -> Bool { bytes.lexicographicallyPrecedes(other.bytes) }
}
