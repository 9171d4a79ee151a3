// The outermost members of an object, found without reading what is in them. For whoever has to know one word of a text that somebody
// else will read, or reads its parts one by one.
internal import CJSONDocument

/// Both as they are written in the text, and valid as long as it is: escapes are not resolved, nothing says that it is UTF-8.
public struct UnreadMember {
    /// Between its quotes.
    public let key: JSONText
    /// A text with its quotes.
    public let value: JSONText
    /// Where `value` begins in the text, in bytes.
    public let start: Int

    /// What stands between the quotes of a value that needs no reading: printable ASCII, no escapes. nil: it is something else.
    public var plainText: JSONText? {
        let bytes = unsafe value.bytes
        guard bytes.count >= 2, unsafe bytes[0] == UInt8(ascii: "\""), let start = bytes.baseAddress else { return nil }
        let text = unsafe JSONText(start: start + 1, count: bytes.count - 2)
        return unsafe text.bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") } ? text : nil
    }
}

public enum JSONOutline {
    /// Calls for each member, in the order of the text. Nothing is checked but the outermost level: a value that is found may be none,
    /// and keys may be there twice.
    /// - Returns: false, after any number of calls: the text is no object of at most eight members, or `take` wanted no more.
    public static func members(of text: JSONText, _ take: (UnreadMember) -> Bool) -> Bool {
        guard let start = unsafe text.bytes.baseAddress else { return false }
        return unsafe withUnsafeTemporaryAllocation(of: jd_member_place.self, capacity: most) { places in
            let count = unsafe start.withMemoryRebound(to: CChar.self, capacity: text.count) {
                unsafe jd_skim($0, text.count, places.baseAddress, Int32(most))
            }
            guard count >= 0 else { return false }
            for number in 0..<Int(count) {
                let place = unsafe places[number]
                let member = unsafe UnreadMember(
                    key: JSONText(start: start + Int(place.key), count: Int(place.key_length)),
                    value: JSONText(start: start + Int(place.value), count: Int(place.value_length)), start: Int(place.value))
                if !take(member) { return false }
            }
            return true
        }
    }

    private static let most = 8
}

extension [UInt8] {
    /// The bytes as a text, where nothing has said yet that they are one.
    @inlinable public func withText<Result, Failure: Error>(_ body: (JSONText) throws(Failure) -> Result) throws(Failure) -> Result {
        try unsafe withUnsafeBufferPointer { (bytes) throws(Failure) in
            try body(unsafe JSONText(start: bytes.baseAddress, count: bytes.count))
        }
    }
}
