// Which recipients a shard has in memory, and which of them have not been asked about for longest: these leave when there are
// too many, unless something of theirs is on its way to the store.
import RuleEngine

/// What a shard knows of a recipient whose state it has.
struct Hot {
    /// Handed to the store, and not heard of.
    var unkept = 0
    /// Rises with each use, over all apps.
    var use: UInt64 = 0
}

final class HotList {
    private struct Place {
        unowned let memory: AppMemory
        let recipient: String
        let use: UInt64
    }

    private let most: Int
    private var uses: UInt64 = 0
    /// Each recipient stands here once, at a use that may not be his last.
    private var line: [Place] = []
    private var first = 0

    init(most: Int) { self.most = most }

    var count: Int { line.count - first }

    func nextUse() -> UInt64 {
        uses += 1
        return uses
    }

    func add(_ recipient: String, of memory: AppMemory, use: UInt64) { line.append(Place(memory: memory, recipient: recipient, use: use)) }

    func shrink() {
        var looks = line.count - first
        while line.count - first > most, looks > 0 {
            looks -= 1
            let place = line[first]
            first += 1
            guard let hot = place.memory.hot[place.recipient] else { continue }
            if hot.unkept > 0 || hot.use != place.use {
                line.append(Place(memory: place.memory, recipient: place.recipient, use: hot.use))
            } else {
                place.memory.forget(place.recipient)
            }
        }
        guard first > line.count / 2 else { return }
        line.removeFirst(first)
        first = 0
    }

    /// All of an app.
    func leave(_ memory: AppMemory) {
        line = line[first...].filter { $0.memory !== memory }
        first = 0
    }
}
