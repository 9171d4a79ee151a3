// How large a message is as APNs or FCM count it, and what they allow.
import JSONDocument

struct PayloadSize {
    var bytes = 0
    /// A shape that nobody knows is held to what both of them allow.
    var limit = PayloadSize.usual

    static let usual = 4096
    static let fcmTopic = 2048
    static let voip = 5120

    /// FCM counts keys and values of notification and data: texts as they are, others as JSON text, null not at all.
    static func ofMembers(of block: JSONValue, source: JSONText) -> Int {
        var bytes = 0
        for member in block.children {
            if let text = member.text {
                bytes += member.key.count + text.count
            } else if !member.isNull {
                bytes += member.key.count + minifiedLength(source.slice(of: member))
            }
        }
        return bytes
    }

    /// The length of JSON text without the white space between its tokens.
    private static func minifiedLength(_ json: JSONText) -> Int {
        var length = 0
        var isInText = false
        var isEscaped = false
        for byte in json.bytes {
            if !isInText, byte <= 0x20 { continue }
            length += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText.toggle()
            }
        }
        return length
    }
}

extension JSONText {
    /// The source of a value that was read from this text.
    func slice(of value: JSONValue) -> JSONText {
        guard value.offset >= 0, value.offset + value.sourceLength <= count else { return .empty }
        return JSONText(start: bytes.baseAddress.map { $0 + value.offset }, count: value.sourceLength)
    }
}

extension MessageDraft {
    mutating func checkSize(of root: JSONValue) {
        let limit = size.limit
        guard size.bytes > limit else { return }
        lint.add(
            .sizeOverLimit, at: UInt32(truncatingIfNeeded: root.offset),
            "The message has \(size.bytes) bytes; \(limit) are allowed, so it is refused before it reaches a phone.",
            hint: "shorten the text or let the app fetch the rest")
    }
}
