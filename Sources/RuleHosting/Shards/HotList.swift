// Which recipients a shard has in memory, and which of them have not been asked about for longest: these leave when there are
// too many, or when they take too much room, unless something of theirs is on its way to the store.
import RuleEngine

/// What a shard knows of a recipient whose state it has. An object, so that it is looked up once for a request.
final class Hot {
    /// Handed to the store, and not heard of.
    var unkept = 0
    /// Rises with each use, over all apps.
    var use: UInt64 = 0
    /// About what he takes: as he was read, and what has come since.
    var bytes: Int

    init(bytes: Int, use: UInt64) {
        self.bytes = bytes
        self.use = use
    }
}

final class HotList {
    private struct Place {
        let memory: AppMemory
        let recipient: String
        /// As he was when he came; one who was read again has another place.
        let hot: Hot
        let use: UInt64

        var isOver: Bool { memory.hot[recipient] !== hot }
    }

    private let most: Int
    private let mostBytes: Int
    private var uses: UInt64 = 0
    private(set) var count = 0
    private(set) var bytes = 0
    /// Each recipient stands here once, at a use that may not be his last. Those that have left otherwise are passed over.
    private var line: [Place] = []
    private var first = 0

    init(most: Int, bytes: Int) {
        self.most = most
        mostBytes = bytes
    }

    func nextUse() -> UInt64 {
        uses += 1
        return uses
    }

    func add(_ recipient: String, of memory: AppMemory, _ hot: Hot) {
        count += 1
        bytes += hot.bytes
        line.append(Place(memory: memory, recipient: recipient, hot: hot, use: hot.use))
    }

    func grow(by bytes: Int) { self.bytes += bytes }

    func leave(_ bytes: Int) {
        count -= 1
        self.bytes -= bytes
    }

    /// It holds what holds it.
    func clear() { line = [] }

    func shrink() {
        var looks = line.count - first
        while count > most || bytes > mostBytes, looks > 0 {
            looks -= 1
            let place = line[first]
            first += 1
            guard !place.isOver else { continue }
            if place.hot.unkept > 0 || place.hot.use != place.use {
                line.append(Place(memory: place.memory, recipient: place.recipient, hot: place.hot, use: place.hot.use))
            } else {
                place.memory.forget(place.recipient)
            }
        }
        if line.count - first > 2 * count + 64 {
            line = line[first...].filter { !$0.isOver }
            first = 0
        } else if first > line.count / 2 {
            line.removeFirst(first)
            first = 0
        }
    }
}
