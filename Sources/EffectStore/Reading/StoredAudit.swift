// What people did to a store: rulesets that came into force, state that was changed by hand. Rows are only ever added. What
// rules do by themselves stands in the journal and the decision log, not here.
import PushMessage

public struct AuditEntry: Sendable, Equatable {
    public let deed: Deed
    public let app: String
    /// A word such as `promote` or `state_set`.
    public let action: String
    /// What it was done to: a stage and a hash, a recipient and a key.
    public let subject: String

    package init(_ deed: Deed, app: String, action: String, subject: String) {
        self.deed = deed
        self.app = app
        self.action = action
        self.subject = subject
    }
}

enum StoredAudit {
    static func add(_ entry: AuditEntry, in connection: Connection) throws(EffectStoreFault) {
        try connection.run(
            "INSERT INTO audit (at, app, who, action, subject, why) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(entry.deed.at.milliseconds), .text(entry.app), .text(entry.deed.who), .text(entry.action), .text(entry.subject),
                .text(entry.deed.why),
            ])
    }

    /// Rises with every line: each change by hand has one.
    static func last(in connection: Connection) throws(EffectStoreFault) -> Int64 {
        try connection.integer("SELECT max(number) FROM audit") ?? 0
    }

    /// Words for a version that came to a stage. In an index: another one needs another index.
    static let promotions = "'promote', 'reload', 'rollback'"

    /// Of subjects such as "production abc": they stand between "production " and "production!".
    static let versionsOnStage = """
        SELECT substr(subject, length(?2) + 1), action = 'rollback' FROM audit
        WHERE app = ?1 AND subject >= ?2 AND subject < ?3 AND action IN (\(promotions)) ORDER BY number
        """

    /// Of the versions that were brought to a stage for all. Takes as long as there were promotions: whoever goes back waits for it, and
    /// nobody else.
    static func history(app: String, stage: String, in connection: Connection) throws(EffectStoreFault) -> StageHistory {
        var history = StageHistory()
        try connection.rows(versionsOnStage, [.text(app), .text("\(stage) "), .text("\(stage)!")]) {
            (row) throws(EffectStoreFault) in history.came(row.text(0), isWayBack: row.integer(1) != 0)
        }
        return history
    }

    /// The newest first.
    /// - Parameter app: nil: of all apps.
    static func newest(_ count: Int, of app: String?, in connection: Connection) throws(EffectStoreFault) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        try connection.rows(
            """
            SELECT at, app, who, action, subject, why FROM audit WHERE ?1 IS NULL OR app = ?1 ORDER BY number DESC LIMIT ?2
            """, [.optional(app), .integer(Int64(count))]
        ) { (row) throws(EffectStoreFault) in
            entries.append(
                AuditEntry(
                    Deed(who: row.text(2), at: Instant(milliseconds: row.integer(0)), why: row.text(5)), app: row.text(1),
                    action: row.text(3), subject: row.text(4)))
        }
        return entries
    }
}
