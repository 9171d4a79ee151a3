// New rows of the outbox, and the bound on all of them: where nobody takes what he is told, the oldest make way, a tenth at a time. Used
// by GroupWriting, in the transaction of a commit.
import PushMessage

package struct OutboxBounds: Sendable {
    package var rows = 100_000
    package var bytes = 256 << 20

    package init() {}
}

struct OutboxWriting {
    private let bounds: OutboxBounds
    /// Of the next row: beyond all that anybody can have asked for since the store was opened.
    private var next: Int64
    /// At most so many are there: what leaves otherwise is not taken off before it matters.
    private var rows: Int
    private var bytes: Int
    /// Since the store was opened.
    private(set) var dropped = 0

    init(_ connection: Connection, _ bounds: OutboxBounds) throws(EffectStoreFault) {
        self.bounds = bounds
        next = (try connection.integer("SELECT max(number) FROM outbox") ?? 0) + 1
        (rows, bytes) = try OutboxWriting.count(connection)
    }

    private static func count(_ connection: Connection) throws(EffectStoreFault) -> (rows: Int, bytes: Int) {
        try connection.row("SELECT count(*), coalesce(sum(length(body)), 0) FROM outbox") {
            (row) throws(EffectStoreFault) in (Int(row.integer(0)), Int(row.integer(1)))
        } ?? (0, 0)
    }

    mutating func add(
        _ body: [UInt8], app: String, recipient: String, now: Instant, in connection: Connection
    ) throws(EffectStoreFault) {
        try connection.run(
            "INSERT INTO outbox (number, app, recipient, since, body) VALUES (?, ?, ?, ?, ?)",
            [.integer(next), .text(app), .text(recipient), .integer(now.milliseconds), .bytes(body)])
        next += 1
        rows += 1
        bytes += body.count
        guard rows > bounds.rows || bytes > bounds.bytes else { return }
        (rows, bytes) = try OutboxWriting.count(connection)
        guard rows > bounds.rows || bytes > bounds.bytes else { return }
        try makeRoom(in: connection)
    }

    private mutating func makeRoom(in connection: Connection) throws(EffectStoreFault) {
        while rows > 1, rows > bounds.rows / 10 * 9 || bytes > bounds.bytes / 10 * 9 {
            try connection.run(
                "DELETE FROM outbox WHERE number IN (SELECT number FROM outbox ORDER BY number LIMIT ?)",
                [.integer(Int64(max(1, rows / 10)))])
            dropped += connection.changes
            (rows, bytes) = try OutboxWriting.count(connection)
        }
    }
}
