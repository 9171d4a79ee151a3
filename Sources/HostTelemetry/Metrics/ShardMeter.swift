// Counts what one shard does. What is counted on the way of a message is counted without a lock; a combination of labels that was not there
// before takes one, once.
import EffectStore
import RuleEngine
import RuleHosting

// SAFETY: `apps` and `last` belong to the shard's thread; everything else may be used by any.
final class ShardMeter: ShardWatching, MetricSource, @unchecked Sendable {
    private struct Key: Hashable {
        let event: EventName
        let action: Display.Action?
        let rule: String?
    }

    private final class Series: Sendable {
        let labels: [String]
        let count = AtomicRow(1)
        init(_ labels: [String]) { self.labels = labels }
    }

    private final class AppMeter: Sendable {
        /// As it is counted: its own, or "other".
        let name: String
        /// Duplicates, fuel.
        let counts = AtomicRow(2)
        init(_ name: String) { self.name = name }
    }

    private final class AppDesk {
        let app: String
        let meter: AppMeter
        /// While there is one.
        var canary: CanaryMeter?
        var series: [Key: Series] = [:]
        /// That of the decision before: mostly the same.
        var last: (key: Key, series: Series)?

        init(_ app: String, _ meter: AppMeter) {
            self.app = app
            self.meter = meter
        }
    }

    private var apps: [String: AppDesk] = [:]
    /// That of the decision before.
    private var last: AppDesk?
    private struct Shown {
        var series: [Series] = []
        var apps: [AppMeter] = []
        var canaries: [String: CanaryMeter] = [:]
        /// Of each app the last one that decides no more.
        var endedCanaries: [String: CanaryMeter] = [:]
    }

    private let shown = Monitor(Shown())
    private let queueTime = LatencyHistogram()
    private let evaluateTime = LatencyHistogram()
    private let commitTime = LatencyHistogram()
    private let answerTime = LatencyHistogram()
    private let shared: SharedMeter

    init(_ shared: SharedMeter) { self.shared = shared }

    // MARK: on the shard's thread

    func records(_ request: DecideRequest, recipient: String) -> Bool {
        shared.decisions?.sample.takes(app: request.app, recipient: recipient, body: request.body) ?? false
    }

    /// A decision is some hundred bytes with dozens of references in it: what is counted is read where it stands.
    func decided(_ evaluations: [Evaluation], of request: DecideRequest, by side: CanarySide?, waited: Int64, took: Int64) {
        queueTime.bump(waited)
        evaluateTime.bump(took)
        let desk = desk(of: request.app)
        if side != nil || desk.canary != nil { count(evaluations, by: side, at: desk) }
        for place in evaluations.indices {
            let key = Key(
                event: evaluations[place].decision.event, action: evaluations[place].decision.display?.action,
                rule: evaluations[place].decision.display?.rule)
            count(key, of: request.app, fuel: evaluations[place].decision.usage.fuel, at: desk)
            if evaluations[place].decision.isUsual { continue }
            countOthers(evaluations[place].decision, at: desk, request.options.traceparent)
        }
    }

    private func desk(of app: String) -> AppDesk {
        if let last, last.app == app { return last }
        let desk = apps[app] ?? begin(app)
        last = desk
        return desk
    }

    private func begin(_ app: String) -> AppDesk {
        let meter = AppMeter(shared.bounds.admit(app: app, rule: "").app)
        let desk = AppDesk(app, meter)
        apps[app] = desk
        shown.withLock { $0.apps.append(meter) }
        return desk
    }

    /// Of an app that has a canary, or had one a moment ago.
    private func count(_ evaluations: [Evaluation], by side: CanarySide?, at desk: AppDesk) {
        if side?.canary != desk.canary?.ruleset {
            let meter = side.map { CanaryMeter(app: desk.meter.name, ruleset: $0.canary) }
            desk.canary = meter
            shown.withLock { shown in
                if let ended = shown.canaries[desk.app] { shown.endedCanaries[desk.app] = ended }
                shown.canaries[desk.app] = meter
            }
        }
        guard let side, !side.isPinned else { return }
        for place in evaluations.indices { desk.canary?.count(evaluations[place].decision, by: side) }
    }

    private func count(_ key: Key, of app: String, fuel: Int, at desk: AppDesk) {
        desk.meter.counts.bump(1, by: fuel)
        if let last = desk.last, last.key == key { return last.series.count.bump(0) }
        let series = desk.series[key] ?? begin(key, of: app, at: desk)
        series.count.bump(0)
        desk.last = (key, series)
    }

    private func countOthers(_ decision: Decision, at desk: AppDesk, _ trace: String?) {
        if decision.isDuplicate { desk.meter.counts.bump(0) }
        if !decision.errors.isEmpty { shared.count(decision.errors, app: desk.meter.name, trace) }
        if !decision.usage.strains.isEmpty { shared.count(decision.usage.strains, app: desk.meter.name) }
        for held in decision.deferred {
            let key = Key(event: held.event, action: held.display?.action, rule: held.display?.rule)
            count(key, of: desk.app, fuel: held.usage.fuel, at: desk)
            countOthers(held, at: desk, trace)
        }
    }

    private func begin(_ key: Key, of app: String, at desk: AppDesk) -> Series {
        let (app, rule) = shared.bounds.admit(app: app, rule: key.rule ?? "")
        let series = Series([app, key.event.rawValue, key.action?.rawValue ?? "none", rule])
        desk.series[key] = series
        shown.withLock { $0.series.append(series) }
        return series
    }

    // MARK: on any thread

    func answered(after time: Int64) { answerTime.add(time) }

    func kept(_ count: Int, took: Int64) { commitTime.add(took, count: count) }

    func notKept(_ request: DecideRequest) { shared.notKept.count([shared.bounds.admit(app: request.app, rule: "").app]) }

    func refused(_ code: String) { shared.problems.count([code]) }

    func recorded(_ record: DecisionRecord) { shared.decisions?.add(record) }

    /// nil: nothing of it was decided here.
    func canary(of app: String) -> CanaryMeter? { shown.withLock { $0.canaries[app] } }

    /// The last one that decides no more.
    /// - Parameter current: the hash of the one that does; nil: none.
    func endedCanary(of app: String, beside current: String?) -> CanaryMeter? {
        shown.withLock { shown in
            // That it has ended is seen here with the next decision.
            if let last = shown.canaries[app], last.ruleset != current { return last }
            return shown.endedCanaries[app]
        }
    }

    func collect(into samples: inout Samples) {
        let shown = shown.withLock { $0 }
        for canary in shown.canaries.values { canary.collect(into: &samples) }
        for one in shown.series { samples.add(MetricTable.decisions, one.labels, one.count[0]) }
        for app in shown.apps {
            samples.add(MetricTable.duplicates, [app.name], app.counts[0])
            samples.add(MetricTable.fuel, [app.name], app.counts[1])
        }
        samples.add(MetricTable.queueTime, [], queueTime.counts)
        samples.add(MetricTable.evaluateTime, [], evaluateTime.counts)
        samples.add(MetricTable.commitTime, [], commitTime.counts)
        samples.add(MetricTable.answerTime, [], answerTime.counts)
    }
}

extension Decision {
    /// There is nothing in it that is counted apart.
    fileprivate var isUsual: Bool { !isDuplicate && errors.isEmpty && usage.strains.isEmpty && deferred.isEmpty }
}
