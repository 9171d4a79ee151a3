// A text that names something: a recipient, a message, a topic, a key. Swift takes two spellings of one letter - "é" as
// one scalar, or "e" and an accent - for equal; whoever sent them meant two names, and so do scripts, JSON and servers.
import Glibc

/// Equal, hashed and ordered by the bytes of its UTF-8.
public struct ExactText: Sendable {
    public let string: String

    @inlinable public init(_ string: String) { self.string = string }
}

extension ExactText: Hashable {
    public static func == (a: ExactText, b: ExactText) -> Bool { a.string.isExactly(b.string) }

    public func hash(into hasher: inout Hasher) {
        let isHashed: Void? = string.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        if isHashed == nil {
            for byte in string.utf8 { hasher.combine(byte) }
        }
        // Never a byte of UTF-8: "a", "bc" and "ab", "c" differ.
        hasher.combine(0xFF as UInt8)
    }
}

extension ExactText: ExpressibleByStringLiteral {
    @inlinable public init(stringLiteral text: String) { self.init(text) }
}

extension ExactText: Comparable {
    public static func < (a: ExactText, b: ExactText) -> Bool { a.string.utf8.lexicographicallyPrecedes(b.string.utf8) }
}

extension String {
    /// The same bytes.
    public func isExactly(_ other: String) -> Bool {
        let (one, two) = (utf8, other.utf8)
        guard one.count == two.count else { return false }
        let areSame = one.withContiguousStorageIfAvailable { mine in
            two.withContiguousStorageIfAvailable { theirs in
                guard let mine = mine.baseAddress, let begin = theirs.baseAddress else { return theirs.isEmpty }
                return memcmp(mine, begin, theirs.count) == 0
            }
        }
        return (areSame ?? nil) ?? one.elementsEqual(two)
    }
}

extension Optional where Wrapped == String {
    /// Both are nil, or both have the same bytes.
    public func isExactly(_ other: String?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let mine?, let theirs?): mine.isExactly(theirs)
        default: false
        }
    }
}
