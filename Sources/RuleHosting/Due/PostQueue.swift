// Which posts of an outbox are to be sent next: those that were never tried in their order, those that failed when their pause is over.
// Numbers only; their words stay in the store. Belongs to Webhook, which holds its lock.
import EffectStore
import PushMessage

struct PostQueue {
    struct Entry {
        let number: Int64
        let since: Instant
        /// Tries that failed since the host began.
        var failures = 0
        /// Milliseconds of the clock that only goes forward.
        var notBefore: Int64 = 0
    }

    private var fresh: [Entry] = []
    /// Those before are taken.
    private var first = 0
    private var failed: [Entry] = []
    /// The earliest of `failed`.
    private var wake = Int64.max
    private(set) var newest: Int64 = 0

    var count: Int { fresh.count - first + failed.count }
    var oldest: Instant? { all.map(\.since).min() }
    private var all: [Entry] { fresh[first...] + failed }

    /// - Parameter first: of those that are there; what has left by itself leaves here, too.
    mutating func add(_ entries: [OutboxEntry], first number: Int64?) {
        remove { $0.number < number ?? .max }
        fresh += entries.map { Entry(number: $0.number, since: $0.since) }
        newest = max(newest, entries.last?.number ?? 0)
    }

    mutating func next(now: Int64) -> Entry? {
        if wake <= now {
            let due = failed.filter { $0.notBefore <= now }.sorted { $0.notBefore < $1.notBefore }
            failed.removeAll { $0.notBefore <= now }
            fresh = due + fresh[first...]
            first = 0
            wake = failed.map(\.notBefore).min() ?? .max
        }
        guard first < fresh.count else { return nil }
        defer {
            first += 1
            if first * 2 > fresh.count {
                fresh.removeFirst(first)
                first = 0
            }
        }
        return fresh[first]
    }

    /// Milliseconds until one of those that failed is to be tried again.
    func pause(now: Int64) -> Int64? { failed.isEmpty ? nil : max(1, wake - now) }

    mutating func putBack(_ entry: Entry) {
        failed.append(entry)
        wake = min(wake, entry.notBefore)
    }

    /// - Returns: the numbers of those that leave.
    @discardableResult
    mutating func remove(_ isOver: (Entry) -> Bool) -> [Int64] {
        let over = all.filter(isOver).map(\.number)
        guard !over.isEmpty else { return [] }
        fresh = fresh[first...].filter { !isOver($0) }
        first = 0
        failed.removeAll(where: isOver)
        wake = failed.map(\.notBefore).min() ?? .max
        return over
    }
}
