// The link of a message: the places where vendors keep it, in an order that an app may change, and what is a link.
import JSONDocument

/// The places that may hold a link, ready to be followed.
struct LinkOrder {
    /// The known order, for messages of apps that did not change it.
    static let known = [
        "link", "url", "deep_link", "deeplink", "ab_uri", "custom.u", "CIO.push.link", "gcm.app_link",
        "webpush.fcm_options.link",
    ]

    let paths: [FieldPath]
    /// The places are `known`, whose keys are words: those that a message does not have need not be looked for.
    let isKnown: Bool

    /// Places that cannot be read as paths are left out: whoever reads a manifest reports them.
    init(_ places: [String]?) {
        isKnown = places == nil
        paths = (places ?? LinkOrder.known).compactMap { text in
            do throws(FieldPathFault) {
                return try FieldPath(parsing: text)
            } catch {
                return nil
            }
        }
    }
}

extension MessageDraft {
    /// Tries the places in order; the first valid link counts, each that is not valid is lint.
    mutating func settleLink(_ order: LinkOrder) {
        guard self[.link] == nil else { return }
        let seen = order.isKnown ? content.linkPlaces : .max
        guard seen != 0 else { return }
        for (place, path) in order.paths.enumerated() {
            if order.isKnown, seen & (1 << UInt16(place)) == 0 { continue }
            guard let candidate = find(path) else { continue }
            offerLink(candidate)
            if self[.link] != nil { return }
        }
    }

    /// What the phone sees at a path: keys beside Apple's before FCM's data, and the block for browsers.
    private func find(_ path: FieldPath) -> JSONValue? {
        if let found = content.peers.flatMap({ path.find(in: $0) }), !found.isNull { return found }
        if let found = content.fcmData.flatMap({ path.find(in: $0) }), !found.isNull { return found }
        guard let holder = content.webpushHolder, path.text.hasPrefix("webpush") else { return nil }
        return path.find(in: holder)
    }

    mutating func offerLink(_ candidate: JSONValue) {
        if candidate.isNull { return }
        if let text = candidate.text, LinkSyntax.isValid(text) {
            offer(text, as: .link, from: candidate)
        } else if candidate.text?.isEmpty != true {
            note(
                .invalidLink, candidate, "This is no link and was skipped.",
                hint: "write an absolute link of at most 2048 bytes, with its scheme and without spaces or {templates}")
        }
    }

    /// A picture's address is kept whatever it is; the guard for attachments explains why it is not fetched.
    mutating func offerImage(_ value: JSONValue) {
        guard let text = value.text, !text.isEmpty else { return offerText(value, as: .image) }
        if !LinkSyntax.isValid(text) {
            note(.invalidURL, value, "This is no address of a picture.", hint: "write an absolute https address")
        } else if LinkSyntax.isPlainHTTP(text) {
            note(.insecureURL, value, "iOS fetches no picture over http; the text is shown without it.", hint: "use https")
        }
        offer(text, as: .image, from: value)
    }
}

/// What counts as a link, before anybody asks whether an app allows it.
enum LinkSyntax {
    /// Bytes.
    static let maxLength = 2048

    /// An absolute URI of 1 to 2048 bytes without space, control character, backslash or template braces.
    static func isValid(_ text: JSONText) -> Bool {
        let bytes = text.bytes
        guard bytes.count <= maxLength, let first = bytes.first, isLetter(first) else { return false }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count else { return false }
        for byte in bytes[1..<colon] where !isSchemeByte(byte) { return false }
        var place = colon + 1
        while place < bytes.count {
            if place + 8 <= bytes.count, isPlain(UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt64.self)) {
                place += 8
                continue
            }
            switch bytes[place] {
            case 0...0x20, 0x7F, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\\"): return false
            // U+0080 to U+00A0: controls and the no-break space.
            case 0xC2 where bytes[place + 1] <= 0xA0: return false
            default: place += 1
            }
        }
        return true
    }

    /// Eight bytes at once, as most of a link are: from `!` to `z` and no backslash. False: each has to be looked at.
    private static func isPlain(_ eight: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let backslash = eight ^ (ones &* 0x5C)
        // The top bit of a byte: it is below `!`, a backslash, or `{` and above. No lower byte of a plain text carries into it.
        let found = ((eight &- ones &* 0x21) & ~eight) | ((backslash &- ones) & ~backslash) | (eight | (eight &+ ones &* 0x05))
        return found & (ones &* 0x80) == 0
    }

    static func isPlainHTTP(_ text: JSONText) -> Bool {
        let http: StaticString = "http:"
        return text.count > http.utf8CodeUnitCount
            && http.withUTF8Buffer { http in
                zip(text.bytes, http).allSatisfy { $0 == $1 || (isLetter($0) && $0 | 0x20 == $1) }
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (byte >= 48 && byte <= 57) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}
