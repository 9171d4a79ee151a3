// What a host remembers when it keeps nothing: the same as a store, until the process ends. For trying things out.
import EffectStore
import PushMessage
import RuleEngine

final class MemoryKeeping: HostKeeping {
    fileprivate struct Answer {
        let kept: KeptAnswer
        let at: Instant
    }

    fileprivate struct App {
        var state = AppState()
        var answers: [IdempotencyKey: Answer] = [:]
        /// The oldest first.
        var keys: [IdempotencyKey] = []
        /// By recipient and id.
        var due: [String: DueMessage] = [:]
        /// For how many milliseconds its messages are remembered, the longest that it has said.
        var window: Int64 = 0
        /// When it was last looked through for what is over.
        var swept = Instant(milliseconds: .min)
    }

    private let apps = Monitor<[String: App]>([:])
    private let posts = Monitor(MemoryOutbox())
    private let shelf = VersionShelf()
    private static let day: Int64 = 24 * 3_600_000
    /// Milliseconds between looks for what is over, of each app: all that it remembers is looked at.
    fileprivate static let sweepPause: Int64 = 3_600_000

    var path: String? { nil }
    var isImmediate: Bool { true }

    func recipient(app: String, _ id: String) -> RecipientState {
        apps.withLock { $0[app]?.state.recipients[id] ?? RecipientState() }
    }

    func shared(app: String) -> ExactTable<StoredValue> { apps.withLock { $0[app]?.state.shared ?? [:] } }

    func answers(app: String, keys: [IdempotencyKey], now: Instant) -> [IdempotencyKey: KeptAnswer] {
        apps.withLock { apps in
            keys.reduce(into: [:]) { found, key in
                guard let answer = apps[app]?.answers[key], now.milliseconds - answer.at.milliseconds < MemoryKeeping.day else { return }
                found[key] = answer.kept
            }
        }
    }

    func due(of app: String, first count: Int) -> [DueMessage] {
        apps.withLock { apps in Array((apps[app]?.due.values.sorted { $0.at < $1.at } ?? []).prefix(count)) }
    }

    func dueApps() -> [(app: String, at: Instant)] {
        apps.withLock { apps in apps.compactMap { app in app.value.due.values.map(\.at).min().map { (app.key, $0) } } }
    }

    func dueCount(before end: Instant, most: Int) -> Int {
        apps.withLock { apps in min(most, apps.values.reduce(0) { $0 + $1.due.values.count { $0.at < end } }) }
    }

    func keep(_ deeds: [Kept], now: Instant, _ done: @escaping @Sendable ([Result<CommitOutcome, EffectStoreFault>]) -> Void) {
        let results = apps.withLock { apps in
            deeds.map { deed -> Result<CommitOutcome, EffectStoreFault> in
                guard !deed.effects.isEmpty || deed.answer != nil else { return .success(.kept) }
                apps[deed.app, default: App()].keep(deed, now: now, life: MemoryKeeping.day)
                return .success(.kept)
            }
        }
        for deed in deeds {
            if let post = deed.post { posts.withLock { $0.add(post, app: deed.app, recipient: deed.recipient, now: now) } }
        }
        done(results)
    }

    func outbox(after number: Int64) -> (entries: [OutboxEntry], first: Int64?) {
        posts.withLock { ($0.entries(after: number), $0.first) }
    }

    func outboxPost(_ number: Int64) -> OutboxPost? { posts.withLock { $0.post(number) } }

    func dropFromOutbox(_ numbers: [Int64], _ done: @escaping @Sendable (Bool) -> Void) {
        posts.withLock { $0.drop(numbers) }
        done(true)
    }

    var outboxDropped: Int { posts.withLock { $0.dropped } }

    func note(app: String, _ deed: Deed, action: String, subject: String) {
        shelf.note(AuditEntry(deed, app: app, action: action, subject: subject))
    }

    func edit(
        app: String, _ deed: Deed, action: String, subject: String,
        _ body: @escaping @Sendable (any StateReading) throws(EffectStoreFault) -> [StateChange]
    ) throws(EffectStoreFault) {
        let changes = try apps.withLock { (apps) throws(EffectStoreFault) in
            let changes = try body(apps[app, default: App()])
            for change in changes { apps[app, default: App()].put(change, app: app) }
            return changes
        }
        guard !changes.isEmpty else { return }
        for change in changes {
            switch change {
            case .everything: posts.withLock { $0.drop(app: app, recipient: nil) }
            case .recipient(let id, nil): posts.withLock { $0.drop(app: app, recipient: id) }
            case .recipient, .shared: break
            }
        }
        shelf.note(AuditEntry(deed, app: app, action: action, subject: subject))
    }

    func editEverything(
        app: String, _ deed: Deed, action: String, subject: String,
        _ body: @escaping @Sendable (any StateReading) throws(EffectStoreFault) -> [StateChange]
    ) throws(EffectStoreFault) { try edit(app: app, deed, action: action, subject: subject, body) }

    func everything(app: String) -> AppState { apps.withLock { $0[app]?.state ?? AppState() } }

    // MARK: rules

    func keep(_ files: [SourceFile], app: String, hash: String, _ deed: Deed) { shelf.keep(files, app: app, hash: hash, deed) }

    func move(_ moves: [StageMove], app: String, _ deed: Deed) -> Bool { shelf.move(moves, app: app, deed) }

    func current(app: String, stage: String) -> String? { shelf.current(app: app, stage: stage) }
    func canary(app: String, stage: String) -> Canary? { shelf.canary(app: app, stage: stage) }

    func files(app: String, hash: String) -> [SourceFile] { shelf.files(app: app, hash: hash) }
    func versions(of app: String?) -> [StoredVersion] { shelf.versions(of: app) }
    func history(of app: String, stage: String) -> StageHistory { shelf.history(of: app, stage: stage) }
    func audit(newest count: Int, of app: String?) -> [AuditEntry] { shelf.audit(newest: count, of: app) }
}

extension MemoryKeeping.App: StateReading {
    func recipient(_ id: String) -> RecipientState { state.recipients[id] ?? RecipientState() }
    func shared() -> ExactTable<StoredValue> { state.shared }
    func everything() -> AppState { state }
    func answers(recipient: String?) -> Int { recipient == nil ? answers.count : 0 }

    fileprivate mutating func keep(_ deed: Kept, now: Instant, life: Int64) {
        state.apply(deed.effects, recipient: deed.recipient)
        for effect in deed.effects {
            switch effect {
            case .keepDeferred(let message):
                due["\(deed.recipient)\u{0}\(message.id)"] = message.dueAt.map {
                    DueMessage(app: deed.app, recipient: deed.recipient, id: message.id, at: $0)
                }
            case .dropDeferred(let id): due["\(deed.recipient)\u{0}\(id)"] = nil
            case .sawMessage(let mark): window = max(window, mark.window)
            default: break
            }
        }
        if swept.milliseconds == .min { swept = now }
        if now.milliseconds - swept.milliseconds >= MemoryKeeping.sweepPause {
            swept = now
            state.sweep(window: window, now: now)
        }
        guard let answer = deed.answer else { return }
        let key = IdempotencyKey(token: answer.token, key: answer.key)
        if answers.updateValue(MemoryKeeping.Answer(kept: answer, at: now), forKey: key) == nil { keys.append(key) }
        while let oldest = keys.first, let known = answers[oldest], now.milliseconds - known.at.milliseconds >= life {
            answers[oldest] = nil
            keys.removeFirst()
        }
    }

    fileprivate mutating func put(_ change: StateChange, app: String) {
        switch change {
        case .everything:
            state = AppState()
            due = [:]
            answers = [:]
            keys = []
        case .shared(let values): state.shared = values
        case .recipient(let id, let known):
            state.recipients[id] = known
            due = due.filter { $0.value.recipient != id }
            for message in known?.deferred ?? [] {
                guard let at = message.dueAt else { continue }
                due["\(id)\u{0}\(message.id)"] = DueMessage(app: app, recipient: id, id: message.id, at: at)
            }
        }
    }
}
