// Which message that is held back comes next: by time, over all apps, found in one look. The messages themselves are in the
// state of their recipients; written in the transaction that changes that.
public import PushMessage
import RuleEngine

/// A message that is to be looked at again.
public struct DueMessage: Sendable, Equatable {
    public let app: String
    public let recipient: String
    /// `deferred_id` of the event `due`.
    public let id: String
    /// As it was when it was held back; `DeferredMessage.dueAt` knows whether the rules of its zone have changed since.
    public let at: Instant

    package init(app: String, recipient: String, id: String, at: Instant) {
        self.app = app
        self.recipient = recipient
        self.id = id
        self.at = at
    }
}

enum StoredDue {
    /// The earliest first.
    /// - Parameter app: nil: of all apps.
    static func next(_ count: Int, of app: String? = nil, in connection: Connection) throws(EffectStoreFault) -> [DueMessage] {
        var messages: [DueMessage] = []
        try connection.rows(
            "SELECT app, recipient, id, at FROM due \(app == nil ? "" : "WHERE app = ?1 ")ORDER BY at LIMIT ?2",
            [.optional(app), .integer(Int64(count))]
        ) { (row) throws(EffectStoreFault) in
            messages.append(
                DueMessage(app: row.text(0), recipient: row.text(1), id: row.text(2), at: Instant(milliseconds: row.integer(3))))
        }
        return messages
    }

    /// Each app is found in one look, and its first message in another, however many they hold.
    static func apps(in connection: Connection) throws(EffectStoreFault) -> [(app: String, at: Instant)] {
        var apps: [(app: String, at: Instant)] = []
        try connection.rows(
            """
            WITH RECURSIVE apps (app) AS (
                SELECT min(app) FROM due UNION ALL
                SELECT (SELECT min(app) FROM due WHERE due.app > apps.app) FROM apps WHERE apps.app IS NOT NULL)
            SELECT app, (SELECT min(at) FROM due WHERE due.app = apps.app) FROM apps WHERE app IS NOT NULL
            """
        ) { (row) throws(EffectStoreFault) in apps.append((row.text(0), Instant(milliseconds: row.integer(1)))) }
        return apps
    }

    static func apply(_ change: DueChange, app: String, recipient: String, in connection: Connection) throws(EffectStoreFault) {
        if case .keep(let id, _) = change { try dropLong(id, app: app, recipient: recipient, in: connection) }
        if case .drop(let id) = change { try dropLong(id, app: app, recipient: recipient, in: connection) }
        switch change {
        case .keep(let id, let at?):
            try connection.run(
                "INSERT OR REPLACE INTO due (app, recipient, id, at) VALUES (?, ?, ?, ?)",
                [.text(app), .text(recipient), .text(id), .integer(at.milliseconds)])
        case .keep(let id, nil), .drop(let id):
            try connection.run(
                "DELETE FROM due WHERE app = ? AND recipient = ? AND id = ?", [.text(app), .text(recipient), .text(id)])
        }
    }

    /// Stores that were written before long ids were kept as digests hold the ids themselves.
    private static func dropLong(_ id: String, app: String, recipient: String, in connection: Connection) throws(EffectStoreFault) {
        guard id.hasPrefix(KeptID.mark) else { return }
        var long: [String] = []
        try connection.rows(
            "SELECT id FROM due WHERE app = ? AND recipient = ? AND length(CAST(id AS BLOB)) > ?",
            [.text(app), .text(recipient), .integer(Int64(KeptID.longest))]
        ) { (row) throws(EffectStoreFault) in
            if KeptID.of(row.text(0)) == id { long.append(row.text(0)) }
        }
        for id in long {
            try connection.run("DELETE FROM due WHERE app = ? AND recipient = ? AND id = ?", [.text(app), .text(recipient), .text(id)])
        }
    }

    /// In place of what is known of a recipient.
    static func replace(_ deferred: DeferredMessages, app: String, recipient: String, in connection: Connection) throws(EffectStoreFault) {
        try connection.run("DELETE FROM due WHERE app = ? AND recipient = ?", [.text(app), .text(recipient)])
        for message in deferred {
            guard let at = message.dueAt else { continue }
            try apply(.keep(id: message.id, at: at), app: app, recipient: recipient, in: connection)
        }
    }
}
