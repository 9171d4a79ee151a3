// What is over leaves the file: values that have expired, messages that no copy can be recognised of any more, caps that no
// longer count, answers older than a day, pages that hold nothing. Each row says when something in it will be over, so that only
// those are looked at. Called when the journal is folded and nobody waits.
import PushMessage
import RuleEngine

enum Sweeping {
    private static let rows: Int64 = 64
    /// Rows are looked at once in a day at most.
    private static let day: Int64 = 24 * 3_600_000
    /// For how long a message is remembered where no app has said.
    static let defaultDedupe: Int64 = 28 * day
    /// Of messages that somebody has put there: they stay until the app's next message says for how long.
    static let unknownWindow: Int64 = -1

    private static let longest: Int64 = 36_500 * day

    /// Whether there may be more.
    /// - Parameter unreadable: what cannot be read is put off for a day, and told there.
    static func sweep(_ connection: Connection, now: Instant, _ unreadable: inout UnreadableParts) throws(EffectStoreFault) -> Bool {
        try connection.transaction { () throws(EffectStoreFault) in
            var people: [(app: String, id: String)] = []
            try connection.rows(
                "SELECT app, id FROM recipient WHERE stale <= ? ORDER BY stale LIMIT ?", [.integer(now.milliseconds), .integer(rows)]
            ) { (row) throws(EffectStoreFault) in people.append((row.text(0), row.text(1))) }
            for person in people {
                let known = try UnreadableParts.read { () throws(EffectStoreFault) in
                    try StoredState.keyed(app: person.app, recipient: person.id, in: connection)
                } else: { () throws(EffectStoreFault) in
                    unreadable.add(recipient: person.id, of: person.app)
                    try connection.run(
                        "UPDATE recipient SET stale = ? WHERE app = ? AND id = ?",
                        [.integer(tomorrow(now)), .text(person.app), .text(person.id)])
                }
                guard let (state, dedupe) = known else { continue }
                try StoredState.write(state, dedupe: dedupe, app: person.app, recipient: person.id, now: now, in: connection)
            }
            var apps: [String] = []
            try connection.rows("SELECT name FROM app WHERE stale <= ? LIMIT ?", [.integer(now.milliseconds), .integer(rows)]) {
                (row) throws(EffectStoreFault) in apps.append(row.text(0))
            }
            for app in apps {
                let shared = try UnreadableParts.read { () throws(EffectStoreFault) in
                    try StoredState.keyedShared(app: app, in: connection)
                } else: { () throws(EffectStoreFault) in
                    unreadable.addShared(of: app)
                    try connection.run("UPDATE app SET stale = ? WHERE name = ?", [.integer(tomorrow(now)), .text(app)])
                }
                if let shared { try StoredState.write(shared, app: app, now: now, in: connection) }
            }
            try StoredOutbox.sweep(now: now, atMost: rows * 8, in: connection)
            try connection.run(
                "DELETE FROM answer WHERE rowid IN (SELECT rowid FROM answer WHERE at <= ? LIMIT ?)",
                [.integer(now.milliseconds - KeptAnswer.life), .integer(rows * 8)])
            return people.count == Int(rows) || apps.count == Int(rows) || connection.changes == Int(rows) * 8
        }
    }

    /// Whether there may be more.
    static func giveBack(_ connection: Connection) throws(EffectStoreFault) -> Bool {
        let free = try connection.integer("PRAGMA freelist_count") ?? 0
        let all = try connection.integer("PRAGMA page_count") ?? 0
        // Some are left for what comes next.
        guard free > 1_024, free > all / 4, try connection.integer("PRAGMA auto_vacuum") == 2 else { return false }
        try connection.set("incremental_vacuum(256)")
        return true
    }

    // MARK: what is over

    /// Without what is over, and when the next part of it will be; nil: never.
    static func swept(_ values: ExactTable<StoredValue>, now: Instant) -> (ExactTable<StoredValue>, stale: Int64?) {
        let kept = values.filter { $0.value.expiresAt.map { now < $0 } ?? true }
        return (kept, rounded(kept.compactMap { $0.value.expiresAt?.milliseconds }.min()))
    }

    static func swept(_ state: RecipientState, dedupe: Int64, now: Instant) -> (RecipientState, stale: Int64?) {
        var state = state
        var ends: [Int64] = []
        let (values, stale) = swept(state.values, now: now)
        state.values = values
        if let stale { ends.append(stale) }
        let window = window(dedupe)
        let seen = state.seen.messages
        let oldest = now.milliseconds - window
        if seen.contains(where: { $0.first.milliseconds < oldest }) {
            state.seen = SeenMessages(seen.filter { $0.first.milliseconds >= oldest })
        }
        if let first = seen.lazy.map({ $0.first.milliseconds }).filter({ $0 >= oldest }).min() { ends.append(first &+ window &+ 1) }
        state.caps = state.caps.filter { now < $0.value.until }
        if let until = state.caps.map({ $0.value.until.milliseconds }).min(), until < .max - day { ends.append(until) }
        return (state, rounded(ends.min()))
    }

    static func window(_ dedupe: Int64) -> Int64 {
        dedupe == unknownWindow ? longest : dedupe > 0 ? min(dedupe, longest) : defaultDedupe
    }

    private static func tomorrow(_ now: Instant) -> Int64 { (now.milliseconds / day + 1) * day }

    /// Up to the next day; nil: at no time that comes.
    private static func rounded(_ milliseconds: Int64?) -> Int64? {
        guard let milliseconds, milliseconds < .max - day else { return nil }
        return (milliseconds / day + 1) * day
    }
}
