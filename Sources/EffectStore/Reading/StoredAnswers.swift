// Answers to requests that came with a key, for a day. Written in the transaction of what the request changed.
import PushMessage

enum StoredAnswers {
    /// nil: the key is free.
    static func answer(
        app: String, token: String, key: String, now: Instant, in connection: Connection
    ) throws(EffectStoreFault) -> KeptAnswer? {
        try connection.row(
            "SELECT question, status, answer FROM answer WHERE app = ? AND token = ? AND key = ? AND at > ?",
            [.text(app), .text(token), .text(key), .integer(now.milliseconds - KeptAnswer.life)]
        ) { (row) throws(EffectStoreFault) in
            KeptAnswer(token: token, key: key, question: row.bytes(0), status: Int(row.integer(1)), answer: row.bytes(2))
        }
    }

    /// How many are kept, of a recipient or of all.
    static func count(app: String, recipient: String?, in connection: Connection) throws(EffectStoreFault) -> Int {
        // A store that no host of this version has had open yet does not know whose they are.
        let names = try connection.integer("SELECT count(*) FROM pragma_table_info('answer') WHERE name = 'recipient'") ?? 0
        let whose = names > 0 ? "AND (?2 IS NULL OR recipient = ?2 OR recipient IS NULL)" : "AND (?2 IS NULL OR ?2 IS NOT NULL)"
        return Int(
            try connection.integer("SELECT count(*) FROM answer WHERE app = ?1 \(whose)", [.text(app), .optional(recipient)]) ?? 0)
    }

    /// Whose those are that an earlier version has kept nobody knows: they go with anybody's.
    static func drop(app: String, recipient: String, in connection: Connection) throws(EffectStoreFault) {
        try connection.run(
            "DELETE FROM answer WHERE app = ? AND (recipient = ? OR recipient IS NULL)", [.text(app), .text(recipient)])
    }

    static func keep(
        _ answer: KeptAnswer, app: String, recipient: String, now: Instant, in connection: Connection
    ) throws(EffectStoreFault) {
        try connection.run(
            """
            INSERT OR REPLACE INTO answer (recipient, app, token, key, question, status, answer, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(recipient),
                .text(app), .text(answer.token), .text(answer.key), .bytes(answer.question), .integer(Int64(answer.status)),
                .bytes(answer.answer), .integer(now.milliseconds),
            ])
    }
}
