// A host of rules: it takes requests to decide on messages, and answers when what was decided is kept. Called by whoever serves
// (HTTP routes, streams) from any thread; it never waits.
//
//     decide ─▶ Shard (of the app: a queue, a thread) ─▶ AppSeat: rules, hot state ─▶ HostKeeping (store) ─▶ answers
//                                    ▲ rules                                                 │ kept, or not
//                                    └── RuleLibrary (threads of its own) ◀── rules folder   └─▶ back to the shard
//
// 1. An app belongs to one shard, and only its thread touches what the app is and remembers: no lock, and one order.
// 2. An answer leaves when what it changes is kept; the next message of the same person sees the change before that.
// Of HTTP nothing is known in here but the numbers of statuses.
import EffectStore
public import PushMessage
public import RuleStore
import RuleWorkers

public final class RuleHost: Sendable {
    let shards: [Shard]
    /// The same, where the library finds them; empty when they have ended.
    private let delivery: Monitor<[Shard]>
    let library: RuleLibrary
    let rules: RulesFolder
    /// Files are changed one after the other.
    let edits = Monitor(())
    private let listeners = Listeners()
    private let due: DueClock
    let webhook: Webhook?
    let keeping: any HostKeeping
    private let isWatched: Bool
    public let settings: HostSettings

    /// Begins to serve the apps of a folder; an app is read when its first message comes.
    /// - Parameters:
    ///   - rules: may change while the host runs.
    ///   - store: what apps remember.
    ///   - clock: the moment of a message that does not choose its own.
    ///   - watch: who wants to know how it does; nil costs nothing.
    public init(
        rules: RulesFolder, store: HostStore, settings: HostSettings = HostSettings(),
        clock: @escaping @Sendable () -> Instant = HostClock.now, watch: (any HostWatching)? = nil
    ) throws(HostStartFault) {
        self.settings = settings
        let keeping: any HostKeeping =
            switch store {
            case .memory: MemoryKeeping()
            case .durable(let store): DurableKeeping(store)
            }
        self.keeping = keeping
        isWatched = watch != nil
        self.rules = rules
        let shards = Monitor<[Shard]>([])
        let library = try RuleLibrary(rules, settings, keeping: keeping, listeners: listeners, clock: clock) { app, outcome in
            let all = shards.withLock { $0 }
            if !all.isEmpty { all[RuleHost.place(of: app, among: all.count)].queue.signal(.rules(app: app, outcome)) }
        }
        self.library = library
        do throws(HostStartFault) {
            webhook = try settings.webhook.map { settings throws(HostStartFault) in
                try Webhook(settings, keeping: keeping, clock: clock, tell: { watch?.heard(ofWebhook: $0) })
            }
        } catch {
            library.end()
            throw error
        }
        let webhook = webhook
        let due = DueClock(keeping: keeping, listeners: listeners, clock: clock) { app in
            let all = shards.withLock { $0 }
            return all.isEmpty ? nil : all[RuleHost.place(of: app, among: all.count)]
        }
        self.due = due
        listeners.add(due.ear)
        do throws(HostStartFault) {
            for number in 0..<max(1, settings.shards) {
                let shard = try Shard(
                    settings, keeping: keeping, load: { library.load($0) }, poke: { due.poke($0) }, pokeWebhook: { webhook?.poke() },
                    clock: clock,
                    watch: watch?.desk(ofShard: number))
                shards.withLock { $0.append(shard) }
            }
            try due.start()
        } catch {
            due.end()
            for shard in shards.withLock({ $0 }) { shard.end() }
            webhook?.close()
            library.end()
            throw error
        }
        self.shards = shards.withLock { $0 }
        delivery = shards
    }

    deinit { close() }

    /// Answers what was taken, and takes nothing more. The store stays open: it is its owner's.
    public func close() {
        due.end()
        for shard in shards { shard.end() }
        webhook?.close()
        library.end()
        delivery.withLock { $0 = [] }
    }

    // MARK: deciding

    /// Hands requests over, and returns. Each is answered once, in any order and on any thread; those of one app are decided
    /// in this order.
    public func decide(_ requests: [DecideRequest], to sink: any AnswerTaking) {
        let since = isWatched ? HostClock.nanoseconds() : 0
        guard shards.count > 1 else { return shards[0].offer(requests.map { Ask($0, sink, since: since) }) }
        var parts = [[Ask]](repeating: [], count: shards.count)
        for request in requests { parts[RuleHost.place(of: request.app, among: shards.count)].append(Ask(request, sink, since: since)) }
        for (shard, part) in zip(shards, parts) where !part.isEmpty { shard.offer(part) }
    }

    /// One request by itself.
    /// - Parameters:
    ///   - body: `{event?, message, device, now?}`, JSON.
    ///   - done: called once, on any thread; it must not wait.
    public func decide(
        app: String, body: [UInt8], options: DecideOptions = DecideOptions(), done: @escaping @Sendable (HostAnswer) -> Void
    ) {
        decide([DecideRequest(app: app, body: body, options: options)], to: CallingBack(done))
    }

    // MARK: apps

    /// The names of all apps that the folder holds, sorted.
    public func apps() throws(StoreFault) -> [String] { try rules.apps() }

    /// What is known of apps that have been asked for since the host began.
    public var known: [String: AppInfo] { library.known }

    /// What is known of an app; it is read when it was not asked for before.
    /// - Parameter done: called once, on another thread; nil: there is no such app.
    public func info(of app: String, _ done: @escaping @Sendable (AppInfo?) -> Void) { library.tell(app, done) }

    /// Held as long as its owner holds it.
    public func listen(_ listener: any HostListening) { listeners.add(listener) }

    // MARK: what is in memory

    /// Apps whose rules, or whose state, are in memory.
    package var appsInMemory: Int { sum { $0.appCount } }
    package var recipientsInMemory: Int { sum { $0.hot.count } }

    private func sum(_ count: @escaping @Sendable (Shard) -> Int) -> Int {
        shards.reduce(0) { sum, shard in
            let answer = Monitor<Int?>(nil)
            shard.queue.signal(.task { shard in answer.change { $0 = count(shard) } })
            return sum + answer.wait { $0 }
        }
    }

    func shard(of app: String) -> Shard { shards[RuleHost.place(of: app, among: shards.count)] }

    /// FNV-1a: the same in every run, so that an app that is named again is found in the same shard.
    private static func place(of app: String, among count: Int) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in app.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int(truncatingIfNeeded: (hash ^ hash >> 32) % UInt64(count))
    }
}

/// Why a host cannot begin.
public struct HostStartFault: Error, Sendable, Equatable {
    public let code: String
    public let message: String
    public let hint: String?
}
