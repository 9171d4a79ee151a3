// State as rows: the keyed row of a recipient or an app, and the rows of the journal behind it. What is read is always both
// together, as they were at one moment. Knows of no thread and no lock.
import PushMessage
import RuleEngine

enum StoredState {
    // MARK: reading

    static func recipient(app: String, _ id: String, in connection: Connection) throws(EffectStoreFault) -> RecipientState {
        var state = AppState()
        state.recipients[id] = try keyed(app: app, recipient: id, in: connection).state
        try connection.rows(
            "SELECT format, effects FROM journal WHERE app = ? AND recipient = ? ORDER BY seq", [.text(app), .text(id)]
        ) { (row) throws(EffectStoreFault) in
            state.apply(
                try StoredBytes.effects(row, format: 0, 1, of: StoredBytes.Owner(app: app, recipient: id), connection), recipient: id)
        }
        return state.recipients[id] ?? RecipientState()
    }

    static func shared(app: String, in connection: Connection) throws(EffectStoreFault) -> ExactTable<StoredValue> {
        var state = AppState()
        state.shared = try keyedShared(app: app, in: connection)
        try connection.rows(
            "SELECT format, effects, recipient FROM journal WHERE app = ? AND shares = 1 ORDER BY seq", [.text(app)]
        ) { (row) throws(EffectStoreFault) in
            let owner = StoredBytes.Owner(app: app, recipient: row.text(2))
            state.apply(try StoredBytes.effects(row, format: 0, 1, of: owner, connection).filter { $0.isOfApp }, recipient: "")
        }
        return state.shared
    }

    /// Everything that an app remembers.
    static func app(_ app: String, in connection: Connection) throws(EffectStoreFault) -> AppState {
        var state = AppState()
        state.shared = try keyedShared(app: app, in: connection)
        try connection.rows(
            "SELECT id, format, state FROM recipient WHERE app = ?", [.text(app)]
        ) { (row) throws(EffectStoreFault) in
            let id = row.text(0)
            state.recipients[id] = try StoredBytes.recipient(
                row, format: 1, 2, of: StoredBytes.Owner(app: app, recipient: id), connection)
        }
        try connection.rows(
            "SELECT recipient, format, effects FROM journal WHERE app = ? ORDER BY seq", [.text(app)]
        ) { (row) throws(EffectStoreFault) in
            let id = row.text(0)
            state.apply(
                try StoredBytes.effects(row, format: 1, 2, of: StoredBytes.Owner(app: app, recipient: id), connection), recipient: id)
        }
        return state
    }

    // MARK: keyed rows

    static func keyed(
        app: String, recipient: String, in connection: Connection
    ) throws(EffectStoreFault) -> (state: RecipientState, dedupe: Int64) {
        try connection.row(
            "SELECT format, state, dedupe FROM recipient WHERE app = ? AND id = ?", [.text(app), .text(recipient)]
        ) { (row) throws(EffectStoreFault) in
            (
                try StoredBytes.recipient(row, format: 0, 1, of: StoredBytes.Owner(app: app, recipient: recipient), connection),
                row.integer(2)
            )
        } ?? (RecipientState(), 0)
    }

    static func keyedShared(app: String, in connection: Connection) throws(EffectStoreFault) -> ExactTable<StoredValue> {
        try connection.row("SELECT format, shared FROM app WHERE name = ?", [.text(app)]) { (row) throws(EffectStoreFault) in
            try StoredBytes.shared(row, format: 0, 1, of: StoredBytes.Owner(app: app, recipient: nil), connection)
        } ?? [:]
    }

    /// Without what is over by now; a recipient of whom nothing is left has no row.
    /// - Parameter dedupe: for how many milliseconds messages are remembered, or `Sweeping.unknownWindow`.
    static func write(
        _ state: RecipientState, dedupe: Int64, app: String, recipient: String, now: Instant, in connection: Connection
    ) throws(EffectStoreFault) {
        let (state, stale) = Sweeping.swept(state, dedupe: dedupe, now: now)
        guard state != RecipientState() else {
            try connection.run("DELETE FROM recipient WHERE app = ? AND id = ?", [.text(app), .text(recipient)])
            return
        }
        try connection.run(
            """
            INSERT INTO recipient (app, id, format, state, stale, dedupe) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT DO UPDATE SET format = ?3, state = ?4, stale = ?5, dedupe = ?6
            """,
            [
                .text(app), .text(recipient), .integer(Int64(KeptBytes.format)), .bytes(KeptBytes.bytes(of: state)), .optional(stale),
                .integer(dedupe),
            ])
    }

    static func write(
        _ shared: ExactTable<StoredValue>, app: String, now: Instant, in connection: Connection
    ) throws(EffectStoreFault) {
        let (shared, stale) = Sweeping.swept(shared, now: now)
        guard !shared.isEmpty else {
            try connection.run("DELETE FROM app WHERE name = ?", [.text(app)])
            return
        }
        try connection.run(
            """
            INSERT INTO app (name, format, shared, stale) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET format = ?2, shared = ?3, stale = ?4
            """,
            [.text(app), .integer(Int64(KeptBytes.format)), .bytes(KeptBytes.bytes(of: shared)), .optional(stale)])
    }
}
