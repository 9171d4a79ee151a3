// One app in its shard: the rules in force, what it remembers, who waits for what. Belongs to the shard's thread.
import EffectStore
import PushMessage
import RuleEngine

final class AppSeat {
    let app: String
    let memory: AppMemory
    private unowned let shard: Shard
    /// What is to be decided in this turn.
    var batch: [Ask] = []
    /// Until there are rules, until an edit is over, and then until those before are decided.
    private(set) var parked = ParkedAsks()
    /// How many of those are decided in this turn.
    var turn = 0
    /// Bytes of those, and of requests that repeat others.
    private var behind = 0
    private(set) var isLoading = false
    private(set) var rules: RulesInForce?
    /// Of messages that are to be decided as they were held back; nil: that version is not there any more.
    private var versions: [String: RulesInUse?] = [:]
    /// Those that wait for such rules.
    private var wanting: [String: [Ask]] = [:]
    private var wantedVersions: [String] = []
    private var edit = Edit.none
    /// Why there are none, and since when.
    private var problem: (problem: HostProblem, since: Int64)?
    /// Requests with a key that are not answered yet, and those that repeat them.
    private var underWay: [IdempotencyKey: UnderWay] = [:]
    private var lastUse = HostClock.ticks()

    /// Somebody changes the state by hand.
    private enum Edit {
        case none
        /// So many requests come before; then he is told to begin.
        case behind(Int, begin: @Sendable () -> Void)
        case inHand
    }

    private struct UnderWay {
        let question: [UInt8]
        var repeated: [Ask] = []
    }

    /// Older versions in memory.
    private static let mostVersions = 4
    /// Milliseconds after which rules that did not load are tried again.
    private static let patience: Int64 = 500

    init(_ app: String, of shard: Shard) {
        self.app = app
        self.shard = shard
        memory = AppMemory(app, keeping: shard.keeping, list: shard.hot)
    }

    // MARK: rules

    func wantsRules(now: Int64) -> Bool {
        guard rules == nil, !isLoading else { return false }
        return problem.map { now - $0.since >= AppSeat.patience } ?? true
    }

    /// What comes waits until `takeUp`.
    func load() {
        isLoading = true
        // Nothing is decided until then.
        beginEdit()
    }

    func takeUp(_ outcome: LoadOrder.Outcome) {
        isLoading = false
        switch outcome {
        case .ready(let rules):
            self.rules = rules
            if let canary = rules.canary {
                let hash = canary.ruleset.hash
                rules.main.stand(on: CanarySide(canary: hash, isCanary: false))
                canary.stand(on: CanarySide(canary: hash, isCanary: true))
            }
            for pinned in versions.values { stand(pinned) }
            problem = nil
        case .failed(let problem, let isThere):
            if !isThere { rules = nil }
            if rules == nil { self.problem = (problem, HostClock.ticks()) }
        }
    }

    /// - Returns: those that have waited for this version, and why they cannot be decided.
    func takeUp(_ outcome: LoadOrder.Outcome, version hash: String) -> ([Ask], HostProblem?) {
        let asks = wanting.removeValue(forKey: hash) ?? []
        if versions.count >= AppSeat.mostVersions { versions = [:] }
        switch outcome {
        case .ready(let rules):
            stand(rules.main)
            versions[hash] = .some(rules.main)
        // Only one that is not kept any more makes way for others.
        case .failed(let problem, _) where problem.code == HostProblem.Code.versionUnknown.rawValue: versions[hash] = .some(nil)
        case .failed(let problem, _): return (asks, problem)
        }
        return (asks, nil)
    }

    /// Beside a canary, and on neither side.
    private func stand(_ pinned: RulesInUse?) {
        pinned?.stand(on: rules?.canary.map { CanarySide(canary: $0.ruleset.hash, isCanary: false, isPinned: true) })
    }

    /// Versions that are to be loaded.
    func takeWantedVersions() -> [String] {
        defer { wantedVersions = [] }
        return wantedVersions
    }

    // MARK: behind the queue

    private var isHeld: Bool { if case .inHand = edit { true } else { false } }

    /// Requests that have waited may be decided.
    var isReady: Bool { !parked.isEmpty && !isLoading && !isHeld }

    /// Nothing is decided from `begin` on until it is released; what waits already is decided before.
    /// - Parameter begin: called once.
    func hold(_ begin: @escaping @Sendable () -> Void) {
        edit = .behind(parked.count, begin: begin)
        beginEdit()
    }

    /// When it is its turn, and everything that was decided is handed to the store.
    func beginEdit() {
        guard case .behind(let before, let begin) = edit, before <= 0 || parked.isEmpty || isLoading else { return }
        edit = .inHand
        begin()
    }

    /// - Parameter changes: that were made meanwhile, of each edit; nil: any.
    func release(after changes: [[StateChange]?]) {
        edit = .none
        for changes in changes { memory.forget(changes) }
    }

    /// Of those that have waited.
    func takeParked(_ most: Int) -> [Ask] {
        let asks = parked.take(most)
        letGo(asks)
        if case .behind(let before, let begin) = edit { edit = .behind(before - asks.count, begin: begin) }
        return asks
    }

    private func park(_ asks: [Ask], _ delivery: inout Delivery) {
        guard !asks.isEmpty else { return }
        let room = keep(asks.prefix(max(0, shard.settings.mostWaiting - parked.count)))
        parked.add(asks[..<room])
        for ask in asks[room...] { tell(ask, .queueFull, &delivery) }
    }

    private func keep(_ asks: ArraySlice<Ask>) -> Int {
        let room = shard.queue.keep(asks, own: behind)
        for ask in asks.prefix(room) { behind += ask.weight }
        return room
    }

    private func letGo(_ asks: [Ask]) {
        let bytes = asks.reduce(0) { $0 + $1.weight }
        behind -= bytes
        shard.queue.letGo(bytes)
    }

    /// Nobody has asked since then, and nothing is on its way.
    func leavesIfIdle(since: Int64) -> Bool {
        guard lastUse < since, memory.unkept == 0, parked.isEmpty, batch.isEmpty, !isLoading, underWay.isEmpty, wanting.isEmpty,
            case .none = edit
        else { return false }
        memory.drop()
        return true
    }

    /// Rules that have few requests at a time take little.
    func rest(since: Int64) {
        rules?.main.rest(since: since)
        rules?.canary?.rest(since: since)
        for pinned in versions.values { pinned?.rest(since: since) }
    }

    // MARK: deciding

    func decide(into group: inout KeptGroup, _ delivery: inout Delivery) {
        var asks = batch
        batch = []
        lastUse = HostClock.ticks()
        if isLoading || isHeld || !parked.isEmpty {
            park(asks, &delivery)
            asks = isReady ? takeParked(turn) : []
        }
        turn = 0
        guard let rules else {
            if let problem {
                for ask in asks { tell(ask, problem.problem, &delivery) }
            }
            return
        }
        let now = shard.clock()
        let known = answers(to: asks, now: now)
        var fresh: [Ask] = []
        var keys: Set<IdempotencyKey> = []
        func decideFresh() {
            for (rules, part) in parts(of: fresh, rules) {
                for decided in rules.decide(part, on: memory, now: now, watch: shard.watch, ahead: shard.ahead) {
                    finish(decided, &group, &delivery)
                }
            }
            fresh.removeAll(keepingCapacity: true)
            keys.removeAll()
        }
        for ask in asks {
            if let pinned = ask.pinned, pinned != rules.main.ruleset.hash, versions[pinned] == nil {
                if wanting[pinned] == nil { wantedVersions.append(pinned) }
                wanting[pinned, default: []].append(ask)
                continue
            }
            // Whether a key is taken is known when the one before that has it is decided.
            if let key = ask.key, keys.contains(key) { decideFresh() }
            guard isFresh(ask, known, &delivery) else { continue }
            if let key = ask.key { keys.insert(key) }
            fresh.append(ask)
        }
        decideFresh()
    }

    /// By whose rules each is decided. A recipient has always the same ones, so that only the order between recipients changes.
    private func parts(of asks: [Ask], _ rules: RulesInForce) -> [(RulesInUse, [Ask])] {
        guard rules.canary != nil || asks.contains(where: { $0.pinned != nil }) else { return [(rules.main, asks)] }
        var parts: [(rules: RulesInUse, asks: [Ask])] = []
        for ask in asks {
            let chosen = chosen(for: ask, rules)
            if let place = parts.firstIndex(where: { $0.rules === chosen }) {
                parts[place].asks.append(ask)
            } else {
                parts.append((chosen, [ask]))
            }
        }
        return parts
    }

    private func chosen(for ask: Ask, _ rules: RulesInForce) -> RulesInUse {
        if let pinned = ask.pinned {
            // One that is not there any more is decided by the newest.
            return pinned == rules.main.ruleset.hash ? rules.main : (versions[pinned] ?? nil) ?? rules.main
        }
        guard let canary = rules.canary else { return rules.main }
        let recipient = rules.main.recipient(of: ask)
        let bucket = Bucket.of(app: app, salt: "canary:\(canary.ruleset.hash)", recipient: recipient)
        return bucket < rules.percent ? canary : rules.main
    }

    /// What requests with these keys were answered, looked up for all of them at once.
    private func answers(to asks: [Ask], now: Instant) -> Result<[IdempotencyKey: KeptAnswer], HostProblem> {
        let keys = asks.compactMap { ask in ask.key.flatMap { $0.isUsable && underWay[$0] == nil ? $0 : nil } }
        guard !keys.isEmpty else { return .success([:]) }
        do throws(EffectStoreFault) {
            return .success(try shard.keeping.answers(app: app, keys: keys, now: now))
        } catch {
            return .failure(HostProblem(error))
        }
    }

    /// False: it is answered already, or will be with another one.
    private func isFresh(
        _ ask: Ask, _ answers: Result<[IdempotencyKey: KeptAnswer], HostProblem>, _ delivery: inout Delivery
    ) -> Bool {
        guard let key = ask.key else { return true }
        guard key.isUsable else {
            tell(ask, .badKey, &delivery)
            return false
        }
        let question = RequestDigest.of(ask.request)
        if let first = underWay[key] {
            if first.question != question {
                tell(ask, .mismatch, &delivery)
            } else if keep([ask]) == 1 {
                underWay[key]?.repeated.append(ask)
            } else {
                tell(ask, .queueFull, &delivery)
            }
            return false
        }
        switch answers {
        case .failure(let problem): tell(ask, problem, &delivery)
        case .success(let answers):
            guard let known = answers[key] else {
                underWay[key] = UnderWay(question: question)
                return true
            }
            if known.question == question {
                delivery.add(HostAnswer(tag: ask.request.tag, status: known.status, body: known.answer), to: ask.sink)
            } else {
                tell(ask, .mismatch, &delivery)
            }
        }
        return false
    }

    private func finish(_ decided: Decided, _ group: inout KeptGroup, _ delivery: inout Delivery) {
        if let due = decided.ask.due, shard.settings.webhook != nil, decided.status == 200 {
            decided.post = DuePost.body(of: due, at: shard.clock(), decision: decided.body)
        }
        guard let recipient = decided.hot else {
            delivery.add(decided.answer(to: decided.ask), to: decided.ask.sink)
            for ask in repeated(decided.ask) {
                delivery.add(decided.answer(to: ask), to: ask.sink)
            }
            return
        }
        let question = decided.ask.key.flatMap { underWay[$0]?.question }
        let kept = decided.ask.key.flatMap { key in
            question.map {
                KeptAnswer(token: key.token, key: key.key, question: $0, status: decided.status, answer: decided.body)
            }
        }
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
        for ask in repeated(entry.decided.ask) { delivery.add(KeptGroup.answer(entry.decided, result, to: ask), to: ask.sink) }
    }

    /// Those that have repeated a request which is answered now.
    private func repeated(_ ask: Ask) -> [Ask] {
        let asks = ask.key.flatMap { underWay.removeValue(forKey: $0)?.repeated } ?? []
        letGo(asks)
        return asks
    }

    private func tell(_ ask: Ask, _ problem: HostProblem, _ delivery: inout Delivery) {
        delivery.add(HostAnswer(tag: ask.request.tag, problem), to: ask.sink)
    }
}
