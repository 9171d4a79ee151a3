// Who asked, across programs: the field `traceparent` as https://www.w3.org/TR/trace-context/ has it, level 1. Read strictly: what is
// not exactly of its form is as if it were not there, and a new trace begins. Numbers, because each request has one.

/// One request among those that belong together.
public struct TraceContext: Sendable, Equatable {
    /// 128 bits, not all 0.
    let trace: (high: UInt64, low: UInt64)
    /// Not 0: of whoever asked.
    let parent: UInt64
    let flags: UInt8

    /// nil: malformed.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard unsafe bytes.count >= 55 && bytes[2] == 0x2d && bytes[35] == 0x2d && bytes[52] == 0x2d else { return nil }
        guard let version = unsafe TraceContext.number(bytes, 0..<2), version != 0xff else { return nil }
        // Later versions may have more behind it; this one has not.
        guard unsafe bytes.count == 55 || (version > 0 && bytes[55] == 0x2d) else { return nil }
        guard let high = unsafe TraceContext.number(bytes, 3..<19), let low = unsafe TraceContext.number(bytes, 19..<35),
            let parent = unsafe TraceContext.number(bytes, 36..<52), let flags = unsafe TraceContext.number(bytes, 53..<55)
        else { return nil }
        guard high | low != 0, parent != 0 else { return nil }
        self.init(trace: (high, low), parent: parent, flags: UInt8(flags))
    }

    public init?(_ header: String) {
        var copy = header
        guard let context = copy.withUTF8({ unsafe TraceContext(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = context
    }

    init(trace: (high: UInt64, low: UInt64), parent: UInt64, flags: UInt8) {
        self.trace = trace
        self.parent = parent
        self.flags = flags
    }

    public static func == (one: TraceContext, other: TraceContext) -> Bool {
        one.trace == other.trace && one.parent == other.parent && one.flags == other.flags
    }

    /// The same trace, with this server as the one who speaks.
    func next(_ numbers: inout TraceNumbers) -> TraceContext { TraceContext(trace: trace, parent: numbers.next(), flags: flags) }

    public var header: String { String(decoding: bytes, as: UTF8.self) }

    /// Of version 00, which has no other flag than the lowest.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(55)
        bytes += [0x30, 0x30, 0x2d]
        TraceContext.write(trace.high, &bytes)
        TraceContext.write(trace.low, &bytes)
        bytes.append(0x2d)
        TraceContext.write(parent, &bytes)
        bytes += [0x2d, 0x30, 0x30 + (flags & 1)]
        return bytes
    }

    private static func write(_ number: UInt64, _ bytes: inout [UInt8]) {
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 15
            bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    /// Small letters only.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64? {
        var number: UInt64 = 0
        for index in range {
            switch unsafe bytes[index] {
            case 0x30...0x39: unsafe number = number << 4 | UInt64(bytes[index] - 0x30)
            case 0x61...0x66: unsafe number = number << 4 | UInt64(bytes[index] - 0x57)
            default: return nil
            }
        }
        return number
    }
}

/// Names for traces and their parts: the steps of SplitMix64 from a beginning that nobody knows, so that none asks the system. A loop has one.
struct TraceNumbers {
    private var state = UInt64.random(in: .min ... .max)

    /// Not 0.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var number = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ number >> 27) &* 0x94d0_49bb_1331_11eb
        return max(1, number ^ number >> 31)
    }

    /// A trace that begins here; nobody has asked for it to be recorded.
    mutating func begin() -> TraceContext { TraceContext(trace: (next(), next()), parent: next(), flags: 0) }
}
