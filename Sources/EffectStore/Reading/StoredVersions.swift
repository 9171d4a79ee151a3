// Every ruleset that was ever in force, by the hash of its files, and which of them each app has on each stage. A version is
// never changed and never leaves; a stage is a row that names one. Who, when and why stand beside both and in the audit.
public import PushMessage
import RuleEngine

/// What is known of a ruleset beside its files.
public struct StoredVersion: Sendable, Equatable {
    public let app: String
    /// Of its files.
    public let hash: String
    /// When it was first kept.
    public let at: Instant
    public let who: String
    public let why: String
    /// On which it is the current one, by name.
    public let stages: [String]

    package init(app: String, hash: String, at: Instant, who: String, why: String, stages: [String]) {
        self.app = app
        self.hash = hash
        self.at = at
        self.who = who
        self.why = why
        self.stages = stages
    }
}

/// Who did something, when, and why.
public struct Deed: Sendable, Equatable {
    public var who: String
    public var at: Instant
    /// "" when nothing was said.
    public var why: String

    public init(who: String, at: Instant, why: String = "") {
        self.who = who
        self.at = at
        self.why = why
    }
}

/// What is to stand on a stage; the action is a word for the audit.
public enum StageMove: Sendable {
    case promote(String, to: String, action: String)
    /// For so many of a hundred recipients in place of what the stage names.
    case canary(String, percent: Int, of: String, action: String)
    /// All recipients have the same again.
    case endCanary(of: String)

    /// A word for the audit, also where another canary takes its place.
    package static let canaryEnd = "canary_end"

    /// The stage of a version that some recipients have, before their share: "production:canary:20".
    package static func canaryMark(_ stage: String) -> String { "\(stage):canary:" }

    fileprivate var hash: String? {
        switch self {
        case .promote(let hash, _, _), .canary(let hash, _, _, _): hash
        case .endCanary: nil
        }
    }
}

enum StoredVersions {
    /// False: a version is not kept, and nothing was written.
    static func move(_ moves: [StageMove], app: String, _ deed: Deed, in connection: Connection) throws(EffectStoreFault) -> Bool {
        for hash in moves.compactMap(\.hash) {
            let known = try connection.integer("SELECT 1 FROM version WHERE app = ? AND hash = ?", [.text(app), .text(hash)])
            guard known != nil else { return false }
        }
        for move in moves {
            switch move {
            case .promote(let hash, let stage, let action):
                try promote(app: app, hash: hash, to: stage, deed, action: action, in: connection)
            case .canary(let hash, let percent, let stage, let action):
                try setCanary(hash, percent: percent, app: app, stage: stage, deed, action: action, in: connection)
            case .endCanary(let stage): try endCanary(app: app, stage: stage, deed, in: connection)
            }
        }
        return true
    }

    /// A hash that is kept already stays as it was.
    static func keep(
        _ files: [SourceFile], app: String, hash: String, _ deed: Deed, in connection: Connection
    ) throws(EffectStoreFault) {
        try connection.run(
            "INSERT OR IGNORE INTO version (app, hash, at, who, why) VALUES (?, ?, ?, ?, ?)",
            [.text(app), .text(hash), .integer(deed.at.milliseconds), .text(deed.who), .text(deed.why)])
        guard connection.changes > 0 else { return }
        for file in files {
            try connection.run(
                "INSERT INTO version_file (app, hash, path, content) VALUES (?, ?, ?, ?)",
                [.text(app), .text(hash), .text(file.path), .bytes(file.bytes)])
        }
        try StoredAudit.add(AuditEntry(deed, app: app, action: "keep_version", subject: hash), in: connection)
    }

    private static func promote(
        app: String, hash: String, to stage: String, _ deed: Deed, action: String, in connection: Connection
    ) throws(EffectStoreFault) {
        try connection.run(
            "INSERT OR REPLACE INTO stage (app, stage, hash, at, who, why) VALUES (?, ?, ?, ?, ?, ?)",
            [.text(app), .text(stage), .text(hash), .integer(deed.at.milliseconds), .text(deed.who), .text(deed.why)])
        try StoredAudit.add(AuditEntry(deed, app: app, action: action, subject: "\(stage) \(hash)"), in: connection)
    }

    // MARK: canaries

    /// Some recipients have another version than the stage names.
    private static func setCanary(
        _ hash: String, percent: Int, app: String, stage: String, _ deed: Deed, action: String, in connection: Connection
    ) throws(EffectStoreFault) {
        if try canary(app: app, stage: stage, in: connection)?.hash == hash {
            try removeCanary(app: app, stage: stage, in: connection)
        } else {
            try endCanary(app: app, stage: stage, deed, in: connection)
        }
        try connection.run(
            "INSERT OR REPLACE INTO stage (app, stage, hash, at, who, why) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(app), .text("\(StageMove.canaryMark(stage))\(percent)"), .text(hash), .integer(deed.at.milliseconds), .text(deed.who),
                .text(deed.why),
            ])
        try StoredAudit.add(AuditEntry(deed, app: app, action: action, subject: "\(stage) \(hash) \(percent)%"), in: connection)
    }

    /// All recipients have the same version again. Of a stage without a canary nothing is told.
    private static func endCanary(app: String, stage: String, _ deed: Deed, in connection: Connection) throws(EffectStoreFault) {
        guard let canary = try canary(app: app, stage: stage, in: connection) else { return }
        try removeCanary(app: app, stage: stage, in: connection)
        let subject = "\(stage) \(canary.hash) \(canary.percent)%"
        try StoredAudit.add(AuditEntry(deed, app: app, action: StageMove.canaryEnd, subject: subject), in: connection)
    }

    private static func removeCanary(app: String, stage: String, in connection: Connection) throws(EffectStoreFault) {
        try connection.run(
            "DELETE FROM stage WHERE app = ?1 AND substr(stage, 1, length(?2)) = ?2", [.text(app), .text(StageMove.canaryMark(stage))])
    }

    static func canary(app: String, stage: String, in connection: Connection) throws(EffectStoreFault) -> (hash: String, percent: Int)? {
        let row = try connection.row(
            "SELECT hash, substr(stage, length(?2) + 1) FROM stage WHERE app = ?1 AND substr(stage, 1, length(?2)) = ?2",
            [.text(app), .text(StageMove.canaryMark(stage))]
        ) { (row) throws(EffectStoreFault) in (row.text(0), Int(row.text(1)) ?? 0) }
        return row.map { (hash: $0.0, percent: $0.1) }
    }

    /// nil: the app has nothing on that stage.
    static func current(app: String, stage: String, in connection: Connection) throws(EffectStoreFault) -> String? {
        try connection.row("SELECT hash FROM stage WHERE app = ? AND stage = ?", [.text(app), .text(stage)]) {
            (row) throws(EffectStoreFault) in row.text(0)
        }
    }

    /// The newest first.
    /// - Parameter app: nil: of all apps, one after the other.
    static func list(of app: String?, in connection: Connection) throws(EffectStoreFault) -> [StoredVersion] {
        var versions: [StoredVersion] = []
        try connection.rows(
            """
            SELECT app, hash, at, who, why,
                (SELECT group_concat(stage, ' ') FROM
                    (SELECT stage FROM stage WHERE stage.app = version.app AND stage.hash = version.hash ORDER BY stage))
            FROM version WHERE ?1 IS NULL OR app = ?1 ORDER BY app, at DESC, rowid DESC
            """, [.optional(app)]
        ) { (row) throws(EffectStoreFault) in
            versions.append(
                StoredVersion(
                    app: row.text(0), hash: row.text(1), at: Instant(milliseconds: row.integer(2)), who: row.text(3), why: row.text(4),
                    stages: row.text(5).split(separator: " ").map(String.init)))
        }
        return versions
    }

    /// Empty: there is no such version.
    static func files(app: String, hash: String, in connection: Connection) throws(EffectStoreFault) -> [SourceFile] {
        var files: [SourceFile] = []
        try connection.rows(
            "SELECT path, content FROM version_file WHERE app = ? AND hash = ? ORDER BY path", [.text(app), .text(hash)]
        ) { (row) throws(EffectStoreFault) in files.append(SourceFile(path: row.text(0), bytes: row.bytes(1))) }
        return files
    }
}
