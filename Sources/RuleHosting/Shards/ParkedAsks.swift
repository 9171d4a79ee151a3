// Requests of one app that were taken from the queue and cannot be decided yet: they wait in their order. Belongs to the app's seat.

struct ParkedAsks {
    private var asks: [Ask] = []
    /// Those before are taken.
    private var first = 0

    var count: Int { asks.count - first }
    var isEmpty: Bool { count == 0 }

    mutating func add(_ more: ArraySlice<Ask>) { asks += more }

    /// Those that have waited for longest.
    mutating func take(_ most: Int) -> [Ask] {
        let end = first + min(most, count)
        let taken = Array(asks[first..<end])
        first = end
        // Moved together when most of it is empty: each is moved once at most.
        if first * 2 > asks.count {
            asks.removeFirst(first)
            first = 0
        }
        return taken
    }
}
