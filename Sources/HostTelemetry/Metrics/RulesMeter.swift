// Counts what becomes of saves, and knows since when an app is served by something else than what is wanted, and since when a draft has a fault.
import EffectStore
import RuleHosting

final class RulesMeter: HostListening, MetricSource {
    private struct State {
        /// By app: on the clock that only goes forward.
        var staleSince: [String: Int64] = [:]
        var draftStaleSince: [String: Int64] = [:]
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
            let isStale = event.info.map { $0.serving != .ok && !$0.waitsForPromotion && !$0.isRolledBack } ?? false
            RulesMeter.note(isStale, of: event.app, in: &state.staleSince)
            RulesMeter.note(event.info?.draft?.isGood == false, of: event.app, in: &state.draftStaleSince)
            return before
        }
        switch event.kind {
        case .reload:
            reloads.count([event.app])
            tellOfRules(event, after: before)
            tellOfKeeping(event, after: nil)
        case .state: tellOfState(event, after: before)
        case .fault where event.info?.waitsForPromotion == true: journal?.log(.info, "not_promoted", app: event.app)
        case .fault:
            failures.count([event.app])
            let fault = event.info?.faults.first { !$0.isOfDraft }
            journal?.log(.error, "reload_failed", app: event.app, RulesMeter.fields(event.info, event.info?.ruleset, fault))
        case .draftFault:
            failures.count([event.app])
            let fault = event.info?.faults.first(where: \.isOfDraft)
            journal?.log(.warning, "draft_failed", app: event.app, RulesMeter.fields(event.info, event.info?.draft?.ruleset, fault))
        case .gone: journal?.log(.warning, "app_gone", app: event.app)
        default: break
        }
    }

    private static func note(_ isWrong: Bool, of app: String, in since: inout [String: Int64]) {
        if !isWrong {
            since[app] = nil
        } else if since[app] == nil {
            since[app] = HostClock.nanoseconds()
        }
    }

    /// Other rules are in force, for all or for some.
    private func tellOfRules(_ event: HostEvent, after before: AppInfo?) {
        let (canary, ended) = (event.info?.canary, before?.canary)
        if canary == ended || event.info?.ruleset != before?.ruleset {
            journal?.log(.info, "reload", app: event.app, [("ruleset", .text(event.info?.ruleset ?? ""))])
        }
        if let ended, ended.ruleset != canary?.ruleset {
            journal?.log(.info, "canary_end", app: event.app, [("ruleset", .text(ended.ruleset)), ("percent", .number(ended.percent))])
        }
        if let canary, canary != ended {
            journal?.log(.info, "canary", app: event.app, [("ruleset", .text(canary.ruleset)), ("percent", .number(canary.percent))])
        }
    }

    /// The same rules are in force as before.
    private func tellOfState(_ event: HostEvent, after before: AppInfo?) {
        tellOfKeeping(event, after: before)
        guard let info = event.info, let before else { return }
        if let draft = info.draft, draft.isGood, draft.ruleset != before.draft?.ruleset {
            journal?.log(.info, "draft", app: event.app, [("ruleset", .text(draft.ruleset ?? ""))])
        } else if before.status != .ok, info.status == .ok {
            journal?.log(.info, "fault_gone", app: event.app, [("ruleset", .text(info.ruleset ?? ""))])
        }
    }

    /// Whether the store has what the folder holds.
    private func tellOfKeeping(_ event: HostEvent, after before: AppInfo?) {
        guard let info = event.info else { return }
        let ruleset = (name: "ruleset", value: Journal.Field.text((info.draft?.ruleset ?? info.ruleset) ?? ""))
        switch (before?.notKept, info.notKept) {
        case (nil, let fault?):
            let fields = [ruleset, ("code", .text(fault.code)), ("message", .text(fault.message))]
            journal?.log(.error, "version_not_kept", app: event.app, fields)
        case (_?, nil): journal?.log(.info, "version_kept", app: event.app, [ruleset])
        default: break
        }
    }

    private static func fields(_ info: AppInfo?, _ ruleset: String?, _ fault: AppFault?) -> [(name: String, value: Journal.Field)] {
        var fields: [(name: String, value: Journal.Field)] = []
        if let info { fields.append(("status", .text(info.status.rawValue))) }
        if let ruleset { fields.append(("ruleset", .text(ruleset))) }
        if let fault {
            fields += [("code", .text(fault.code)), ("file", .text(fault.file))]
            if fault.line > 0 { fields.append(("line", .number(fault.line))) }
            fields.append(("message", .text(fault.message)))
        }
        return fields
    }

    func collect(into samples: inout Samples) {
        reloads.collect(into: &samples)
        failures.collect(into: &samples)
        let now = HostClock.nanoseconds()
        state.withLock { state in
            for (app, info) in state.apps {
                if let ruleset = info.ruleset { samples.add(MetricTable.ruleset, [app, ruleset, info.serving.rawValue], 1) }
                func age(_ since: Int64?) -> Double { since.map { Double((now - $0) / 1_000_000) / 1_000 } ?? 0 }
                samples.add(MetricTable.stale, [app], age(state.staleSince[app]))
                if info.draft != nil { samples.add(MetricTable.draftStale, [app], age(state.draftStaleSince[app])) }
            }
        }
    }
}

extension HostEvent {
    fileprivate var isAboutRules: Bool {
        switch kind {
        case .reload, .fault, .draftFault, .state, .gone: true
        default: false
        }
    }
}

extension AppInfo {
    /// Why the store does not have what is in force.
    fileprivate var notKept: AppFault? { faults.first { EffectStoreFault.Code(rawValue: $0.code) != nil } }

    /// Nothing is wrong: nobody has said yet which version the stage is to have.
    var waitsForPromotion: Bool { serving == .failed && faults.first?.code == HostProblem.Code.notPromoted.rawValue }

    /// Somebody has gone back from what the folder holds, and nothing else is wrong.
    fileprivate var isRolledBack: Bool {
        let served = faults.filter { !$0.isOfDraft }
        return !served.isEmpty && served.allSatisfy { $0.code == AppFault.Code.rolledBack.rawValue }
    }
}
