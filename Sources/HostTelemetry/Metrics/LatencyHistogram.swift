// How long something took, by fixed bounds: from what one decision needs to what nobody waits for.

final class LatencyHistogram: Sendable {
    /// In nanoseconds: upper ends, each inclusive; beyond the last is one more.
    static let bounds: [Int64] = [
        10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
    private static let sum = bounds.count + 1
    private let row = AtomicRow(LatencyHistogram.bounds.count + 2)

    /// For the one thread that counts here.
    func bump(_ nanoseconds: Int64) {
        row.bump(LatencyHistogram.place(of: nanoseconds))
        row.bump(LatencyHistogram.sum, by: Int(nanoseconds))
    }

    /// For any thread.
    func add(_ nanoseconds: Int64, count: Int = 1) {
        row.add(LatencyHistogram.place(of: nanoseconds), count)
        row.add(LatencyHistogram.sum, Int(nanoseconds) &* count)
    }

    private static func place(of nanoseconds: Int64) -> Int {
        bounds.withUnsafeBufferPointer { bounds in
            var place = 0
            while place < bounds.count, bounds[place] < nanoseconds { place += 1 }
            return place
        }
    }

    var counts: HistogramCounts {
        HistogramCounts(counts: (0..<LatencyHistogram.sum).map { row[$0] }, nanoseconds: row[LatencyHistogram.sum])
    }
}

/// What a histogram held at one moment.
struct HistogramCounts {
    /// By bound, and beyond the last.
    var counts = [Int](repeating: 0, count: LatencyHistogram.bounds.count + 1)
    var nanoseconds = 0

    static func += (one: inout HistogramCounts, other: HistogramCounts) {
        for place in one.counts.indices { one.counts[place] += other.counts[place] }
        one.nanoseconds += other.nanoseconds
    }
}
