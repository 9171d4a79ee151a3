// By whose rules the requests of one app are decided: those in force, its canary, and older versions that held-back messages name.
// Belongs to the app's seat.
import RuleEngine

struct SeatRules {
    private(set) var inForce: RulesInForce?
    /// Of messages that are to be decided as they were held back; nil: that version is not there any more.
    private var versions: [String: RulesInUse?] = [:]
    /// Those that wait for such rules.
    private var wanting: [String: [Ask]] = [:]
    private var wantedVersions: [String] = []
    /// Why there are none, and since when.
    private var failure: (problem: HostProblem, since: Int64)?

    /// Older versions in memory.
    private static let mostVersions = 4
    /// Milliseconds after which rules that did not load are tried again.
    private static let patience: Int64 = 500

    /// Why there are none.
    var problem: HostProblem? { failure?.problem }

    /// Nobody waits for a version.
    var isAtRest: Bool { wanting.isEmpty }

    /// There are none, and it is time to look for some.
    func areDue(now: Int64) -> Bool {
        guard inForce == nil else { return false }
        return failure.map { now - $0.since >= SeatRules.patience } ?? true
    }

    mutating func takeUp(_ outcome: LoadOrder.Outcome) {
        switch outcome {
        case .ready(let rules):
            inForce = rules
            if let canary = rules.canary {
                let hash = canary.ruleset.hash
                rules.main.stand(on: CanarySide(canary: hash, isCanary: false))
                canary.stand(on: CanarySide(canary: hash, isCanary: true))
            }
            for pinned in versions.values { stand(pinned) }
            failure = nil
        case .failed(let problem, let isThere):
            if !isThere { inForce = nil }
            if inForce == nil { failure = (problem, HostClock.ticks()) }
        }
    }

    /// What they keep for many requests at a time is let go when there have been few.
    func rest(since: Int64) {
        inForce?.main.rest(since: since)
        inForce?.canary?.rest(since: since)
        for pinned in versions.values { pinned?.rest(since: since) }
    }

    // MARK: older versions

    /// - Returns: those that have waited for this version, and why they cannot be decided.
    mutating func takeUp(_ outcome: LoadOrder.Outcome, version hash: String) -> ([Ask], HostProblem?) {
        let asks = wanting.removeValue(forKey: hash) ?? []
        if versions.count >= SeatRules.mostVersions { versions = [:] }
        switch outcome {
        case .ready(let rules):
            stand(rules.main)
            versions[hash] = .some(rules.main)
        // Only one that is not kept any more makes way for others.
        case .failed(let problem, _) where problem.code == HostProblem.Code.versionUnknown.rawValue: versions[hash] = .some(nil)
        case .failed(let problem, _): return (asks, problem)
        }
        return (asks, nil)
    }

    /// Beside a canary, and on neither side.
    private func stand(_ pinned: RulesInUse?) {
        pinned?.stand(on: inForce?.canary.map { CanarySide(canary: $0.ruleset.hash, isCanary: false, isPinned: true) })
    }

    /// Versions that are to be loaded.
    mutating func takeWantedVersions() -> [String] {
        defer { wantedVersions = [] }
        return wantedVersions
    }

    /// True: the version that it names is not here yet, and it waits for that.
    mutating func waits(_ ask: Ask, beside rules: RulesInForce) -> Bool {
        guard let pinned = ask.pinned, pinned != rules.main.ruleset.hash, versions[pinned] == nil else { return false }
        if wanting[pinned] == nil { wantedVersions.append(pinned) }
        wanting[pinned, default: []].append(ask)
        return true
    }

    // MARK: by which

    /// By whose rules each is decided. A recipient has always the same ones, so that only the order between recipients changes.
    func parts(of asks: [Ask], _ rules: RulesInForce, app: String) -> [(RulesInUse, [Ask])] {
        guard rules.canary != nil || asks.contains(where: { $0.pinned != nil }) else { return [(rules.main, asks)] }
        var parts: [(rules: RulesInUse, asks: [Ask])] = []
        for ask in asks {
            let chosen = chosen(for: ask, rules, app: app)
            if let place = parts.firstIndex(where: { $0.rules === chosen }) {
                parts[place].asks.append(ask)
            } else {
                parts.append((chosen, [ask]))
            }
        }
        return parts
    }

    private func chosen(for ask: Ask, _ rules: RulesInForce, app: String) -> RulesInUse {
        if let pinned = ask.pinned {
            // One that is not there any more is decided by the newest.
            return pinned == rules.main.ruleset.hash ? rules.main : (versions[pinned] ?? nil) ?? rules.main
        }
        guard let canary = rules.canary else { return rules.main }
        let recipient = rules.main.recipient(of: ask)
        let bucket = Bucket.of(app: app, salt: "canary:\(canary.ruleset.hash)", recipient: recipient)
        return bucket < rules.percent ? canary : rules.main
    }
}
