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
        let before = state.withLock { state in
            let before = state.apps[event.app]
            state.apps[event.app] = event.info
            let isStale = event.info.map { $0.status != .ok && !$0.waitsForPromotion } ?? false
            if !isStale {
                state.staleSince[event.app] = nil
            } else if state.staleSince[event.app] == nil {
                state.staleSince[event.app] = HostClock.nanoseconds()
            }
            return before
        }
        switch event.kind {
        // The rules are in force already.
        case .reload where before?.ruleset == event.info?.ruleset && before?.notKept != nil && event.info?.notKept == nil:
            journal?.log(.info, "version_kept", app: event.app, [("ruleset", .text(event.info?.ruleset ?? ""))])
        case .reload:
            reloads.count([event.app])
            journal?.log(.info, "reload", app: event.app, [("ruleset", .text(event.info?.ruleset ?? ""))])
            guard let info = event.info, let fault = info.notKept else { return }
            let fields: [(name: String, value: Journal.Field)] = [
                ("ruleset", .text(info.ruleset ?? "")), ("code", .text(fault.code)), ("message", .text(fault.message)),
            ]
            journal?.log(.error, "version_not_kept", app: event.app, fields)
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
    /// Why the store does not have what is in force.
    fileprivate var notKept: AppFault? { faults.first { EffectStoreFault.Code(rawValue: $0.code) != nil } }

    /// Nothing is wrong: nobody has said yet which version the stage is to have.
    fileprivate var waitsForPromotion: Bool { status == .failed && faults.first?.code == HostProblem.Code.notPromoted.rawValue }
}
