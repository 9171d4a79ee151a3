// A piece of UTF-8 text inside a document or a builder: two words, nothing copied, nothing counted.
// It is valid as long as the document (or builder) it came from is neither read again nor freed; whoever wants to
// keep it makes a String. Not Hashable on purpose: a key of a set or a dictionary would outlive it.
public import CJSONDocument

// SAFETY: two words; what they point at is read only, and its owner answers for the lifetime.
@safe public struct JSONText: Equatable, ExpressibleByStringLiteral, @unchecked Sendable {
    @usableFromInline let start: UnsafePointer<UInt8>?
    public let count: Int

    @inlinable public init(start: UnsafePointer<UInt8>?, count: Int) {
        unsafe self.start = start
        self.count = count
    }

    /// A text that lives as long as the program.
    @inlinable public init(_ text: StaticString) {
        unsafe self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
    /// Any literal is a text without a copy: `value["aps"]`, `text == "chat"`.
    @inlinable public init(stringLiteral text: StaticString) { self.init(text) }

    public static let empty = JSONText("")

    @inlinable public var isEmpty: Bool { count == 0 }

    @inlinable public var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start, count: count) }

    /// The text, copied. A document's texts are well-formed UTF-8.
    @inlinable public var string: String { unsafe String(decoding: bytes, as: UTF8.self) }

    @inlinable public static func == (a: JSONText, b: JSONText) -> Bool {
        guard a.count == b.count else { return false }
        guard let one = unsafe a.start, let other = unsafe b.start else { return a.count == 0 }
        return unsafe jd_bytes_equal(one, other, a.count) != 0
    }

    // A literal is meant to be a JSONText, not a String to be made and compared.
    @_disfavoredOverload
    @inlinable public static func == (a: JSONText, b: StaticString) -> Bool { a == JSONText(b) }

    @_disfavoredOverload
    public static func == (a: JSONText, b: String) -> Bool {
        var copy = b
        return copy.withUTF8 { other in
            unsafe a == JSONText(start: other.baseAddress, count: other.count)
        }
    }
    @_disfavoredOverload
    @inlinable public static func != (a: JSONText, b: StaticString) -> Bool { !(a == b) }
    @_disfavoredOverload
    public static func != (a: JSONText, b: String) -> Bool { !(a == b) }
}
