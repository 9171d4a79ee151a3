// When the messages that one cap has counted were shown to a recipient. Kept under the cap's key; only as many as the
// caps of that key need.
public import PushMessage

public struct CapCount: Sendable, Equatable {
    /// Earliest first.
    public var instants: [Instant] = []
    /// From then on nothing in here counts any more.
    public var until = Instant(milliseconds: .min)

    public init() {}

    /// - Parameters:
    ///   - limit: how many are kept, the latest.
    ///   - span: milliseconds after which a message no longer counts for any cap of the key.
    mutating func add(_ instant: Instant, keeping limit: Int, span: Int64) {
        var place = instants.count
        while place > 0, instants[place - 1] > instant { place -= 1 }
        instants.insert(instant, at: place)
        if instants.count > limit { instants.removeFirst(instants.count - limit) }
        until = max(until, Instant(milliseconds: instant.milliseconds &+ span))
    }
}

extension CapCount {
    /// Keys that still count, of one recipient; a rule that makes one more fails.
    static let mostKeys = 1_000
    /// Moments that are kept under one key: what a cap can count to.
    static let mostInstants = 1_000
    /// Moments that are kept for one recipient, under all keys.
    static let mostOfAll = 10_000
}

extension ExactTable<CapCount> {
    /// Keys of which something still counts.
    func liveCount(at now: Instant) -> Int { reduce(0) { now < $1.value.until ? $0 + 1 : $0 } }

    /// Moments under the keys of which something still counts.
    func instantCount(at now: Instant) -> Int { reduce(0) { now < $1.value.until ? $0 + $1.value.instants.count : $0 } }

    /// Counts, and lets go what is over whenever the table has grown to twice its size.
    mutating func count(_ key: String, at instant: Instant, keeping limit: Int, span: Int64) {
        if self[key] == nil, count >= 16, count & (count - 1) == 0 { self = filter { instant < $0.value.until } }
        self[key, default: CapCount()].add(instant, keeping: limit, span: span)
    }
}
