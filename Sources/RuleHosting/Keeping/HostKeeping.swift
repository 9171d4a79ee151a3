// What a host remembers, as its shards see it: state comes out, what was decided goes in. The durable one waits for a disk, the
// other one is gone with the process.
import EffectStore
import PushMessage
import RuleEngine

protocol HostKeeping: Sendable {
    /// The file of the store; nil: there is none.
    var path: String? { get }
    /// What is handed over is kept on the thread that hands it over, before that goes on.
    var isImmediate: Bool { get }
    func recipient(app: String, _ id: String) throws(EffectStoreFault) -> RecipientState
    func shared(app: String) throws(EffectStoreFault) -> ExactTable<StoredValue>
    /// Those that there are, of these keys.
    func answers(app: String, keys: [IdempotencyKey], now: Instant) throws(EffectStoreFault) -> [IdempotencyKey: KeptAnswer]
    /// A line of the audit about something that is kept elsewhere.
    func note(app: String, _ deed: Deed, action: String, subject: String) throws(EffectStoreFault)
    /// State that somebody puts in the place of what is there. Returns when it is kept, after everything that was handed over before;
    /// that is also what the body sees.
    func edit(
        app: String, _ deed: Deed, action: String, subject: String,
        _ body: @escaping @Sendable (any StateReading) throws(EffectStoreFault) -> [StateChange]
    ) throws(EffectStoreFault)
    /// The same, by everything that an app remembers. Nobody else waits while that is read, so that the body may be asked again; commits of
    /// this app must not come meanwhile.
    func editEverything(
        app: String, _ deed: Deed, action: String, subject: String,
        _ body: @escaping @Sendable (any StateReading) throws(EffectStoreFault) -> [StateChange]
    ) throws(EffectStoreFault)
    /// Everything that an app remembers.
    func everything(app: String) throws(EffectStoreFault) -> AppState
    /// Messages of an app that are held back until a moment: those that come next.
    func due(of app: String, first count: Int) throws(EffectStoreFault) -> [DueMessage]

    /// Apps that hold messages back, and until when the first of them.
    func dueApps() throws(EffectStoreFault) -> [(app: String, at: Instant)]

    /// How many of them there are whose time comes before that, counted up to `most`.
    func dueCount(before end: Instant, most: Int) throws(EffectStoreFault) -> Int

    /// What a webhook is to be told of, beyond a number, and the number of the oldest that is there.
    func outbox(after number: Int64) throws(EffectStoreFault) -> (entries: [OutboxEntry], first: Int64?)
    /// nil: it is not there any more.
    func outboxPost(_ number: Int64) throws(EffectStoreFault) -> OutboxPost?
    /// - Parameter done: called once, on any thread: whether they are gone.
    func dropFromOutbox(_ numbers: [Int64], _ done: @escaping @Sendable (Bool) -> Void)
    /// How many have made way for newer ones since the host began.
    var outboxDropped: Int { get }

    /// Hands over what was decided, in order, and returns.
    /// - Parameter done: called once, on any thread, with a result for each.
    func keep(_ deeds: [Kept], now: Instant, _ done: @escaping @Sendable ([Result<CommitOutcome, EffectStoreFault>]) -> Void)

    // MARK: rules

    func keep(_ files: [SourceFile], app: String, hash: String, _ deed: Deed) throws(EffectStoreFault)
    /// All of it or nothing. False: a version is not kept.
    func move(_ moves: [StageMove], app: String, _ deed: Deed) throws(EffectStoreFault) -> Bool
    func current(app: String, stage: String) throws(EffectStoreFault) -> String?
    func canary(app: String, stage: String) throws(EffectStoreFault) -> Canary?
    /// Empty: there is no such version.
    func files(app: String, hash: String) throws(EffectStoreFault) -> [SourceFile]
    /// The newest first.
    func versions(of app: String?) throws(EffectStoreFault) -> [StoredVersion]
    /// Of the versions that were brought to a stage for all, those to which one can go back; all of them are kept.
    func history(of app: String, stage: String) throws(EffectStoreFault) -> StageHistory
    /// The newest first.
    func audit(newest count: Int, of app: String?) throws(EffectStoreFault) -> [AuditEntry]
}

/// What one request changed, and the answer that a repeated one gets. With neither it only waits for those before it.
struct Kept: Sendable {
    let app: String
    let recipient: String
    let effects: [Effect]
    let answer: KeptAnswer?
    /// What a webhook is to be told.
    var post: [UInt8]?
    let chain: CommitChain
}
