// The store of a host: what apps remember, durable. State goes in as effects and comes out as state. Any thread hands commits
// over; one thread writes them, in the order in which they came, as many at a time as wait. A commit that is acknowledged is
// there exactly once, whatever happens to the process afterwards; one that is not is there whole or not at all.
//
// Where to go: the tables are in Database/Schema.swift, how commits become rows in Writing/GroupWriting.swift, how rows become
// state in Reading/StoredState.swift.
public import PushMessage
public import RuleEngine

public final class EffectStore: Sendable {
    /// What can be asked, at any time and from any thread.
    public let view: StoreView
    public let path: String
    public var counts: StoreCounts { writer.counts }
    private let writer: Writer
    private let lock: HostLock
    private let isOpen = Monitor(true)

    /// Opens a store, or makes it. One process at a time.
    /// - Parameters:
    ///   - patience: milliseconds to wait for somebody else who has it.
    ///   - clock: for what is kept for a time only.
    public convenience init(
        _ path: String, durability: Durability = .group, patience: Int = 2_000, clock: @escaping @Sendable () -> Instant
    ) throws(EffectStoreFault) {
        try self.init(path, durability: durability, patience: patience, schema: .current, housekeeping: Housekeeping(), clock: clock)
    }

    package init(
        _ path: String, durability: Durability, patience: Int, schema: Schema, housekeeping: Housekeeping,
        clock: @escaping @Sendable () -> Instant
    ) throws(EffectStoreFault) {
        self.path = path
        let (connection, lock, file) = try StoreFile.forHost(path, schema: schema, patience: patience)
        Backup.removeDownload(of: file)
        writer = try Writer(connection, durability: durability, housekeeping: housekeeping, clock: clock)
        view = StoreView(of: try Connection(file, path: path, .reading)) { () throws(EffectStoreFault) in
            try Connection(file, path: path, .reading)
        }
        // From the last line on there is something to end.
        try writer.start()
        self.lock = lock
    }

    deinit { close() }

    /// Writes what was handed over, takes nothing more, and lets another host have the file. What is there can still be asked
    /// for. Not for a thread that is told of a commit.
    public func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        writer.end()
        lock.release()
    }

    /// Hands a commit over and returns.
    /// - Parameter done: called once, on the writer's thread (of a closed store on this one): when the commit is durable, or has failed. It must
    ///   not wait.
    public func commit(_ commit: Commit, _ done: @escaping @Sendable (Result<CommitOutcome, EffectStoreFault>) -> Void) {
        writer.add([commit]) { results in done(results[0]) }
    }

    /// Hands several commits over, to be written one after the other, and returns.
    /// - Parameter done: called once, as that of a single one, with as many results: when all are durable or have failed.
    public func commit(_ commits: [Commit], _ done: @escaping @Sendable ([Result<CommitOutcome, EffectStoreFault>]) -> Void) {
        writer.add(commits, done)
    }

    /// Returns when the commit is durable.
    @discardableResult
    public func commit(_ commit: Commit) throws(EffectStoreFault) -> CommitOutcome {
        let answer = Monitor<Result<CommitOutcome, EffectStoreFault>?>(nil)
        writer.add([commit]) { results in answer.change { $0 = results[0] } }
        return try answer.wait { $0 }.get()
    }

    /// Tries whether there is room for what had none, where nothing else is changed by it, so that `counts.fault` says what a message would
    /// get now. Returns at once.
    public func probe() { writer.probe() }

    /// Who wants to hear of what cannot be read, once of each kind of each app; one at most.
    /// - Parameter hear: called on the writer's thread, or on this one for what is known already; it must not wait.
    public func listen(_ hear: @escaping @Sendable (UnreadablePart) -> Void) { writer.news.listen(hear) }

    /// What was told, or is given up, need not be told again. Without a sync of its own: what a power cut takes of it is told twice.
    /// - Parameter done: called once, on the writer's thread (of a closed store on this one): whether they are gone.
    public func dropFromOutbox(_ numbers: [Int64], _ done: @escaping @Sendable (Bool) -> Void) {
        let isAdded = writer.attempt { connection in
            do throws(EffectStoreFault) {
                try Housekeeping.withoutSync(connection) { () throws(EffectStoreFault) in
                    try connection.transaction { () throws(EffectStoreFault) in try StoredOutbox.drop(numbers, in: connection) }
                }
                done(true)
            } catch {
                done(false)
            }
        }
        if !isAdded { done(false) }
    }

    /// Folds and sweeps everything there is; by itself that happens when nothing else does.
    package func tidy(now: Instant) throws(EffectStoreFault) {
        let news = writer.news
        try writer.perform { (connection) throws(EffectStoreFault) in
            var (place, unreadable) = (Int64(0), UnreadableParts(news))
            while try Folding.fold(connection, after: &place, atMost: 256, now: now, &unreadable) > 0 {}
            while try Sweeping.sweep(connection, now: now, &unreadable) {}
            while try Sweeping.giveBack(connection) {}
        }
    }

    // MARK: what people do

    /// Keeps a ruleset under the hash of its files.
    public func keep(_ files: [SourceFile], app: String, hash: String, _ deed: Deed) throws(EffectStoreFault) {
        try writer.perform { (connection) throws(EffectStoreFault) in
            try connection.transaction { () throws(EffectStoreFault) in
                try StoredVersions.keep(files, app: app, hash: hash, deed, in: connection)
            }
        }
    }

    /// Changes what stands on stages, all of it or nothing.
    /// - Returns: false: a version is not kept, and nothing was changed.
    public func move(_ moves: [StageMove], app: String, _ deed: Deed) throws(EffectStoreFault) -> Bool {
        try writer.perform { (connection) throws(EffectStoreFault) in
            try connection.transaction { () throws(EffectStoreFault) in
                try StoredVersions.move(moves, app: app, deed, in: connection)
            }
        }
    }

    /// Makes a version the current one of a stage.
    /// - Parameter action: a word for the audit.
    /// - Returns: false: no such version is kept.
    public func promote(
        app: String, hash: String, to stage: String, _ deed: Deed, action: String = "promote"
    ) throws(EffectStoreFault) -> Bool { try move([.promote(hash, to: stage, action: action)], app: app, deed) }

    /// Puts state in the place of what is there, all of it or nothing.
    /// - Parameters:
    ///   - action: a word for the audit.
    ///   - subject: what was changed, without the value.
    public func change(
        _ changes: [StateChange], app: String, _ deed: Deed, action: String, subject: String
    ) throws(EffectStoreFault) {
        try writer.perform { (connection) throws(EffectStoreFault) in
            try StateChange.apply(
                changes, app: app, AuditEntry(deed, app: app, action: action, subject: subject), in: connection)
        }
    }

    /// Changes state by what is there: after everything that was handed over before, and before anything that comes later.
    /// - Parameter body: on the writer's thread; nothing to change is no line of the audit either.
    public func edit(
        app: String, _ deed: Deed, action: String, subject: String,
        _ body: @escaping @Sendable (any StateReading) throws(EffectStoreFault) -> [StateChange]
    ) throws(EffectStoreFault) {
        try writer.perform { (connection) throws(EffectStoreFault) in
            let changes = try body(StoredReading(app: app, connection: connection))
            guard !changes.isEmpty else { return }
            try StateChange.apply(
                changes, app: app, AuditEntry(deed, app: app, action: action, subject: subject), in: connection)
        }
    }

    /// The same, by everything that is there, which takes long: it is read while others write, and only what comes of it is written in the
    /// writer's turn.
    /// - Parameter body: on this thread; asked again when somebody has changed state by hand meanwhile. Whoever calls it sees to it that
    ///   nobody hands over commits of the app until it returns.
    public func editEverything(
        app: String, _ deed: Deed, action: String, subject: String,
        _ body: @escaping @Sendable (any StateReading) throws(EffectStoreFault) -> [StateChange]
    ) throws(EffectStoreFault) {
        for _ in 0..<EffectStore.mostTries {
            // After what was handed over before.
            let moment = try writer.perform { (connection) throws(EffectStoreFault) in try StoredAudit.last(in: connection) }
            let changes = try view.lookLong { (connection) throws(EffectStoreFault) in
                try body(StoredReading(app: app, connection: connection))
            }
            guard !changes.isEmpty else { return }
            let isDone = try writer.perform { (connection) throws(EffectStoreFault) in
                guard try StoredAudit.last(in: connection) == moment else { return false }
                try StateChange.apply(
                    changes, app: app, AuditEntry(deed, app: app, action: action, subject: subject), in: connection)
                return true
            }
            if isDone { return }
        }
        // Somebody always comes between: then everybody waits for this one.
        try edit(app: app, deed, action: action, subject: subject, body)
    }

    private static let mostTries = 3
}
