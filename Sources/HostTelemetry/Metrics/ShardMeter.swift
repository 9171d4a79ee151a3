// Counts what one shard does. What is counted on the way of a message is counted without a lock; a combination of labels that was not there
// before takes one, once.
import EffectStore
import RuleEngine
import RuleHosting

// SAFETY: `apps` belongs to the shard's thread; everything else may be used by any.
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

    private struct AppDesk {
        let meter: AppMeter
        var series: [Key: Series] = [:]
        /// That of the decision before: mostly the same.
        var last: (key: Key, series: Series)?
    }

    private var apps: [String: AppDesk] = [:]
    private let shown = Monitor<(series: [Series], apps: [AppMeter])>(([], []))
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

    func decided(_ evaluations: [Evaluation], of request: DecideRequest, waited: Int64, took: Int64) {
        let app = request.app
        queueTime.bump(waited)
        evaluateTime.bump(took)
        if apps[app] == nil { begin(app) }
        for evaluation in evaluations { count(evaluation.decision, &apps[app], request.options.traceparent) }
    }

    private func begin(_ app: String) {
        let meter = AppMeter(shared.bounds.admit(app: app, rule: "").app)
        apps[app] = AppDesk(meter: meter)
        shown.withLock { $0.apps.append(meter) }
    }

    private func count(_ decision: borrowing Decision, _ desk: inout AppDesk?, _ trace: String?) {
        guard desk != nil else { return }
        let key = Key(event: decision.event, action: decision.display?.action, rule: decision.display?.rule)
        if let last = desk?.last, last.key == key {
            last.series.count.bump(0)
        } else {
            let series = desk?.series[key] ?? begin(key, of: decision.app, &desk)
            series.count.bump(0)
            desk?.last = (key, series)
        }
        desk?.meter.counts.bump(1, by: decision.usage.fuel)
        if decision.isDuplicate { desk?.meter.counts.bump(0) }
        if !decision.errors.isEmpty { shared.count(decision.errors, app: desk?.meter.name ?? decision.app, trace) }
        if !decision.usage.strains.isEmpty { shared.count(decision.usage.strains, app: desk?.meter.name ?? decision.app) }
        for held in decision.deferred { count(held, &desk, trace) }
    }

    private func begin(_ key: Key, of app: String, _ desk: inout AppDesk?) -> Series {
        let (app, rule) = shared.bounds.admit(app: app, rule: key.rule ?? "")
        let series = Series([app, key.event.rawValue, key.action?.rawValue ?? "none", rule])
        desk?.series[key] = series
        shown.withLock { $0.series.append(series) }
        return series
    }

    // MARK: on any thread

    func answered(after time: Int64) { answerTime.add(time) }

    func kept(_ count: Int, took: Int64) { commitTime.add(took, count: count) }

    func refused(_ code: String) { shared.problems.count([code]) }

    func recorded(_ record: DecisionRecord) { shared.decisions?.add(record) }

    func collect(into samples: inout Samples) {
        let (series, apps) = shown.withLock { $0 }
        for one in series { samples.add(MetricTable.decisions, one.labels, one.count[0]) }
        for app in apps {
            samples.add(MetricTable.duplicates, [app.name], app.counts[0])
            samples.add(MetricTable.fuel, [app.name], app.counts[1])
        }
        samples.add(MetricTable.queueTime, [], queueTime.counts)
        samples.add(MetricTable.evaluateTime, [], evaluateTime.counts)
        samples.add(MetricTable.commitTime, [], commitTime.counts)
        samples.add(MetricTable.answerTime, [], answerTime.counts)
    }
}
