// The tables, and how an older file becomes a newer one. A step that has been in a release is never changed: a new one is put
// behind it. Called when a store is opened; what the rows mean is told where they are written.

package struct Schema: Sendable {
    /// Of the file's head: "RHST". Other files of SQLite have another number there.
    static let mark: Int64 = 0x5248_5354

    /// Each brings a file from the version before to the next one; the first begins with an empty file.
    /// In statements without a semicolon of their own.
    let steps: [String]

    var version: Int64 { Int64(steps.count) }

    package static let current = Schema(steps: [first])

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
        return .store(version: version)
    }

    /// Brings the file to this version, all at once.
    func migrate(_ connection: Connection, from finding: Finding) throws(EffectStoreFault) {
        var version: Int64 = 0
        if case .store(let found) = finding { version = found }
        guard version < self.version else { return }
        try connection.transaction { () throws(EffectStoreFault) in
            for step in steps[Int(version)...] {
                for statement in step.split(separator: ";") { try connection.run(String(statement)) }
            }
            try connection.set("application_id = \(Schema.mark)")
            try connection.set("user_version = \(self.version)")
        }
    }
}
