// What a host remembers, in a store. Bytes are made on the shard's thread; the store's own thread writes them.
import EffectStore
import PushMessage
import RuleEngine

final class DurableKeeping: HostKeeping {
    private let store: EffectStore

    init(_ store: EffectStore) { self.store = store }

    var path: String? { store.path }
    var isImmediate: Bool { false }

    func recipient(app: String, _ id: String) throws(EffectStoreFault) -> RecipientState { try store.view.recipient(app: app, id) }

    func shared(app: String) throws(EffectStoreFault) -> ExactTable<StoredValue> { try store.view.shared(app: app) }

    func answers(app: String, keys: [IdempotencyKey], now: Instant) throws(EffectStoreFault) -> [IdempotencyKey: KeptAnswer] {
        let found = try store.view.answers(app: app, keys: keys.map { ($0.token, $0.key) }, now: now)
        return zip(keys, found).reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    func due(of app: String, first count: Int) throws(EffectStoreFault) -> [DueMessage] { try store.view.due(of: app, first: count) }

    func dueApps() throws(EffectStoreFault) -> [(app: String, at: Instant)] { try store.view.dueApps() }

    func dueCount(before end: Instant, most: Int) throws(EffectStoreFault) -> Int { try store.view.dueCount(before: end, most: most) }

    func keep(_ deeds: [Kept], now: Instant, _ done: @escaping @Sendable ([Result<CommitOutcome, EffectStoreFault>]) -> Void) {
        store.commit(
            deeds.map {
                Commit(
                    app: $0.app, recipient: $0.recipient, effects: $0.effects, answer: $0.answer, post: $0.post, chain: $0.chain)
            }, done)
    }

    func outbox(after number: Int64) throws(EffectStoreFault) -> (entries: [OutboxEntry], first: Int64?) {
        try store.view.outbox(after: number)
    }

    func outboxPost(_ number: Int64) throws(EffectStoreFault) -> OutboxPost? { try store.view.outboxPost(number) }
    func dropFromOutbox(_ numbers: [Int64], _ done: @escaping @Sendable (Bool) -> Void) { store.dropFromOutbox(numbers, done) }
    var outboxDropped: Int { store.counts.outboxDropped }

    func note(app: String, _ deed: Deed, action: String, subject: String) throws(EffectStoreFault) {
        try store.change([], app: app, deed, action: action, subject: subject)
    }

    func edit(
        app: String, _ deed: Deed, action: String, subject: String,
        _ body: @escaping @Sendable (any StateReading) throws(EffectStoreFault) -> [StateChange]
    ) throws(EffectStoreFault) { try store.edit(app: app, deed, action: action, subject: subject, body) }

    func editEverything(
        app: String, _ deed: Deed, action: String, subject: String,
        _ body: @escaping @Sendable (any StateReading) throws(EffectStoreFault) -> [StateChange]
    ) throws(EffectStoreFault) { try store.editEverything(app: app, deed, action: action, subject: subject, body) }

    func everything(app: String) throws(EffectStoreFault) -> AppState { try store.view.everything(app: app) }

    // MARK: rules

    func keep(_ files: [SourceFile], app: String, hash: String, _ deed: Deed) throws(EffectStoreFault) {
        try store.keep(files, app: app, hash: hash, deed)
    }

    func move(_ moves: [StageMove], app: String, _ deed: Deed) throws(EffectStoreFault) -> Bool { try store.move(moves, app: app, deed) }

    func current(app: String, stage: String) throws(EffectStoreFault) -> String? { try store.view.current(app: app, stage: stage) }

    func canary(app: String, stage: String) throws(EffectStoreFault) -> Canary? {
        try store.view.canary(app: app, stage: stage).map { Canary(ruleset: $0.hash, percent: $0.percent) }
    }

    func files(app: String, hash: String) throws(EffectStoreFault) -> [SourceFile] { try store.view.files(app: app, hash: hash) }

    func versions(of app: String?) throws(EffectStoreFault) -> [StoredVersion] { try store.view.versions(of: app) }

    func history(of app: String, stage: String) throws(EffectStoreFault) -> StageHistory {
        try store.view.history(of: app, stage: stage)
    }

    func audit(newest count: Int, of app: String?) throws(EffectStoreFault) -> [AuditEntry] { try store.view.audit(newest: count, of: app) }
}
