// What can be asked of a store, by its host or by somebody who only looks. Each answer is as of one moment. One connection,
// which those who ask share: an answer takes some ten microseconds. What takes longer, because it grows with what there is, has a
// connection of its own in a host: evaluations wait for the first one.
public import PushMessage
public import RuleEngine

public final class StoreView: Sendable {
    private let connection: Monitor<Connection>
    private let hold: ReadingHold
    /// For what takes long; made when it is first asked for.
    private let second = Monitor<Connection?>(nil)
    /// nil: nobody waits for this one but who asks.
    private let openSecond: (@Sendable () throws(EffectStoreFault) -> Connection)?

    /// Beside a running host, or of a store that nobody has open. Writes nothing.
    public init(_ path: String) throws(EffectStoreFault) {
        let (connection, hold) = try StoreFile.forReader(path)
        self.connection = Monitor(connection)
        self.hold = hold
        openSecond = nil
    }

    /// - Parameter openSecond: gives another connection to the same file.
    init(of connection: Connection, _ openSecond: @escaping @Sendable () throws(EffectStoreFault) -> Connection) {
        self.connection = Monitor(connection)
        self.openSecond = openSecond
        hold = ReadingHold()
    }

    /// What an evaluation for a recipient begins with: what the app shares, and what it knows of the one. For people: looked through.
    public func state(app: String, recipient: String) throws(EffectStoreFault) -> AppState {
        try look { (connection) throws(EffectStoreFault) in
            var state = AppState()
            state.shared = try StoredState.shared(app: app, in: connection)
            let known = try StoredState.recipient(app: app, recipient, in: connection)
            if known != RecipientState() { state.recipients[recipient] = known }
            try StoredCheck(connection.path, app: app).look(at: state)
            return state
        }
    }

    public func recipient(app: String, _ id: String) throws(EffectStoreFault) -> RecipientState {
        try look { (connection) throws(EffectStoreFault) in try StoredState.recipient(app: app, id, in: connection) }
    }

    public func shared(app: String) throws(EffectStoreFault) -> ExactTable<StoredValue> {
        try look { (connection) throws(EffectStoreFault) in try StoredState.shared(app: app, in: connection) }
    }

    /// Everything that an app remembers, in memory. Looked through.
    public func everything(app: String) throws(EffectStoreFault) -> AppState {
        try lookLong { (connection) throws(EffectStoreFault) in
            try StoredReading(app: app, connection: connection).everything()
        }
    }

    /// Apps of which anything is remembered, by name.
    public func apps() throws(EffectStoreFault) -> [String] {
        try lookLong { (connection) throws(EffectStoreFault) in
            var apps: [String] = []
            try connection.rows(
                "SELECT app FROM recipient UNION SELECT name FROM app UNION SELECT app FROM journal UNION SELECT app FROM version UNION SELECT app FROM answer ORDER BY 1"
            ) { (row) throws(EffectStoreFault) in apps.append(row.text(0)) }
            return apps
        }
    }

    /// Messages that are held back, of all apps: those that come next.
    public func due(first count: Int) throws(EffectStoreFault) -> [DueMessage] {
        try look { (connection) throws(EffectStoreFault) in try StoredDue.next(count, in: connection) }
    }

    /// The same of one app.
    public func due(of app: String, first count: Int) throws(EffectStoreFault) -> [DueMessage] {
        try look { (connection) throws(EffectStoreFault) in try StoredDue.next(count, of: app, in: connection) }
    }

    /// Apps that hold messages back, and until when the first of them.
    public func dueApps() throws(EffectStoreFault) -> [(app: String, at: Instant)] {
        try look { (connection) throws(EffectStoreFault) in try StoredDue.apps(in: connection) }
    }

    /// How many there are of all apps whose time comes before that.
    /// - Parameter most: counted up to it.
    public func dueCount(before end: Instant, most: Int) throws(EffectStoreFault) -> Int {
        try look { (connection) throws(EffectStoreFault) in
            Int(
                try connection.integer(
                    "SELECT count(*) FROM (SELECT 1 FROM due WHERE at < ? LIMIT ?)", [.integer(end.milliseconds), .integer(Int64(most))])
                    ?? 0)
        }
    }

    /// What somebody elsewhere is to be told of, beyond a number, and the number of the oldest that is there.
    public func outbox(after number: Int64) throws(EffectStoreFault) -> (entries: [OutboxEntry], first: Int64?) {
        try look { (connection) throws(EffectStoreFault) in
            (try StoredOutbox.entries(after: number, in: connection), try StoredOutbox.first(in: connection))
        }
    }

    /// nil: it is not there any more.
    public func outboxPost(_ number: Int64) throws(EffectStoreFault) -> OutboxPost? {
        try look { (connection) throws(EffectStoreFault) in try StoredOutbox.post(number, in: connection) }
    }

    /// The answer that a request with this key has had within a day; nil: the key is free.
    public func answer(app: String, token: String, key: String, now: Instant) throws(EffectStoreFault) -> KeptAnswer? {
        try look { (connection) throws(EffectStoreFault) in
            try StoredAnswers.answer(app: app, token: token, key: key, now: now, in: connection)
        }
    }

    /// The same of several keys, all as of one moment, and in their order.
    public func answers(app: String, keys: [(token: String, key: String)], now: Instant) throws(EffectStoreFault) -> [KeptAnswer?] {
        try look { (connection) throws(EffectStoreFault) in
            var answers: [KeptAnswer?] = []
            answers.reserveCapacity(keys.count)
            for key in keys {
                answers.append(try StoredAnswers.answer(app: app, token: key.token, key: key.key, now: now, in: connection))
            }
            return answers
        }
    }

    /// How many answers are kept of a recipient, or of all.
    public func answers(app: String, recipient: String?) throws(EffectStoreFault) -> Int {
        try look { (connection) throws(EffectStoreFault) in
            try StoredAnswers.count(app: app, recipient: recipient, in: connection)
        }
    }

    /// - Parameter app: nil: of all apps.
    public func versions(of app: String?) throws(EffectStoreFault) -> [StoredVersion] {
        try look { (connection) throws(EffectStoreFault) in try StoredVersions.list(of: app, in: connection) }
    }

    /// Empty: there is no such version.
    public func files(app: String, hash: String) throws(EffectStoreFault) -> [SourceFile] {
        try look { (connection) throws(EffectStoreFault) in try StoredVersions.files(app: app, hash: hash, in: connection) }
    }

    /// The hash of the version that an app has on a stage; nil: none.
    public func current(app: String, stage: String) throws(EffectStoreFault) -> String? {
        try look { (connection) throws(EffectStoreFault) in try StoredVersions.current(app: app, stage: stage, in: connection) }
    }

    /// The version that some recipients have in place of the stage's, and how many of a hundred; nil: none.
    public func canary(app: String, stage: String) throws(EffectStoreFault) -> (hash: String, percent: Int)? {
        try look { (connection) throws(EffectStoreFault) in try StoredVersions.canary(app: app, stage: stage, in: connection) }
    }

    /// The newest first.
    public func audit(newest count: Int, of app: String?) throws(EffectStoreFault) -> [AuditEntry] {
        try lookLong { (connection) throws(EffectStoreFault) in try StoredAudit.newest(count, of: app, in: connection) }
    }

    /// Of the versions that were brought to a stage for all, those to which one can go back.
    public func history(of app: String, stage: String) throws(EffectStoreFault) -> StageHistory {
        try lookLong { (connection) throws(EffectStoreFault) in try StoredAudit.history(app: app, stage: stage, in: connection) }
    }

    /// Rows of the journal that are not folded yet.
    public func backlog() throws(EffectStoreFault) -> Int {
        try look { (connection) throws(EffectStoreFault) in Int(try connection.integer("SELECT count(*) FROM journal") ?? 0) }
    }

    /// Everything that `body` asks is of one moment.
    func look<Value>(_ body: (Connection) throws(EffectStoreFault) -> Value) throws(EffectStoreFault) -> Value {
        try connection.withLock { (connection) throws(EffectStoreFault) in try read(connection, body) }
    }

    /// The same where it takes as long as there is much: who looks at little does not wait for it.
    func lookLong<Value>(_ body: (Connection) throws(EffectStoreFault) -> Value) throws(EffectStoreFault) -> Value {
        guard let openSecond else { return try look(body) }
        return try second.withLock { (second) throws(EffectStoreFault) in
            if let connection = second { return try read(connection, body) }
            let connection = try openSecond()
            second = connection
            return try read(connection, body)
        }
    }

    private func read<Value>(
        _ connection: Connection, _ body: (Connection) throws(EffectStoreFault) -> Value
    ) throws(EffectStoreFault) -> Value {
        try hold.reading { () throws(EffectStoreFault) in
            try connection.transaction("BEGIN") { () throws(EffectStoreFault) in try body(connection) }
        }
    }
}
