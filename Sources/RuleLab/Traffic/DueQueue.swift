// Which message that is held back comes next, of all people. An entry may be out of date - the message has been shown by
// then, or held back until later; whoever takes it looks at the state.
import PushMessage

struct DueQueue {
    struct Entry {
        /// When it is looked at again: at its time, but never before it was held back.
        let at: Instant
        /// Until when it was held back.
        let due: Instant
        /// Two of the same moment come in the order in which they were held back.
        let number: Int
        let recipient: String
        let id: String
    }

    /// A heap: no entry is earlier than the one at half its place.
    private var entries: [Entry] = []
    private var count = 0

    mutating func add(due: Instant, notBefore now: Instant?, recipient: String, id: String) {
        entries.append(Entry(at: now.map { max($0, due) } ?? due, due: due, number: count, recipient: recipient, id: id))
        count += 1
        var place = entries.count - 1
        while place > 0, DueQueue.comesBefore(entries[place], entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// The earliest one that is not later than `now`.
    mutating func next(until now: Instant) -> Entry? {
        guard let first = entries.first, first.at <= now else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first }
        entries[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count && DueQueue.comesBefore(entries[child], entries[least])
            {
                least = child
            }
            guard least != place else { return first }
            entries.swapAt(place, least)
            place = least
        }
    }

    private static func comesBefore(_ a: Entry, _ b: Entry) -> Bool { a.at != b.at ? a.at < b.at : a.number < b.number }
}
