// Counts what becomes of saves, and knows since when an app is served by something else than what was saved.
import EffectStore
import RuleHosting

final class RulesMeter: HostListening, MetricSource {
    private struct State {
        /// By app: on the clock that only goes forward.
        var staleSince: [String: Int64] = [:]
        var apps: [String: AppInfo] = [:]
    }

    private let reloads = CountedTable(MetricTable.reloads)
    private let failures = CountedTable(MetricTable.reloadFailures)
    private let state = Monitor(State())
    private let journal: Journal?

    init(_ journal: Journal?) { self.journal = journal }

    func heard(_ event: HostEvent) {
        guard event.isAboutRules else { return }
        state.withLock { state in
            state.apps[event.app] = event.info
            let isStale = event.info.map { $0.status != .ok && !$0.waitsForPromotion } ?? false
            if !isStale {
                state.staleSince[event.app] = nil
            } else if state.staleSince[event.app] == nil {
                state.staleSince[event.app] = HostClock.nanoseconds()
            }
        }
        switch event.kind {
        case .reload:
            reloads.count([event.app])
            journal?.log(.info, "reload", app: event.app, [("ruleset", .text(event.info?.ruleset ?? ""))])
        case .fault where event.info?.waitsForPromotion == true: journal?.log(.info, "not_promoted", app: event.app)
        case .fault:
            failures.count([event.app])
            tellOfFault(event)
        case .gone: journal?.log(.warning, "app_gone", app: event.app)
        default: break
        }
    }

    private func tellOfFault(_ event: HostEvent) {
        guard let journal else { return }
        var fields: [(name: String, value: Journal.Field)] = []
        if let info = event.info { fields.append(("status", .text(info.status.rawValue))) }
        if let ruleset = event.info?.ruleset { fields.append(("ruleset", .text(ruleset))) }
        if let fault = event.info?.faults.first {
            fields += [("code", .text(fault.code)), ("file", .text(fault.file))]
            if fault.line > 0 { fields.append(("line", .number(fault.line))) }
            fields.append(("message", .text(fault.message)))
        }
        journal.log(.error, "reload_failed", app: event.app, fields)
    }

    func collect(into samples: inout Samples) {
        reloads.collect(into: &samples)
        failures.collect(into: &samples)
        let now = HostClock.nanoseconds()
        state.withLock { state in
            for (app, info) in state.apps {
                if let ruleset = info.ruleset { samples.add(MetricTable.ruleset, [app, ruleset, info.status.rawValue], 1) }
                let age = state.staleSince[app].map { Double((now - $0) / 1_000_000) / 1_000 } ?? 0
                samples.add(MetricTable.stale, [app], age)
            }
        }
    }
}

extension HostEvent {
    fileprivate var isAboutRules: Bool {
        switch kind {
        case .reload, .fault, .gone: true
        default: false
        }
    }
}

extension AppInfo {
    /// Nothing is wrong: nobody has said yet which version the stage is to have.
    fileprivate var waitsForPromotion: Bool { status == .failed && faults.first?.code == HostProblem.Code.notPromoted.rawValue }
}
