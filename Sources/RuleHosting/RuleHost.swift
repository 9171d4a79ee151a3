// A host of rules: it takes requests to decide on messages, and answers when what was decided is kept. Called by whoever serves
// (HTTP routes, streams) from any thread; it never waits.
//
//     decide ─▶ Shard (of the app: a queue, a thread) ─▶ AppSeat: rules, hot state ─▶ HostKeeping (store) ─▶ answers
//                                    ▲ rules                                                 │ kept, or not
//                                    └── RuleLoader (threads of its own) ◀── rules folder    └─▶ back to the shard
//
// 1. An app belongs to one shard, and only its thread touches what the app is and remembers: no lock, and one order.
// 2. An answer leaves when what it changes is kept; the next message of the same person sees the change before that.
// Of HTTP nothing is known in here but the numbers of statuses.
import EffectStore
public import PushMessage
public import RuleStore
import RuleWorkers

public final class RuleHost: Sendable {
    private let shards: [Shard]
    private let loader: RuleLoader
    private let keeping: any HostKeeping
    public let settings: HostSettings

    /// Begins to serve the apps of a folder; an app is read when its first message comes.
    /// - Parameters:
    ///   - rules: may change while the host runs.
    ///   - store: what apps remember.
    ///   - clock: the moment of a message that does not choose its own.
    public init(
        rules: RulesFolder, store: HostStore, settings: HostSettings = HostSettings(),
        clock: @escaping @Sendable () -> Instant = HostClock.now
    ) throws(HostStartFault) {
        self.settings = settings
        let keeping: any HostKeeping =
            switch store {
            case .memory: MemoryKeeping()
            case .durable(let store): DurableKeeping(store)
            }
        self.keeping = keeping
        let loader = try RuleLoader(rules, settings)
        self.loader = loader
        var shards: [Shard] = []
        do throws(HostStartFault) {
            for _ in 0..<settings.shards {
                shards.append(try Shard(settings, keeping: keeping, loader: loader, clock: clock))
            }
        } catch {
            for shard in shards { shard.end() }
            loader.end()
            throw error
        }
        self.shards = shards
    }

    deinit { close() }

    /// Answers what was taken, and takes nothing more. The store stays open: it is its owner's.
    public func close() {
        for shard in shards { shard.end() }
        loader.end()
    }

    // MARK: deciding

    /// Hands requests over, and returns. Each is answered once, in any order and on any thread; those of one app are decided
    /// in this order.
    public func decide(_ requests: [DecideRequest], to sink: any AnswerTaking) {
        guard shards.count > 1 else { return shards[0].offer(requests.map { Ask($0, sink) }) }
        var parts = [[Ask]](repeating: [], count: shards.count)
        for request in requests { parts[place(of: request.app)].append(Ask(request, sink)) }
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

    /// FNV-1a: the same in every run, so that an app that is named again is found in the same shard.
    private func place(of app: String) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in app.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int(truncatingIfNeeded: (hash ^ hash >> 32) % UInt64(shards.count))
    }
}

/// Why a host cannot begin.
public struct HostStartFault: Error, Sendable, Equatable {
    public let code: String
    public let message: String
    public let hint: String?
}
