// A thread that owns some of the apps: it takes what waits, decides it app by app, hands what changes to the store all at once,
// and goes on with the next batch while the store writes. Made by RuleHost.
import EffectStore
import Glibc
import PushMessage
import Synchronization

// SAFETY: all but `queue` and what is Sendable itself belongs to the thread.
final class Shard: @unchecked Sendable {
    let settings: HostSettings
    let keeping: any HostKeeping
    let clock: @Sendable () -> Instant
    let queue: ShardQueue
    /// Who wants to know how it does.
    let watch: (any ShardWatching)?
    private let load: @Sendable (LoadOrder) -> Void
    /// Something is held back until a moment.
    private let poke: @Sendable (Instant) -> Void
    /// Somebody elsewhere is to be told of something, and that is kept.
    private let pokeWebhook: @Sendable () -> Void
    private var seats: [String: AppSeat] = [:]
    /// Those with requests behind the queue that may be decided.
    private var ready: [AppSeat] = []
    /// Recipients in memory, over all apps.
    let hot: HotList
    /// Handed to the store, and not heard of.
    private var unkept = 0 {
        didSet { unkeptNow.store(unkept, ordering: .relaxed) }
    }
    /// The same, for others.
    let unkeptNow = Atomic(0)
    /// When the thread has begun what it does now, in milliseconds of the clock that only goes forward.
    let lastTurn = Atomic(HostClock.ticks())
    private var lastLook = HostClock.ticks()
    /// Changes of state by hand.
    let edits = EditQueue()
    /// nil: nobody reads for it.
    let ahead: ReadAhead?
    /// nil: what is decided is kept by a thread of the store, or by this one.
    private let aside: KeepAside?
    // SAFETY: set before anybody else has the shard.
    private var (thread, editing, reading, remembering) = (pthread_t(), pthread_t?.none, pthread_t?.none, pthread_t?.none)
    private let isRunning = Monitor(true)
    /// Groups whose answers have not been sent out.
    private let untold = Monitor(0)

    /// Requests that are decided before what they change is handed over.
    private static let batch = 256
    /// Of those that have waited behind the queue.
    private static let lateBatch = 128
    /// Those that come from the queue beside them: most have to wait behind it as well, and make way for others by that.
    private static let batchBeside = 2_048
    /// Beyond so many no more is decided until the store has caught up.
    private static let mostUnkept = 8_192
    /// Milliseconds for which an app that had many requests at a time keeps what is only needed for that.
    private static let rest: Int64 = 10_000
    /// Milliseconds between looks at apps that nobody asks.
    private var look: Int { min(1_000, settings.idle) }

    init(
        _ settings: HostSettings, keeping: any HostKeeping, load: @escaping @Sendable (LoadOrder) -> Void,
        poke: @escaping @Sendable (Instant) -> Void, pokeWebhook: @escaping @Sendable () -> Void, clock: @escaping @Sendable () -> Instant,
        watch: (any ShardWatching)?
    ) throws(HostStartFault) {
        self.settings = settings
        self.keeping = keeping
        self.load = load
        self.poke = poke
        self.pokeWebhook = pokeWebhook
        self.clock = clock
        self.watch = watch
        queue = ShardQueue(most: settings.mostWaiting, bytes: settings.mostWaitingBytes)
        hot = HotList(most: settings.mostHot, bytes: settings.mostHotBytes / max(1, settings.shards))
        ahead = settings.readsAhead ? ReadAhead() : nil
        aside = settings.readsAhead && keeping.isImmediate ? KeepAside() : nil
        guard let thread = HostThread.start({ [self] in work() }) else { throw .noThread }
        self.thread = thread
        editing = HostThread.start { [self] in carryOutEdits() }
        if let ahead { reading = HostThread.start { ahead.run() } }
        if let aside { remembering = HostThread.start { aside.run() } }
        guard editing != nil, ahead == nil || reading != nil, aside == nil || remembering != nil else {
            end()
            throw .noThread
        }
    }

    func offer(_ asks: [Ask]) {
        let (taken, refusal) = queue.offer(asks)
        guard taken < asks.count else { return }
        var delivery = Delivery(watch)
        let problem = refusal == .closed ? HostProblem.closing : .queueFull
        for ask in asks[taken...] { delivery.add(HostAnswer(tag: ask.request.tag, problem), to: ask.sink) }
        delivery.send()
    }

    /// Returns when everything that was taken is answered. Not for the thread of a sink.
    func end() {
        edits.close()
        let wasRunning = isRunning.withLock { isRunning in
            defer { isRunning = false }
            return isRunning
        }
        // They need the shard's thread to their end.
        if wasRunning, let editing { pthread_join(editing, nil) }
        queue.close()
        if wasRunning { pthread_join(thread, nil) }
        ahead?.close()
        if wasRunning, let reading { pthread_join(reading, nil) }
        aside?.close()
        if wasRunning, let remembering { pthread_join(remembering, nil) }
        untold.wait { $0 == 0 ? () : nil }
    }

    // MARK: the thread

    private func work() {
        var isClosed = false
        while true {
            let hasRoom = unkept < Shard.mostUnkept
            let isLate = hasRoom && !ready.isEmpty
            // After the end only word of the store is waited for.
            if isClosed, unkept == 0, seats.values.allSatisfy({ $0.parked.isEmpty }) { break }
            let next = queue.take(
                atMost: hasRoom ? isLate ? Shard.batchBeside : Shard.batch : 0, milliseconds: isLate ? 0 : isClosed ? 10 : look)
            guard let taken = next ?? (isLate ? ShardQueue.Taken() : nil) else {
                lookAtIdle()
                lastTurn.store(lastLook, ordering: .relaxed)
                continue
            }
            lastTurn.store(HostClock.ticks(), ordering: .relaxed)
            isClosed = taken.isClosed
            if taken.asks.isEmpty, taken.signals.isEmpty, !isLate { usleep(1_000) }
            for signal in taken.signals { heed(signal) }
            decide(taken.asks, late: hasRoom ? Shard.lateBatch : 0)
            if HostClock.ticks() - lastLook > Int64(look) { lookAtIdle() }
        }
        (seats, ready) = ([:], [])
        hot.clear()
    }

    private func heed(_ signal: ShardQueue.Signal) {
        switch signal {
        case .kept(let group, let results):
            unkept -= group.entries.count
            settle(group, results)
        case .rules(let app, let outcome):
            guard let seat = seats[app] else { return }
            seat.takeUp(outcome)
            if case .failed(let problem, false) = outcome {
                let asks = seat.takeParked(.max)
                seat.beginEdit()
                // Nobody is there: a name that was made up must not stay in memory.
                if seat.leavesIfIdle(since: .max) { seats[app] = nil }
                refuse(asks, problem)
            } else {
                goOn(seat)
            }
        case .version(let app, let hash, let outcome):
            guard let seat = seats[app] else { return }
            let (asks, problem) = seat.takeUp(outcome, version: hash)
            if let problem { refuse(asks, problem) } else { decide(asks) }
        case .task(let task): task(self)
        }
    }

    private func refuse(_ asks: [Ask], _ problem: HostProblem) {
        var delivery = Delivery(watch)
        for ask in asks { delivery.add(HostAnswer(tag: ask.request.tag, problem), to: ask.sink) }
        delivery.send()
    }

    // MARK: deciding

    /// - Parameter late: so many of those that have waited behind the queue.
    func decide(_ asks: [Ask], late: Int = 0) {
        guard !asks.isEmpty || late > 0 && !ready.isEmpty else { return }
        var touched = takeTurns(late)
        for ask in asks {
            let seat = seat(of: ask.request.app)
            if seat.batch.isEmpty, seat.turn == 0 { touched.append(seat) }
            seat.batch.append(ask)
        }
        var group = KeptGroup(watch)
        var delivery = Delivery(watch)
        for seat in touched {
            if seat.wantsRules(now: HostClock.ticks()) { order(seat) }
            seat.decide(into: &group, &delivery, beside: ready.count)
            for hash in seat.takeWantedVersions() { order(seat.app, version: hash) }
        }
        delivery.send()
        keep(group)
        for seat in touched {
            seat.beginEdit()
            goOn(seat)
        }
        hot.shrink()
        ready.removeAll { !$0.isReady }
    }

    /// Apps whose requests have waited have their turns one after the other, with as many each, or as long.
    private func takeTurns(_ most: Int) -> [AppSeat] {
        guard most > 0, !ready.isEmpty else { return [] }
        var left = most
        let share = max(1, most / ready.count)
        var seats: [AppSeat] = []
        for seat in ready where left > 0 {
            seat.turn = min(share, left, seat.pace.count(among: ready.count))
            left -= share
            seats.append(seat)
        }
        ready = Array(ready[seats.count...]) + seats
        return seats
    }

    /// What has waited is decided in turns with what comes.
    private func goOn(_ seat: AppSeat) { if seat.isReady, !ready.contains(where: { $0 === seat }) { ready.append(seat) } }

    func release(_ seat: AppSeat, after changes: [[StateChange]?]) {
        seat.release(after: changes)
        goOn(seat)
    }

    private func keep(_ group: KeptGroup) {
        guard !group.entries.isEmpty else { return }
        unkept += group.entries.count
        let queue = queue
        let untold = untold
        let start = watch == nil ? 0 : HostClock.nanoseconds()
        untold.change { $0 += 1 }
        let firstDue = group.entries.compactMap { $0.decided.firstDue }.min()
        let posts = group.entries.contains { $0.decided.post != nil }
        let (poke, pokeWebhook) = (poke, pokeWebhook)
        let (keeping, now) = (keeping, clock())
        let hand: @Sendable () -> Void = {
            keeping.keep(group.deeds, now: now) { results in
                // First the shard: who is told of a failure and tries again finds it mended. Then on the store's thread, because whoever
                // waits need not wait for the shard as well.
                queue.signal(.kept(group, results))
                group.tell(results, start: start)
                if let firstDue { poke(firstDue) }
                if posts { pokeWebhook() }
                untold.change { $0 -= 1 }
            }
        }
        if let aside { aside.perform(group.entries.count, hand) } else { hand() }
    }

    private func settle(_ group: KeptGroup, _ results: [Result<CommitOutcome, EffectStoreFault>]) {
        var delivery = Delivery(watch)
        for place in results.indices { group.entries[place].seat.settle(group.entries[place], results[place], &delivery) }
        delivery.send()
    }

    // MARK: apps

    var appCount: Int { seats.count }

    func seat(of app: String) -> AppSeat {
        if let seat = seats[app] { return seat }
        let seat = AppSeat(app, of: self)
        seats[app] = seat
        return seat
    }

    private func order(_ seat: AppSeat) {
        let queue = queue
        let app = seat.app
        seat.load()
        load(LoadOrder(app: app) { outcome in queue.signal(.rules(app: app, outcome)) })
    }

    private func order(_ app: String, version: String) {
        let queue = queue
        load(LoadOrder(app: app, version: version) { outcome in queue.signal(.version(app: app, hash: version, outcome)) })
    }

    /// Apps that nobody asks leave.
    private func lookAtIdle() {
        lastLook = HostClock.ticks()
        let now = lastLook
        seats = seats.filter { !$0.value.leavesIfIdle(since: now - Int64(settings.idle)) }
        for seat in seats.values { seat.rest(since: now - Shard.rest) }
        hot.shrink()
    }
}
