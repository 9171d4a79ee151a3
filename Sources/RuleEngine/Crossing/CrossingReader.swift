// Reads values from bytes that another process has written, and believes nothing: lengths are held against what is left,
// texts must be UTF-8, JSON must be JSON, numbers must lie in the range that the caller names. Used on both sides; only
// one of them has to be afraid.
import JSONDocument
import PushMessage

/// Bytes that are not what they should be: what was expected, in a few words, and nothing of what was there.
public struct CrossingFault: Error, Sendable, Equatable {
    public let expected: String

    public init(_ expected: String) { self.expected = expected }
}

/// Valid as long as the bytes.
struct CrossingReader {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0
    /// Checks texts that are to be JSON; made when the first one comes.
    private var document: JSONDocument?

    /// JSON inside a decision: that of a state is smaller, that of a message as large as a message may be.
    let longestJSON: Int
    let longestText: Int
    let badges: ClosedRange<Int>

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        (longestJSON, longestText, badges) = (1 << 20, 1 << 18, 0...Int(Int32.max))
    }

    /// Reads what this process has written itself, however large it was.
    init(own bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        (longestJSON, longestText, badges) = (Int(Int32.max), Int(Int32.max), Int.min...Int.max)
    }

    var isAtEnd: Bool { place == bytes.count }
    private var left: Int { bytes.count - place }

    func finish() throws(CrossingFault) {
        guard isAtEnd else { throw CrossingFault("nothing more") }
    }

    private mutating func take(_ count: Int) throws(CrossingFault) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= left else { throw CrossingFault("more bytes") }
        defer { place += count }
        return UnsafeRawBufferPointer(rebasing: bytes[place..<(place + count)])
    }

    mutating func byte() throws(CrossingFault) -> UInt8 { try take(1)[0] }

    mutating func flag() throws(CrossingFault) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw CrossingFault("yes or no")
        }
    }

    mutating func number() throws(CrossingFault) -> Int64 {
        Int64(littleEndian: try take(8).loadUnaligned(as: Int64.self))
    }
    mutating func number(in range: ClosedRange<Int>) throws(CrossingFault) -> Int {
        let number = Int(try number())
        guard range.contains(number) else { throw CrossingFault("a number in its range") }
        return number
    }
    mutating func bits() throws(CrossingFault) -> UInt64 { UInt64(bitPattern: try number()) }

    mutating func decimal() throws(CrossingFault) -> Double {
        let value = Double(bitPattern: try bits())
        guard value.isFinite else { throw CrossingFault("a finite number") }
        return value
    }

    /// - Parameter size: the least that one element takes in bytes, so that no list is longer than what is there.
    mutating func count(ofAtLeast size: Int) throws(CrossingFault) -> Int {
        let count = Int(UInt32(littleEndian: try take(4).loadUnaligned(as: UInt32.self)))
        guard count <= left / max(1, size) else { throw CrossingFault("as many as there are said to be") }
        return count
    }

    mutating func span(atMost limit: Int) throws(CrossingFault) -> UnsafeRawBufferPointer {
        let count = try count(ofAtLeast: 1)
        guard count <= limit else { throw CrossingFault("at most \(limit) bytes") }
        return try take(count)
    }

    mutating func raw(atMost limit: Int) throws(CrossingFault) -> [UInt8] { [UInt8](try span(atMost: limit)) }

    mutating func text(atMost limit: Int? = nil) throws(CrossingFault) -> String {
        guard let text = String(validating: try span(atMost: limit ?? longestText), as: UTF8.self) else { throw CrossingFault("UTF-8") }
        return text
    }

    /// JSON text, as bytes.
    mutating func json() throws(CrossingFault) -> [UInt8] {
        let bytes = try raw(atMost: longestJSON)
        let document = self.document ?? JSONDocument()
        self.document = document
        do throws(JSONFault) {
            // Deeper than any value that leaves a script: decisions that were handed over hold other values.
            try document.read(bytes, limit: bytes.count, depth: 128)
        } catch {
            throw CrossingFault("JSON")
        }
        return bytes
    }

    mutating func word<W: RawRepresentable>(_: W.Type = W.self) throws(CrossingFault) -> W where W.RawValue == String {
        guard let word = W(rawValue: try text(atMost: 64)) else { throw CrossingFault("one of the words of \(W.self)") }
        return word
    }

    mutating func optional<Value>(
        _ read: (inout CrossingReader) throws(CrossingFault) -> Value
    ) throws(CrossingFault) -> Value? {
        try flag() ? try read(&self) : nil
    }

    mutating func optionalText(atMost limit: Int? = nil) throws(CrossingFault) -> String? {
        try flag() ? try text(atMost: limit) : nil
    }

    mutating func optionalJSON() throws(CrossingFault) -> [UInt8]? { try flag() ? try json() : nil }

    mutating func optionalWord<W: RawRepresentable>(_: W.Type = W.self) throws(CrossingFault) -> W? where W.RawValue == String {
        try flag() ? try word(W.self) : nil
    }

    mutating func list<Value>(
        ofAtLeast size: Int, _ read: (inout CrossingReader) throws(CrossingFault) -> Value
    ) throws(CrossingFault) -> [Value] {
        let count = try count(ofAtLeast: size)
        var values: [Value] = []
        values.reserveCapacity(min(count, 1024))
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    mutating func texts() throws(CrossingFault) -> [String] {
        try list(ofAtLeast: 4) { (reader) throws(CrossingFault) in try reader.text() }
    }

    mutating func instant() throws(CrossingFault) -> Instant { Instant(milliseconds: try number()) }
}
