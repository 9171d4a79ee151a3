// The tables, and how an older file becomes a newer one. A step that has been in a release is never changed: a new one is put
// behind it. Called when a store is opened; what the rows mean is told where they are written.

package struct Schema: Sendable {
    /// Of the file's head: "RHST". Other files of SQLite have another number there.
    static let mark: Int64 = 0x5248_5354

    /// Each brings a file from the version before to the next one; the first begins with an empty file.
    /// In statements without a semicolon of their own.
    let steps: [String]

    var version: Int64 { Int64(steps.count) }

    package static let current = Schema(steps: [first, second, third, fourth, fifth])

    /// Which message of an app comes next.
    private static let fifth = "CREATE INDEX due_by_app ON due (app, at)"

    /// Which versions have been on a stage, however much else people have done since. A query names the same words.
    private static let fourth = """
        CREATE INDEX audit_by_stage ON audit (app, subject) WHERE action IN (\(StoredAudit.promotions))
        """

    /// What somebody elsewhere is to be told of.
    private static let third = """
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY, app TEXT NOT NULL, recipient TEXT NOT NULL, since INTEGER NOT NULL, body BLOB NOT NULL) STRICT
        """

    /// Whose an answer is: it is forgotten together with the recipient. Empty of those that were kept before.
    private static let second = """
        ALTER TABLE answer ADD COLUMN recipient TEXT;
        CREATE INDEX answer_by_recipient ON answer (app, recipient)
        """

    private static let first = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE journal (
            seq INTEGER PRIMARY KEY, app TEXT NOT NULL, recipient TEXT NOT NULL, shares INTEGER NOT NULL,
            format INTEGER NOT NULL, effects BLOB NOT NULL) STRICT;
        CREATE INDEX journal_by_recipient ON journal (app, recipient);
        CREATE INDEX journal_by_app ON journal (app) WHERE shares = 1;
        CREATE TABLE recipient (
            app TEXT NOT NULL, id TEXT NOT NULL, format INTEGER NOT NULL, state BLOB NOT NULL, stale INTEGER,
            dedupe INTEGER NOT NULL, PRIMARY KEY (app, id)) STRICT;
        CREATE INDEX recipient_by_stale ON recipient (stale) WHERE stale IS NOT NULL;
        CREATE TABLE app (name TEXT PRIMARY KEY, format INTEGER NOT NULL, shared BLOB NOT NULL, stale INTEGER) STRICT;
        CREATE TABLE due (
            app TEXT NOT NULL, recipient TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
            PRIMARY KEY (app, recipient, id)) STRICT, WITHOUT ROWID;
        CREATE INDEX due_by_time ON due (at);
        CREATE TABLE answer (
            app TEXT NOT NULL, token TEXT NOT NULL, key TEXT NOT NULL, question BLOB NOT NULL, status INTEGER NOT NULL,
            answer BLOB NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (app, token, key)) STRICT;
        CREATE INDEX answer_by_time ON answer (at);
        CREATE TABLE version (
            app TEXT NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL, who TEXT NOT NULL, why TEXT NOT NULL,
            PRIMARY KEY (app, hash)) STRICT;
        CREATE TABLE version_file (
            app TEXT NOT NULL, hash TEXT NOT NULL, path TEXT NOT NULL, content BLOB NOT NULL,
            PRIMARY KEY (app, hash, path)) STRICT;
        CREATE TABLE stage (
            app TEXT NOT NULL, stage TEXT NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL, who TEXT NOT NULL,
            why TEXT NOT NULL, PRIMARY KEY (app, stage)) STRICT;
        CREATE TABLE audit (
            number INTEGER PRIMARY KEY, at INTEGER NOT NULL, app TEXT NOT NULL, who TEXT NOT NULL, action TEXT NOT NULL,
            subject TEXT NOT NULL, why TEXT NOT NULL) STRICT
        """

    /// What a file is, before anything is done to it.
    enum Finding: Equatable {
        /// No table yet.
        case empty
        case store(version: Int64)
    }

    /// Throws for a file that is none of ours, or a later one.
    func find(in connection: Connection) throws(EffectStoreFault) -> Finding {
        let mark = try connection.integer("PRAGMA application_id") ?? 0
        let version = try connection.integer("PRAGMA user_version") ?? 0
        let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        if mark == 0, version == 0, tables == 0 { return .empty }
        guard mark == Schema.mark, version > 0 else {
            throw .foreign(connection.path, "the file is a database, but not a store of rulehost")
        }
        guard version <= self.version else {
            throw .newer(connection.path, "its layout is number \(version), and this one knows those up to \(self.version)")
        }
        try compare(connection, version)
        return .store(version: version)
    }

    /// A view or a trigger would answer, or write, in the place of a table; a file that was repaired may lack one.
    private func compare(_ connection: Connection, _ version: Int64) throws(EffectStoreFault) {
        let pattern = try Connection(":memory:", path: connection.path, .writing)
        try run(steps[..<Int(version)], pattern)
        let query = "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        var wanted: [String: String] = [:]
        try pattern.rows(query) { (row) throws(EffectStoreFault) in wanted[row.text(0)] = row.text(1) }
        var others = 0
        try connection.rows(query) { (row) throws(EffectStoreFault) in
            if wanted[row.text(0)] == row.text(1) { wanted[row.text(0)] = nil } else { others += 1 }
        }
        if let missing = wanted.keys.min() { throw .damaged(connection.path, "its \(missing) is not there, or not as it should be") }
        guard others == 0 else { throw .damaged(connection.path, "there are tables or triggers in it that are not a store's") }
    }

    private func run(_ steps: ArraySlice<String>, _ connection: Connection) throws(EffectStoreFault) {
        for step in steps {
            for statement in step.split(separator: ";") { try connection.run(String(statement)) }
        }
    }

    /// Brings the file to this version, all at once.
    func migrate(_ connection: Connection, from finding: Finding) throws(EffectStoreFault) {
        var version: Int64 = 0
        if case .store(let found) = finding { version = found }
        guard version < self.version else { return }
        try connection.transaction { () throws(EffectStoreFault) in
            try run(steps[Int(version)...], connection)
            try connection.set("application_id = \(Schema.mark)")
            try connection.set("user_version = \(self.version)")
        }
    }
}
