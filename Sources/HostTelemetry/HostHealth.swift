// Whether a host lives, and whether it is to be asked: what /healthz and /readyz say. Both answer at once: they are asked on threads that serve.
// Who does not live is to be started anew; who is not ready is to be left alone until he is.
public import EffectStore
import JSONDocument
public import RuleHosting
import RuleStore

public final class HostHealth: Sendable {
    public struct Answer: Sendable, Equatable {
        /// Of HTTP: 200 or 503.
        public let status: Int
        /// JSON.
        public let body: [UInt8]
    }

    private struct State {
        /// nil: that is not known yet.
        var apps: [String: AppInfo]?
        var unread: Set<String> = []
        var folderFault: StoreFault?
        var isEnding = false
        var lastProbe = Int64.min
    }

    private let host: RuleHost
    private let store: EffectStore?
    private let loops = Monitor<@Sendable () -> [Int64]>({ [] })
    private let state = Monitor(State())
    /// Milliseconds after which a thread that has not come round again does not live: far beyond the limits of rules.
    private static let patience: Int64 = 60_000
    /// Nanoseconds between two tries to write to a store that does not take anything.
    private static let pause: Int64 = 1_000_000_000

    /// - Parameter store: nil: nothing is kept.
    public init(_ host: RuleHost, _ store: EffectStore?) {
        self.host = host
        self.store = store
    }

    /// - Parameter ages: milliseconds since each loop of the server came round.
    public func look(atLoops ages: @escaping @Sendable () -> [Int64]) { loops.withLock { $0 = ages } }

    /// Has all apps of the folder read, so that the first message of one does not wait for that. Until then the host is not ready.
    public func begin() {
        do throws(StoreFault) {
            let apps = try host.apps()
            state.withLock { state in
                state.apps = [:]
                state.unread = Set(apps)
            }
            for app in apps {
                host.info(of: app) { [weak self] info in
                    self?.state.withLock { state in
                        state.unread.remove(app)
                        state.apps?[app] = info
                    }
                }
            }
        } catch {
            state.withLock { $0.folderFault = error }
        }
    }

    /// The host takes no more, and finishes what it has.
    public func end() { state.withLock { $0.isEnding = true } }

    // MARK: asking

    public func alive() -> Answer {
        let ages = host.shardFacts.map { ("shard", $0.age) } + loops.withLock({ $0 })().map { ("loop", $0) }
        let stuck = ages.filter { $0.1 > HostHealth.patience }
        var missing: [Missing] = []
        for (what, age) in stuck {
            missing.append(Missing(what: what, code: "stuck", detail: "a thread has not come round for \(age / 1_000) s"))
        }
        return HostHealth.answer(missing, bad: "stuck")
    }

    public func ready() -> Answer {
        let (known, unread, folderFault, isEnding) = state.withLock { ($0.apps, $0.unread, $0.folderFault, $0.isEnding) }
        var missing: [Missing] = []
        if isEnding { missing.append(Missing(what: "host", code: "host_closing", detail: "the host is about to end")) }
        if let folderFault {
            missing.append(Missing(what: "rules", code: folderFault.code.rawValue, detail: folderFault.message))
        } else if known == nil || !unread.isEmpty {
            let names = unread.sorted().prefix(10).joined(separator: ", ")
            missing.append(Missing(what: "rules", code: "rules_not_read", detail: "apps are being read: \(names)"))
        }
        let now = known.map { _ in host.known } ?? [:]
        let failing = now.values.filter { $0.status == .failed }.map(\.app).sorted()
        if known != nil, folderFault == nil, unread.isEmpty, failing.count == now.count { missing.append(whyNothing(now)) }
        if let fault = storeFault() { missing.append(Missing(what: "store", code: fault.code.rawValue, detail: fault.message)) }
        return HostHealth.answer(missing, bad: "not_ready", failing: failing)
    }

    /// Why there is no app that answers.
    private func whyNothing(_ apps: [String: AppInfo]) -> Missing {
        if apps.isEmpty { return Missing(what: "rules", code: "rules_not_loaded", detail: "the folder of rules holds no app") }
        guard let stage = host.settings.stage, apps.values.allSatisfy(\.waitsForPromotion) else {
            return Missing(what: "rules", code: "rules_not_loaded", detail: "no app loads")
        }
        return Missing(
            what: "rules", code: HostProblem.Code.notPromoted.rawValue,
            detail: "no version of an app has been promoted to \(stage), which this host serves")
    }

    /// A store that took nothing the last time is tried again: nobody else does while nobody asks this host.
    private func storeFault() -> EffectStoreFault? {
        guard let store, let fault = store.counts.fault else { return nil }
        let now = HostClock.nanoseconds()
        let tries = state.withLock { state in
            guard state.lastProbe == .min || now - state.lastProbe > HostHealth.pause else { return false }
            state.lastProbe = now
            return true
        }
        if tries { store.probe() }
        return fault
    }

    // MARK: as JSON

    private struct Missing {
        let what: String
        let code: String
        let detail: String
    }

    /// - Parameter failing: apps that do not load, while others do.
    private static func answer(_ missing: [Missing], bad: String, failing: [String] = []) -> Answer {
        var writer = JSONWriter(reserving: 256)
        writer.beginObject()
        writer.key("status")
        writer.string(missing.isEmpty ? "ok" : bad)
        writer.key("missing")
        writer.beginArray()
        for one in missing {
            writer.beginObject()
            for (key, text) in [("what", one.what), ("code", one.code), ("detail", one.detail)] {
                writer.key(key)
                writer.string(text)
            }
            writer.endObject()
        }
        writer.endArray()
        if !failing.isEmpty {
            writer.key("failing")
            writer.beginArray()
            for app in failing { writer.string(app) }
            writer.endArray()
        }
        writer.endObject()
        return Answer(status: missing.isEmpty ? 200 : 503, body: writer.bytes)
    }
}
