// When streams want to be called again, such as those that are held back for a while. Belongs to a loop, whose timer is set for the earliest.

struct Reminders {
    private var all: [(due: Int, id: ExchangeID)] = []

    /// - Parameter due: milliseconds on the loop's clock.
    mutating func add(_ id: ExchangeID, due: Int) { all.append((due, id)) }

    /// nil: nobody waits.
    var earliest: Int? { all.lazy.map(\.due).min() }

    mutating func take(now: Int) -> [ExchangeID] {
        let due = all.filter { $0.due <= now }.map(\.id)
        if !due.isEmpty { all.removeAll { $0.due <= now } }
        return due
    }
}
