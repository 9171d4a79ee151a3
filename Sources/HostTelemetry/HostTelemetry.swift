// What an operator sees of a host: its metrics, its journal, its log of decisions. Made before the host, given to it as the one who watches, and
// told of it and its store afterwards. Knows nothing of HTTP: routes ask for bytes and say what they have answered.
//
//     RuleHost ─ watch ─▶ ShardMeter of each shard ─▶ counts ──┐
//              ─ listen ─▶ RulesMeter                          ├─▶ Samples ─▶ Exposition ─▶ GET /metrics
//     EffectStore, WorkerPool, HTTPServer: their own counts ──┘
//     what was decided and counts ─▶ DecisionLog (thread, file)
public import EffectStore
import Glibc
import PushMessage
public import RuleHosting
import RuleWorkers
import Synchronization

public final class HostTelemetry: HostWatching {
    /// What a server knows of its clients.
    public struct ClientFacts: Sendable {
        public var open = 0
        /// At a time.
        public var most = 0
        public var accepted = 0
        public var cut = 0
        public var refused = 0
        /// nil: nobody speaks TLS.
        public var certificate: CertificateFacts?

        public init() {}
    }

    /// Of a server that speaks TLS.
    public struct CertificateFacts: Sendable {
        /// Seconds since 1970.
        public let until: Int64
        public let handshakesFailed: Int

        public init(until: Int64, handshakesFailed: Int) {
            self.until = until
            self.handshakesFailed = handshakesFailed
        }
    }

    /// What SIGHUP has a host read again.
    public enum ConfigFile: String, Sendable, CaseIterable {
        case tokens
        case secret
        case certificate
    }

    private struct Seen: Sendable {
        var host: RuleHost?
        var store: EffectStore?
        var clients: (@Sendable () -> ClientFacts)?
        var meters: [ShardMeter] = []
        var requests: [RequestMeter] = []
    }

    public let journal: Journal?
    public let decisions: DecisionLog?
    private let shared: SharedMeter
    private let rules: RulesMeter
    private let process: ProcessFacts
    private let configFailures = CountedTable(MetricTable.configFailures)
    private let seen = Monitor(Seen())
    /// Messages that are held back are counted up to it.
    private static let mostDeferred = 10_000

    /// - Parameter version: of the program.
    public init(version: String, journal: Journal? = nil, decisions: DecisionLog? = nil) {
        self.journal = journal
        self.decisions = decisions
        shared = SharedMeter(decisions, journal)
        rules = RulesMeter(journal)
        process = ProcessFacts(version: version)
        // From the start, so that the first failure is seen to be one more.
        for file in ConfigFile.allCases { configFailures.count([file.rawValue], 0) }
    }

    // MARK: whom it watches

    public func desk(ofShard number: Int) -> any ShardWatching {
        let meter = ShardMeter(shared)
        seen.withLock { $0.meters.append(meter) }
        return meter
    }

    public func heard(ofWebhook word: Webhook.Word) {
        switch word {
        case .failing(let reason): journal?.log(.warning, "webhook_failing", [("reason", .text(reason))])
        case .works: journal?.log(.info, "webhook_works")
        case .expired(let count): journal?.log(.error, "webhook_given_up", [("count", .number(count)), ("reason", "expired")])
        case .dropped(let count): journal?.log(.error, "webhook_given_up", [("count", .number(count)), ("reason", "dropped")])
        }
    }

    /// A file had a fault when it was read again; what was in force before stays.
    public func refused(_ file: ConfigFile) { configFailures.count([file.rawValue]) }

    /// From now on its queues and rules are told of, too.
    /// - Parameter store: nil: nothing is kept.
    public func look(at host: RuleHost, _ store: EffectStore?) {
        seen.withLock { seen in
            seen.host = host
            seen.store = store
        }
        host.listen(rules)
        guard let journal else { return }
        store?.listen { part in journal.log(.error, "store_unreadable", app: part.app, [("part", .text(part.kind.rawValue))]) }
    }

    /// - Parameter facts: asked on the thread that asks for metrics.
    public func look(atClients facts: @escaping @Sendable () -> ClientFacts) { seen.withLock { $0.clients = facts } }

    /// For whoever answers requests.
    /// - Parameter routes: their names, by which answers are counted.
    public func meter(of routes: [String]) -> RequestMeter {
        let meter = RequestMeter(routes)
        seen.withLock { $0.requests.append(meter) }
        return meter
    }

    /// Lets go of the host, and writes what is to be written.
    public func end() {
        seen.withLock { $0 = Seen(meters: $0.meters, requests: $0.requests) }
        decisions?.end()
        journal?.end()
    }

    // MARK: metrics

    /// As `Exposition.contentType` says.
    public func metrics() -> [UInt8] { Exposition.text(samples()) }

    /// Of what happens to messages.
    var messageSources: [any MetricSource] { meters as [any MetricSource] + [shared] }

    var meters: [ShardMeter] { seen.withLock { $0.meters } }

    func samples() -> Samples {
        var samples = Samples()
        let seen = seen.withLock { $0 }
        for source in seen.meters as [any MetricSource] + seen.requests + [shared, rules, configFailures, process] {
            source.collect(into: &samples)
        }
        if let host = seen.host { collect(host, into: &samples) }
        if let store = seen.store { collect(store, into: &samples) }
        if let facts = seen.clients?() {
            samples.add(MetricTable.connections, [], facts.open)
            samples.add(MetricTable.connectionsLimit, [], facts.most)
            samples.add(MetricTable.connectionsEver, [], facts.accepted)
            samples.add(MetricTable.connectionsCut, [], facts.cut)
            samples.add(MetricTable.requestsRefused, [], facts.refused)
            if let certificate = facts.certificate {
                samples.add(MetricTable.handshakesFailed, [], certificate.handshakesFailed)
                samples.add(MetricTable.certificateExpiry, [], Int(certificate.until))
            }
        }
        if let journal {
            samples.add(MetricTable.logLines, ["journal"], journal.written.load(ordering: .relaxed))
            samples.add(MetricTable.logDropped, ["journal"], journal.dropped.load(ordering: .relaxed))
        }
        if let decisions {
            samples.add(MetricTable.logLines, ["decisions"], decisions.counts.written.load(ordering: .relaxed))
            samples.add(MetricTable.logDropped, ["decisions"], decisions.counts.dropped.load(ordering: .relaxed))
        }
        return samples
    }

    private func collect(_ host: RuleHost, into samples: inout Samples) {
        for (number, facts) in host.shardFacts.enumerated() {
            samples.add(MetricTable.queueLength, [String(number)], facts.waiting + facts.behind)
            samples.add(MetricTable.unkept, [String(number)], facts.unkept)
        }
        if let facts = host.workerFacts {
            samples.add(MetricTable.workers, [], facts.processes)
            samples.add(MetricTable.quarantined, [], facts.quarantinedApps)
            for (code, count) in facts.ends { samples.add(MetricTable.workerEnds, [code.rawValue], count) }
        }
        if let facts = host.webhookFacts { collect(facts, into: &samples) }
        samples.add(MetricTable.unwatched, [], host.unwatchedApps)
        let minuteAgo = Instant(milliseconds: HostClock.now().milliseconds - 60_000)
        do throws(EffectStoreFault) {
            let counts = try host.deferredCounts(late: minuteAgo, most: HostTelemetry.mostDeferred)
            samples.add(MetricTable.deferredWaiting, [], counts.waiting)
            samples.add(MetricTable.deferredLate, [], counts.late)
        } catch {
            // A store that cannot be read: its own metrics say so, and these are not told.
        }
    }

    private func collect(_ facts: Webhook.Facts, into samples: inout Samples) {
        for (result, count) in [("taken", facts.taken), ("expired", facts.expired), ("dropped", facts.dropped)] {
            samples.add(MetricTable.webhookPosts, [result], count)
        }
        samples.add(MetricTable.webhookFailures, [], facts.failures)
        samples.add(MetricTable.webhookWaiting, [], facts.waiting)
        let age = facts.oldest.map { max(0, HostClock.now().milliseconds - $0.milliseconds) / 1_000 } ?? 0
        samples.add(MetricTable.webhookAge, [], Int(age))
    }

    private func collect(_ store: EffectStore, into samples: inout Samples) {
        let counts = store.counts
        samples.add(MetricTable.storeCommits, [], counts.commits)
        samples.add(MetricTable.storeGroups, [], counts.groups)
        samples.add(MetricTable.storeFaults, [], counts.faults)
        samples.add(MetricTable.storeBacklog, [], counts.backlog)
        samples.add(MetricTable.storeWritable, [], counts.fault == nil ? 1 : 0)
        var size = 0
        for path in [store.path, "\(store.path)-wal"] {
            var state = stat()
            if stat(path, &state) == 0 { size += Int(state.st_size) }
        }
        samples.add(MetricTable.storeSize, [], size)
    }
}
