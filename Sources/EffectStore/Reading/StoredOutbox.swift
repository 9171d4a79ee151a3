// What somebody elsewhere is still to be told of: one row for each, written in the commit that decided it, and gone when it was taken
// or is given up. Numbers rise, so that whoever tells them asks for those that are new.
public import PushMessage

/// What is to be told of, without its words.
public struct OutboxEntry: Sendable, Equatable {
    public let number: Int64
    /// When it was decided.
    public let since: Instant

    package init(number: Int64, since: Instant) {
        self.number = number
        self.since = since
    }
}

/// What is to be told: an app, and bytes that never change.
public struct OutboxPost: Sendable, Equatable {
    public let app: String
    public let body: [UInt8]

    package init(app: String, body: [UInt8]) {
        self.app = app
        self.body = body
    }
}

enum StoredOutbox {
    /// In the order in which they were decided.
    static func entries(after number: Int64, in connection: Connection) throws(EffectStoreFault) -> [OutboxEntry] {
        var entries: [OutboxEntry] = []
        try connection.rows("SELECT number, since FROM outbox WHERE number > ? ORDER BY number", [.integer(number)]) {
            (row) throws(EffectStoreFault) in
            entries.append(OutboxEntry(number: row.integer(0), since: Instant(milliseconds: row.integer(1))))
        }
        return entries
    }

    /// The number of the oldest; nil: there is none.
    static func first(in connection: Connection) throws(EffectStoreFault) -> Int64? {
        try connection.integer("SELECT number FROM outbox ORDER BY number LIMIT 1")
    }

    /// nil: it is not there any more.
    static func post(_ number: Int64, in connection: Connection) throws(EffectStoreFault) -> OutboxPost? {
        try connection.row("SELECT app, body FROM outbox WHERE number = ?", [.integer(number)]) {
            (row) throws(EffectStoreFault) in OutboxPost(app: row.text(0), body: row.bytes(1))
        }
    }

    static func drop(_ numbers: [Int64], in connection: Connection) throws(EffectStoreFault) {
        for number in numbers { try connection.run("DELETE FROM outbox WHERE number = ?", [.integer(number)]) }
    }

    /// A recipient who is forgotten is not told about either.
    static func drop(app: String, recipient: String, in connection: Connection) throws(EffectStoreFault) {
        try connection.run("DELETE FROM outbox WHERE app = ? AND recipient = ?", [.text(app), .text(recipient)])
    }

    /// Those of a host that has told nobody since, and did not look at them either.
    static let life: Int64 = 48 * 3_600_000

    static func sweep(now: Instant, atMost rows: Int64, in connection: Connection) throws(EffectStoreFault) {
        try connection.run(
            "DELETE FROM outbox WHERE number IN (SELECT number FROM outbox WHERE since <= ? ORDER BY number LIMIT ?)",
            [.integer(now.milliseconds - life), .integer(rows)])
    }
}
