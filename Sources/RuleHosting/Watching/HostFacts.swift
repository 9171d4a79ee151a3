// What a host is like at this moment, for whoever looks: nothing that a message waits for.
public import EffectStore
public import PushMessage
public import RuleWorkers
import Synchronization

extension RuleHost {
    public struct ShardFacts: Sendable {
        /// Requests in its queue.
        public let waiting: Int
        /// Requests behind the queue: for the turn of their app, for rules, for a change of state by hand.
        public let behind: Int
        /// Requests that are decided and wait for the store.
        public let unkept: Int
        /// Milliseconds since it began what it does now.
        public let age: Int64
    }

    public struct WorkerFacts: Sendable {
        public let processes: Int
        public let ends: [OutageCode: Int]
        public let quarantinedApps: Int
    }

    /// In the order of their numbers.
    public var shardFacts: [ShardFacts] {
        let now = HostClock.ticks()
        return shards.map {
            ShardFacts(
                waiting: $0.queue.count, behind: $0.queue.countBehind, unkept: $0.unkeptNow.load(ordering: .relaxed),
                age: now - $0.lastTurn.load(ordering: .relaxed))
        }
    }

    /// nil: rules run in this process.
    public var workerFacts: WorkerFacts? {
        library.workshop.pool.map { WorkerFacts(processes: $0.processes.count, ends: $0.ends, quarantinedApps: $0.quarantinedApps) }
    }

    /// nil: nobody is told.
    public var webhookFacts: Webhook.Facts? { webhook?.facts }

    /// Bodies are signed with it from the next post on.
    public func exchangeWebhookSecret(_ secret: [UInt8]) { webhook?.sign(with: secret) }

    /// Apps whose folders are looked at in turns, because the system has no room to watch them.
    public var unwatchedApps: Int { library.unwatched }

    /// Messages that are held back, and those of them whose time has come before that; counted up to `most`.
    public func deferredCounts(late: Instant, most: Int) throws(EffectStoreFault) -> (waiting: Int, late: Int) {
        (
            try keeping.dueCount(before: Instant(milliseconds: .max), most: most),
            try keeping.dueCount(before: late, most: most)
        )
    }
}
