// What an operator wants of the decision log.

public struct DecisionLogSettings: Sendable {
    public let path: String
    /// Of 1: the share of recipients whose decisions are logged.
    public var sample = 1.0
    public var masks: [MaskPath] = []
    /// Bytes after which a new file begins; nil: somebody else sees to that.
    public var rotate: Int?
    /// Files before the one that is written.
    public var keep = 5
    /// Lines and bytes that wait for the disk; beyond, lines are dropped.
    public var mostWaiting = 20_000
    public var mostWaitingBytes = 32 << 20

    public init(path: String) { self.path = path }

    /// "100MB", "1GiB", "5000": nil when it is no size.
    public static func size(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number > 0 else { return nil }
        let units: [String: Int] = [
            "": 1, "B": 1, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
        ]
        guard let unit = units[String(text.dropFirst(digits.count))] else { return nil }
        let (size, overflows) = number.multipliedReportingOverflow(by: unit)
        return overflows ? nil : size
    }
}

/// Whose decisions are logged: of a person all, or none, so that what is logged can be lived through again.
struct LogSample: Sendable {
    /// Of 2 to the power of 64; nil: everybody.
    private let end: UInt64?

    init(_ share: Double) { end = share >= 1 ? nil : UInt64(max(0, share) * 0x1p64) }

    /// - Parameter body: of the request, where nobody is named.
    func takes(app: String, recipient: String, body: [UInt8]) -> Bool {
        guard let end else { return true }
        // FNV-1a with the mixing of SplitMix64 behind it: the same in every run and on every host.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        for byte in app.utf8 { add(byte) }
        add(0)
        if recipient.isEmpty { for byte in body { add(byte) } } else { for byte in recipient.utf8 { add(byte) } }
        hash = (hash ^ hash >> 30) &* 0xbf58_476d_1ce4_e5b9
        hash = (hash ^ hash >> 27) &* 0x94d0_49bb_1331_11eb
        return (hash ^ hash >> 31) < end
    }
}
