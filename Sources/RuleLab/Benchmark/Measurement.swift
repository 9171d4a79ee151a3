// One line of a benchmark: what a piece of work costs in CPU time, which a busy neighbour changes less than the time on
// the wall.
import Glibc

public struct Measurement: Sendable {
    public let name: String
    /// What one operation is, for people.
    public let meaning: String
    /// CPU time of one operation, or time on the clock where two processes work at it; the median over all rounds.
    public let nanoseconds: Double
    /// The same in the best round.
    public let bestNanoseconds: Double
    public let rounds: Int
    /// In one round.
    public let operations: Int
    /// Calls of malloc, calloc and realloc for one operation; nil when nobody counts them.
    public let allocations: Double?

    public var perSecond: Double { nanoseconds > 0 ? 1e9 / nanoseconds : 0 }
}

/// CPU time of this process, in nanoseconds.
func cpuTime() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
}

/// A clock that only goes forward, in nanoseconds.
func clockTime() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
}

/// Allocations so far, when the counting library of Benchmarks/ is loaded into the process.
struct AllocationCounter {
    private typealias Count = @convention(c) () -> UInt64
    private let count: Count?

    init() {
        count = dlsym(nil, "counted_allocations").map { unsafeBitCast($0, to: Count.self) }
    }

    var total: UInt64? { count.map { $0() } }
}
