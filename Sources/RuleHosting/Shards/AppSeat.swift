// One app in its shard: what is decided for it in a turn, and how each answer leaves. Belongs to the shard's thread. By whose rules says
// SeatRules, what waits is in BehindQueue, requests with a key in KeyedAsks, what is remembered in AppMemory.
import EffectStore
import PushMessage
import RuleEngine

final class AppSeat {
    let app: String
    let memory: AppMemory
    private unowned let shard: Shard
    /// What is to be decided in this turn.
    var batch: [Ask] = []
    /// How many of those that have waited are decided in this turn.
    var turn = 0
    private var behind: BehindQueue
    private var rules = SeatRules()
    private var keyed = KeyedAsks()
    private(set) var pace = TurnPace()
    private var lastUse = HostClock.ticks()

    init(_ app: String, of shard: Shard) {
        self.app = app
        self.shard = shard
        memory = AppMemory(app, keeping: shard.keeping, list: shard.hot)
        behind = BehindQueue(shard.queue, most: shard.settings.mostWaiting)
    }

    // MARK: rules

    func wantsRules(now: Int64) -> Bool { !behind.isLoading && rules.areDue(now: now) }

    /// What comes waits until `takeUp`.
    func load() { behind.load() }

    func takeUp(_ outcome: LoadOrder.Outcome) {
        behind.endLoad()
        rules.takeUp(outcome)
    }

    /// - Returns: those that have waited for this version, and why they cannot be decided.
    func takeUp(_ outcome: LoadOrder.Outcome, version hash: String) -> ([Ask], HostProblem?) { rules.takeUp(outcome, version: hash) }

    /// Versions that are to be loaded.
    func takeWantedVersions() -> [String] { rules.takeWantedVersions() }

    // MARK: what waits

    /// Until there are rules, until an edit is over, and then until those before are decided.
    var parked: ParkedAsks { behind.parked }

    /// Requests that have waited may be decided.
    var isReady: Bool { behind.isReady }

    /// Of those that have waited.
    func takeParked(_ most: Int) -> [Ask] { behind.take(most) }

    /// Nothing is decided from `begin` on until it is released; what waits already is decided before.
    /// - Parameter begin: called once.
    func hold(_ begin: @escaping @Sendable () -> Void) { behind.hold(begin) }

    /// When it is its turn, and everything that was decided is handed to the store.
    func beginEdit() { behind.beginEdit() }

    /// - Parameter changes: that were made meanwhile, of each edit; nil: any.
    func release(after changes: [[StateChange]?]) {
        behind.release()
        for changes in changes { memory.forget(changes) }
    }

    /// Nobody has asked since then, and nothing is on its way.
    func leavesIfIdle(since: Int64) -> Bool {
        guard lastUse < since, memory.unkept == 0, batch.isEmpty, behind.isEmpty, keyed.isEmpty, rules.isAtRest else { return false }
        memory.drop()
        return true
    }

    /// Rules that have few requests at a time take little.
    func rest(since: Int64) {
        rules.rest(since: since)
    }

    // MARK: deciding

    /// - Parameter others: apps of which something waits.
    func decide(into group: inout KeptGroup, _ delivery: inout Delivery, beside others: Int) {
        var asks = batch
        batch = []
        lastUse = HostClock.ticks()
        if behind.isNeeded {
            for ask in behind.park(asks) { tell(ask, .queueFull, &delivery) }
            asks = isReady ? takeParked(turn) : []
        } else if asks.count > pace.count(among: others + 1) {
            let now = pace.count(among: others + 1)
            for ask in behind.park(Array(asks[now...])) { tell(ask, .queueFull, &delivery) }
            asks.removeSubrange(now...)
        }
        turn = 0
        guard let inForce = rules.inForce else {
            if let problem = rules.problem {
                for ask in asks { tell(ask, problem, &delivery) }
            }
            return
        }
        guard !asks.isEmpty else { return }
        let begin = HostClock.microseconds()
        defer { pace.note(asks.count, microseconds: HostClock.microseconds() - begin) }
        let now = shard.clock()
        let known = keyed.known(to: asks, of: app, in: shard.keeping, now: now)
        var fresh: [Ask] = []
        var keys: Set<IdempotencyKey> = []
        func decideFresh() {
            for (rules, part) in rules.parts(of: fresh, inForce, app: app) {
                for decided in rules.decide(part, on: memory, now: now, watch: shard.watch, ahead: shard.ahead) {
                    finish(decided, &group, &delivery)
                }
            }
            fresh.removeAll(keepingCapacity: true)
            keys.removeAll()
        }
        for ask in asks {
            if rules.waits(ask, beside: inForce) { continue }
            // Whether a key is taken is known when the one before that has it is decided.
            if let key = ask.key, keys.contains(key) { decideFresh() }
            switch keyed.way(of: ask, known, behind: &behind) {
            case .waits: continue
            case .answered(let answer): delivery.add(answer, to: ask.sink)
            case .fresh:
                if let key = ask.key { keys.insert(key) }
                fresh.append(ask)
            }
        }
        decideFresh()
    }

    private func finish(_ decided: Decided, _ group: inout KeptGroup, _ delivery: inout Delivery) {
        if let due = decided.ask.due, shard.settings.webhook != nil, decided.status == 200 {
            decided.post = DuePost.body(of: due, at: shard.clock(), decision: decided.body)
        }
        guard let recipient = decided.hot else {
            delivery.add(decided.answer(to: decided.ask), to: decided.ask.sink)
            for ask in keyed.takeRepeated(decided.ask, behind: &behind) { delivery.add(decided.answer(to: ask), to: ask.sink) }
            return
        }
        let kept = keyed.kept(of: decided)
        // What it was decided on may not be kept yet: then the answer waits for that.
        guard kept != nil || decided.post != nil || !decided.effects.isEmpty || memory.unkept > 0 else {
            if let watch = shard.watch, !decided.ask.request.options.isDryRun {
                watch.answered(after: HostClock.nanoseconds() - decided.ask.since)
                if let record = decided.record { watch.recorded(record) }
            }
            delivery.add(decided.answer(to: decided.ask), to: decided.ask.sink)
            return
        }
        memory.handOver(recipient)
        memory.note(decided.effects, of: recipient)
        group.add(KeptGroup.Entry(seat: self, decided: decided, chain: memory.chain, kept: kept))
    }

    /// Word of the store.
    func settle(_ entry: KeptGroup.Entry, _ result: Result<CommitOutcome, EffectStoreFault>, _ delivery: inout Delivery) {
        let isKept = if case .success(.kept) = result { true } else { false }
        if let recipient = entry.decided.hot { memory.settle(recipient, of: entry.chain, isKept: isKept) }
        for ask in keyed.takeRepeated(entry.decided.ask, behind: &behind) {
            delivery.add(KeptGroup.answer(entry.decided, result, to: ask), to: ask.sink)
        }
    }

    private func tell(_ ask: Ask, _ problem: HostProblem, _ delivery: inout Delivery) {
        delivery.add(HostAnswer(tag: ask.request.tag, problem), to: ask.sink)
    }
}
