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
    /// Until there are rules.
    private(set) var parked: [Ask] = []
    var isLoading = false
    private(set) var rules: RulesInUse?
    /// Why there are none, and since when.
    private var problem: (problem: HostProblem, since: Int64)?
    /// Requests with a key that are not answered yet, and those that repeat them.
    private var underWay: [IdempotencyKey: UnderWay] = [:]
    private var lastUse = HostClock.ticks()

    private struct UnderWay {
        let question: [UInt8]
        var repeated: [Ask] = []
    }

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

    /// - Returns: those that have waited.
    func takeUp(_ outcome: LoadOrder.Outcome) -> [Ask] {
        isLoading = false
        switch outcome {
        case .ready(let rules):
            self.rules = rules
            problem = nil
        case .failed(let problem, let isThere):
            if !isThere { rules = nil }
            if rules == nil { self.problem = (problem, HostClock.ticks()) }
        }
        let asks = parked
        parked = []
        return asks
    }

    /// Nobody has asked since then, and nothing is on its way.
    func leavesIfIdle(since: Int64) -> Bool {
        guard lastUse < since, memory.unkept == 0, parked.isEmpty, batch.isEmpty, !isLoading, underWay.isEmpty else { return false }
        memory.leave()
        return true
    }

    // MARK: deciding

    func decide(into group: inout KeptGroup, _ delivery: inout Delivery) {
        let asks = batch
        batch = []
        lastUse = HostClock.ticks()
        guard let rules else {
            if isLoading {
                let room = max(0, shard.settings.mostWaiting - parked.count)
                parked += asks.prefix(room)
                for ask in asks.dropFirst(room) { tell(ask, .queueFull, &delivery) }
            } else if let problem {
                for ask in asks { tell(ask, problem.problem, &delivery) }
            }
            return
        }
        let now = shard.clock()
        var fresh: [Ask] = []
        var keys: Set<IdempotencyKey> = []
        func decideFresh() {
            for decided in rules.decide(fresh, on: memory, now: now) { finish(decided, &group, &delivery) }
            fresh.removeAll(keepingCapacity: true)
            keys.removeAll()
        }
        for ask in asks {
            // Whether a key is taken is known when the one before that has it is decided.
            if let key = ask.key, keys.contains(key) { decideFresh() }
            guard isFresh(ask, now: now, &delivery) else { continue }
            if let key = ask.key { keys.insert(key) }
            fresh.append(ask)
        }
        decideFresh()
    }

    /// False: it is answered already, or will be with another one.
    private func isFresh(_ ask: Ask, now: Instant, _ delivery: inout Delivery) -> Bool {
        guard let key = ask.key else { return true }
        guard (1...IdempotencyKey.longest).contains(key.key.utf8.count) else {
            tell(ask, .badKey, &delivery)
            return false
        }
        let question = RequestDigest.of(ask.request)
        if let first = underWay[key] {
            if first.question == question { underWay[key]?.repeated.append(ask) } else { tell(ask, .mismatch, &delivery) }
            return false
        }
        do throws(EffectStoreFault) {
            guard let known = try shard.keeping.answer(app: app, token: key.token, key: key.key, now: now) else {
                underWay[key] = UnderWay(question: question)
                return true
            }
            if known.question == question {
                delivery.add(HostAnswer(tag: ask.request.tag, status: known.status, body: known.answer), to: ask.sink)
            } else {
                tell(ask, .mismatch, &delivery)
            }
        } catch {
            tell(ask, HostProblem(error), &delivery)
        }
        return false
    }

    private func finish(_ decided: Decided, _ group: inout KeptGroup, _ delivery: inout Delivery) {
        guard let recipient = decided.recipient else {
            delivery.add(decided.answer, to: decided.ask.sink)
            for ask in repeated(decided.ask) {
                delivery.add(Decided(ask, decided).answer, to: ask.sink)
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
        guard kept != nil || !decided.effects.isEmpty || memory.unkept > 0 else {
            delivery.add(decided.answer, to: decided.ask.sink)
            return
        }
        memory.handOver(recipient)
        group.add(KeptGroup.Entry(seat: self, decided: decided, chain: memory.chain, kept: kept))
    }

    /// Word of the store.
    func settle(_ entry: KeptGroup.Entry, _ result: Result<CommitOutcome, EffectStoreFault>, _ delivery: inout Delivery) {
        let isKept = if case .success(.kept) = result { true } else { false }
        memory.settle(entry.decided.recipient ?? "", of: entry.chain, isKept: isKept)
        for ask in repeated(entry.decided.ask) { delivery.add(KeptGroup.answer(entry.decided, result, to: ask), to: ask.sink) }
    }

    /// Those that have repeated a request which is answered now.
    private func repeated(_ ask: Ask) -> [Ask] { ask.key.flatMap { underWay.removeValue(forKey: $0)?.repeated } ?? [] }

    private func tell(_ ask: Ask, _ problem: HostProblem, _ delivery: inout Delivery) {
        delivery.add(HostAnswer(tag: ask.request.tag, problem), to: ask.sink)
    }
}
