// What leaves the tables because something else comes in its place: the row of a recipient or of an app, and its part of what lies
// in the journal, which would otherwise come over the new state. A row that cannot be read goes whole. Called by StateChange, in
// its transaction.
import RuleEngine

enum ReplacedRows {
    /// Numbers of rows rise for ever, also when the newest rows leave.
    static func keepNumbers(in connection: Connection) throws(EffectStoreFault) {
        try connection.run(
            """
            INSERT OR REPLACE INTO meta (key, value) SELECT 'folded', max(
                coalesce((SELECT value FROM meta WHERE key = 'folded'), 0), coalesce((SELECT max(seq) FROM journal), 0))
            """)
    }

    /// - Returns: for how many milliseconds the app remembers messages of the recipient, as far as it has said; else 0, or
    ///   `Sweeping.unknownWindow`.
    static func drop(recipient id: String, app: String, in connection: Connection) throws(EffectStoreFault) -> Int64 {
        var window =
            try connection.integer("SELECT dedupe FROM recipient WHERE app = ? AND id = ?", [.text(app), .text(id)]) ?? 0
        let rows = try journal("recipient = ?", [.text(app), .text(id)], app: app, in: connection)
        for row in rows {
            for case .sawMessage(let mark) in row.effects { window = max(window, mark.window) }
            try keep(row.effects.filter(\.isOfApp), shares: true, at: row.number, in: connection)
        }
        try connection.run("DELETE FROM recipient WHERE app = ? AND id = ?", [.text(app), .text(id)])
        return window
    }

    static func dropShared(app: String, in connection: Connection) throws(EffectStoreFault) {
        for row in try journal("shares = 1", [.text(app)], app: app, in: connection) {
            try keep(row.effects.filter { !$0.isOfApp }, shares: false, at: row.number, in: connection)
        }
    }

    private static func journal(
        _ which: String, _ cells: [Cell], app: String, in connection: Connection
    ) throws(EffectStoreFault) -> [(number: Int64, effects: [Effect])] {
        var rows: [(number: Int64, effects: [Effect])] = []
        try connection.rows("SELECT seq, recipient, format, effects FROM journal WHERE app = ? AND \(which) ORDER BY seq", cells) {
            (row) throws(EffectStoreFault) in
            let owner = StoredBytes.Owner(app: app, recipient: row.text(1))
            do throws(EffectStoreFault) {
                rows.append((row.integer(0), try StoredBytes.effects(row, format: 2, 3, of: owner, connection)))
            } catch {
                guard error.code == .damaged else { throw error }
                rows.append((row.integer(0), []))
            }
        }
        return rows
    }

    /// What is left of a row of the journal.
    static func keep(
        _ effects: [Effect], shares: Bool, at number: Int64, in connection: Connection
    ) throws(EffectStoreFault) {
        guard !effects.isEmpty else { return try connection.run("DELETE FROM journal WHERE seq = ?", [.integer(number)]) }
        try connection.run(
            "UPDATE journal SET effects = ?, format = ?, shares = ? WHERE seq = ?",
            [.bytes(KeptBytes.bytes(of: effects)), .integer(Int64(KeptBytes.format)), .integer(shares ? 1 : 0), .integer(number)])
    }
}
