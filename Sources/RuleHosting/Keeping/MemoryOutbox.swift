// What a webhook is to be told of, in memory, as a store has it in a table. The oldest make way when there are too many.
import EffectStore
import PushMessage

struct MemoryOutbox {
    private var posts: [(entry: OutboxEntry, recipient: String, post: OutboxPost)] = []
    private var bytes = 0
    private var next: Int64 = 1
    private(set) var dropped = 0
    private static let mostPosts = 10_000, mostBytes = 64 << 20

    var first: Int64? { posts.first?.entry.number }

    mutating func add(_ body: [UInt8], app: String, recipient: String, now: Instant) {
        posts.append((OutboxEntry(number: next, since: now), recipient, OutboxPost(app: app, body: body)))
        next += 1
        bytes += body.count
        while posts.count > MemoryOutbox.mostPosts || bytes > MemoryOutbox.mostBytes && posts.count > 1 {
            bytes -= posts.removeFirst().post.body.count
            dropped += 1
        }
    }

    func entries(after number: Int64) -> [OutboxEntry] { posts.lazy.map(\.entry).filter { $0.number > number } }

    func post(_ number: Int64) -> OutboxPost? { posts.first { $0.entry.number == number }?.post }

    mutating func drop(_ numbers: [Int64]) {
        let gone = Set(numbers)
        drop { entry, _, _ in gone.contains(entry.number) }
    }

    /// - Parameter recipient: nil: all.
    mutating func drop(app: String, recipient: String?) {
        drop { _, whose, post in post.app == app && (recipient == nil || whose == recipient) }
    }

    private mutating func drop(_ isGone: (OutboxEntry, String, OutboxPost) -> Bool) {
        posts.removeAll { isGone($0.entry, $0.recipient, $0.post) }
        bytes = posts.reduce(0) { $0 + $1.post.body.count }
    }
}
