// What a message says, as sixteen bytes: title, subtitle, body, loc, category and data without ids. Two copies of one
// message have the same, also when one of them has lost its id. The engine keeps one for every message it has seen.
internal import CNettle
public import JSONDocument

public struct ContentDigest: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The first half of the SHA-256 over the bytes.
    init(over bytes: UnsafeRawBufferPointer) {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
        var digest: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &digest) { out in
            nettle_sha256_digest(&context, 16, out.bindMemory(to: UInt8.self).baseAddress)
        }
        self.init(high: UInt64(bigEndian: digest.0), low: UInt64(bigEndian: digest.1))
    }

    /// The same digest, carried elsewhere as two numbers.
    public init(words high: UInt64, _ low: UInt64) { self.init(high: high, low: low) }

    public var words: (high: UInt64, low: UInt64) { (high, low) }

    /// Of a message whose content is not known: equal to itself, and the digest of no message.
    public static let unknown = ContentDigest(high: 0, low: 0)

    /// Reads `text`; nil for anything else.
    public init?(_ text: JSONText) {
        let bytes = text.bytes
        guard bytes.count == 37, bytes.starts(with: "hash:".utf8) else { return nil }
        guard let high = ContentDigest.number(bytes[5..<21]), let low = ContentDigest.number(bytes[21..<37]) else { return nil }
        self.init(high: high, low: low)
    }

    public init?(_ text: String) {
        var copy = text
        let read = copy.withUTF8 { ContentDigest(JSONText(start: $0.baseAddress, count: $0.count)) }
        guard let read else { return nil }
        self = read
    }

    /// "hash:" and 32 hexadecimal digits: the id of a message that has none of its own.
    public var text: String {
        String(unsafeUninitializedCapacity: 37) { out in
            var place = out.initialize(fromContentsOf: "hash:".utf8)
            for word in [high, low] {
                for shift in stride(from: 60, through: 0, by: -4) {
                    let digit = UInt8(truncatingIfNeeded: word >> UInt64(shift)) & 15
                    out[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                    place += 1
                }
            }
            return place
        }
    }

    // The bits are even already: half of them make as good a place in a table.
    public func hash(into hasher: inout Hasher) { hasher.combine(low) }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
        var number: UInt64 = 0
        for byte in digits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte &- UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte &- UInt8(ascii: "a") &+ 10)
            default: return nil
            }
        }
        return number
    }
}
