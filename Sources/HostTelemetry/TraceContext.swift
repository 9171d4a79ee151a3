// Who asked, across programs: the header `traceparent` as https://www.w3.org/TR/trace-context/ has it, level 1. Read strictly: what is
// not exactly of its form is as if it were not there, and a new trace begins.

/// One request among those that belong together.
public struct TraceContext: Sendable, Equatable {
    /// 32 digits, not all 0.
    public let trace: String
    /// 16 digits, not all 0: of whoever asked.
    public let parent: String
    public let flags: UInt8

    /// nil: malformed.
    public init?(_ header: String) {
        let bytes = Array(header.utf8)
        guard bytes.count >= 55, bytes[2] == 0x2D, bytes[35] == 0x2D, bytes[52] == 0x2D else { return nil }
        guard let version = TraceContext.number(bytes[0..<2]), version != 0xFF else { return nil }
        // Later versions may have more behind it; this one has not.
        guard bytes.count == 55 || (version > 0 && bytes[55] == 0x2D) else { return nil }
        guard let flags = TraceContext.number(bytes[53..<55]), TraceContext.isID(bytes[3..<35]), TraceContext.isID(bytes[36..<52]) else {
            return nil
        }
        trace = String(decoding: bytes[3..<35], as: UTF8.self)
        parent = String(decoding: bytes[36..<52], as: UTF8.self)
        self.flags = flags
    }

    private init(trace: String, parent: String, flags: UInt8) {
        self.trace = trace
        self.parent = parent
        self.flags = flags
    }

    /// A trace that begins here; nobody has asked for it to be recorded.
    public static func begin() -> TraceContext {
        TraceContext(trace: random() + random(), parent: random(), flags: 0)
    }

    /// The same trace, with this host as the one who speaks.
    public func next() -> TraceContext { TraceContext(trace: trace, parent: TraceContext.random(), flags: flags) }

    /// What a request says, or a new one; either way with this host as the one who speaks.
    public static func of(_ header: String?) -> TraceContext { header.flatMap { TraceContext($0) }?.next() ?? begin() }

    /// Of version 00, which has no other flag than the lowest.
    public var header: String { "00-\(trace)-\(parent)-\(flags & 1 == 1 ? "01" : "00")" }

    /// 16 digits, not all 0.
    private static func random() -> String {
        let digits = String(UInt64.random(in: 1 ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func isID(_ digits: ArraySlice<UInt8>) -> Bool {
        digits.allSatisfy { digit($0) != nil } && digits.contains { $0 != 0x30 }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt8? {
        var number: UInt8 = 0
        for byte in digits {
            guard let digit = digit(byte) else { return nil }
            number = number << 4 | digit
        }
        return number
    }

    /// Small letters only.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
