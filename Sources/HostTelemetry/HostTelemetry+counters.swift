// What has been counted of one app since the host began, for whoever looks at the app: the same numbers as the metrics tell.

public struct AppCounters: Sendable {
    /// By what became of the display: show, suppress, defer, none.
    public var decisions: [String: Int] = [:]
    /// By their code.
    public var ruleErrors: [String: Int] = [:]
    /// Decisions that used half of a limit or more, by the limit.
    public var strains: [String: Int] = [:]
    public var duplicates = 0
    public var fuel = 0
}

extension HostTelemetry {
    /// An app beyond those that are counted by name has none.
    public func counters(of app: String) -> AppCounters {
        var samples = Samples()
        for source in messageSources { source.collect(into: &samples) }
        var counters = AppCounters()
        for (family, labels, count) in samples.counts(ofApp: app) {
            switch family {
            case MetricTable.decisions.name: counters.decisions[labels[2], default: 0] += count
            case MetricTable.ruleErrors.name: counters.ruleErrors[labels[1], default: 0] += count
            case MetricTable.strains.name: counters.strains[labels[1], default: 0] += count
            case MetricTable.duplicates.name: counters.duplicates += count
            case MetricTable.fuel.name: counters.fuel += count
            default: break
            }
        }
        return counters
    }

    /// What the two sides of a canary have decided since it began; by `CanaryCounters.sides`.
    /// - Parameter ruleset: its hash.
    public func canaryCounters(of app: String, canary ruleset: String) -> [CanaryCounters] {
        CanaryCounters.sides.map { _, isCanary in
            var counters = CanaryCounters()
            for meter in meters {
                if let canary = meter.canary(of: app), canary.ruleset == ruleset { counters += canary.counters(ofCanary: isCanary) }
            }
            return counters
        }
    }

    /// What the last canary that has ended and its base have decided, by `CanaryCounters.sides`; nil: none has since the host began, or it has
    /// decided nothing.
    /// - Parameter current: the hash of the canary that there is now.
    public func endedCanary(of app: String, beside current: String?) -> (ruleset: String, counters: [CanaryCounters])? {
        // An app belongs to one shard.
        guard let meter = meters.lazy.compactMap({ $0.endedCanary(of: app, beside: current) }).first else { return nil }
        return (meter.ruleset, CanaryCounters.sides.map { meter.counters(ofCanary: $0.1) })
    }
}

extension Samples {
    /// Families whose first label is an app.
    fileprivate func counts(ofApp app: String) -> [(family: String, labels: [String], count: Int)] {
        let families = [
            MetricTable.decisions, MetricTable.ruleErrors, MetricTable.strains, MetricTable.duplicates, MetricTable.fuel,
        ]
        return families.flatMap { family in
            (numbers[family.name] ?? [:]).filter { $0.key.first == app }.map { (family.name, $0.key, Int($0.value)) }
        }
    }
}
