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

    static func keep(_ answer: KeptAnswer, app: String, now: Instant, in connection: Connection) throws(EffectStoreFault) {
        try connection.run(
            "INSERT OR REPLACE INTO answer (app, token, key, question, status, answer, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                .text(app), .text(answer.token), .text(answer.key), .bytes(answer.question), .integer(Int64(answer.status)),
                .bytes(answer.answer), .integer(now.milliseconds),
            ])
    }
}
