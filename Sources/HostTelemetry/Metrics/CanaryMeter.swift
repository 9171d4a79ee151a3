// Counts the decisions of an app that has a canary by whose rules made them, so that whoever judges it can compare. Belongs to a ShardMeter, whose
// thread counts; anybody reads. A new canary is a new meter: what the one before did is not held against it.
import RuleEngine
import RuleHosting

final class CanaryMeter: Sendable {
    /// As it is counted: its own, or "other".
    let app: String
    /// The hash of the canary.
    let ruleset: String
    /// In the order of `CanaryCounters.actions`, then those with errors; of the base, then of the canary.
    private let counts = AtomicRow(2 * CanaryMeter.width)
    private static let width = CanaryCounters.actions.count + 1

    init(app: String, ruleset: String) {
        self.app = app
        self.ruleset = ruleset
    }

    func count(_ decision: Decision, by side: CanarySide) {
        let start = side.isCanary ? CanaryMeter.width : 0
        let place: Int =
            switch decision.display?.action {
            case .show: 0
            case .suppress: 1
            case .defer: 2
            case nil: 3
            }
        counts.bump(start + place)
        if !decision.errors.isEmpty { counts.bump(start + CanaryMeter.width - 1) }
        for held in decision.deferred { count(held, by: side) }
    }

    func counters(ofCanary isCanary: Bool) -> CanaryCounters {
        let start = isCanary ? CanaryMeter.width : 0
        var counters = CanaryCounters()
        for (place, action) in CanaryCounters.actions.enumerated() { counters.decisions[action] = counts[start + place] }
        counters.errors = counts[start + CanaryMeter.width - 1]
        return counters
    }

    func collect(into samples: inout Samples) {
        for (name, isCanary) in CanaryCounters.sides {
            let counters = counters(ofCanary: isCanary)
            for (action, count) in counters.decisions { samples.add(MetricTable.canaryDecisions, [app, name, action], count) }
            samples.add(MetricTable.canaryErrors, [app, name], counters.errors)
        }
    }
}

/// What one side of a canary has decided since it began in this host.
public struct CanaryCounters: Sendable, Equatable {
    /// By what became of the display.
    public internal(set) var decisions: [String: Int] = [:]
    /// Those in which a rule failed.
    public internal(set) var errors = 0

    public static let actions = ["show", "suppress", "defer", "none"]
    public static let sides = [("base", false), ("canary", true)]

    static func += (all: inout CanaryCounters, one: CanaryCounters) {
        all.decisions.merge(one.decisions, uniquingKeysWith: +)
        all.errors += one.errors
    }
}
