// Versions of rules, stages and the audit in memory, as a store has them in tables. Of each app the newest versions; older ones that
// no stage names leave.
import EffectStore
import PushMessage
import RuleEngine

final class VersionShelf: Sendable {
    fileprivate struct Version {
        let hash: String
        let files: [SourceFile]
        let deed: Deed
    }

    fileprivate struct App {
        /// The oldest first.
        var versions: [Version] = []
        var stages: [String: String] = [:]
        /// Of each stage, apart from the audit, which forgets sooner.
        var past: [String: StageHistory] = [:]
        /// By stage.
        var canaries: [String: Canary] = [:]
    }

    fileprivate struct State {
        var apps: [String: App] = [:]
        /// The oldest first.
        var audit: [AuditEntry] = []
    }

    private let state = Monitor(State())
    private static let mostVersions = 20
    fileprivate static let mostEntries = 1_000

    func keep(_ files: [SourceFile], app: String, hash: String, _ deed: Deed) {
        state.withLock { state in
            guard !(state.apps[app]?.versions.contains { $0.hash == hash } ?? false) else { return }
            state.apps[app, default: App()].versions.append(Version(hash: hash, files: files, deed: deed))
            state.add(AuditEntry(deed, app: app, action: "keep_version", subject: hash))
            guard let known = state.apps[app], known.versions.count > VersionShelf.mostVersions,
                let old = known.versions.firstIndex(where: {
                    !known.stages.values.contains($0.hash) && !known.canaries.values.map(\.ruleset).contains($0.hash)
                })
            else { return }
            state.apps[app]?.drop(old)
        }
    }

    func move(_ moves: [StageMove], app: String, _ deed: Deed) -> Bool {
        state.withLock { state in
            func isKept(_ hash: String) -> Bool { state.apps[app]?.versions.contains { $0.hash == hash } ?? false }
            for move in moves {
                switch move {
                case .promote(let hash, _, _), .canary(let hash, _, _, _): if !isKept(hash) { return false }
                case .endCanary: break
                }
            }
            for move in moves { state.move(move, app: app, deed) }
            return true
        }
    }

    func canary(app: String, stage: String) -> Canary? { state.withLock { $0.apps[app]?.canaries[stage] } }

    func note(_ entry: AuditEntry) { state.withLock { $0.add(entry) } }

    func current(app: String, stage: String) -> String? { state.withLock { $0.apps[app]?.stages[stage] } }

    func files(app: String, hash: String) -> [SourceFile] {
        state.withLock { $0.apps[app]?.versions.first { $0.hash == hash }?.files ?? [] }
    }

    func versions(of app: String?) -> [StoredVersion] {
        state.withLock { state in
            state.apps.filter { app == nil || $0.key == app }.sorted { $0.key < $1.key }.flatMap { name, known in
                known.versions.reversed().map { version in
                    StoredVersion(
                        app: name, hash: version.hash, at: version.deed.at, who: version.deed.who, why: version.deed.why,
                        stages: known.stages(of: version.hash))
                }
            }
        }
    }

    func history(of app: String, stage: String) -> StageHistory { state.withLock { $0.apps[app]?.past[stage] ?? StageHistory() } }

    func audit(newest count: Int, of app: String?) -> [AuditEntry] {
        state.withLock { state in Array(state.audit.reversed().filter { app == nil || $0.app == app }.prefix(count)) }
    }
}

extension VersionShelf.App {
    /// On which a version is, for all or for some: as a store names them.
    fileprivate func stages(of hash: String) -> [String] {
        let some = canaries.filter { $0.value.ruleset == hash }.map { "\(StageMove.canaryMark($0.key))\($0.value.percent)" }
        return (stages.filter { $0.value == hash }.keys + some).sorted()
    }

    fileprivate mutating func drop(_ place: Int) {
        let hash = versions.remove(at: place).hash
        for stage in past.keys {
            past[stage]?.forget(hash)
            if past[stage]?.hashes.isEmpty == true { past[stage] = nil }
        }
    }
}

extension VersionShelf.State {
    fileprivate mutating func move(_ move: StageMove, app: String, _ deed: Deed) {
        let (action, subject): (String, String)
        switch move {
        case .promote(let hash, let stage, let word):
            apps[app]?.stages[stage] = hash
            apps[app]?.past[stage, default: StageHistory()].came(hash, isWayBack: word == "rollback")
            (action, subject) = (word, "\(stage) \(hash)")
        case .canary(let hash, let percent, let stage, let word):
            if apps[app]?.canaries[stage]?.ruleset != hash { self.move(.endCanary(of: stage), app: app, deed) }
            apps[app]?.canaries[stage] = Canary(ruleset: hash, percent: percent)
            (action, subject) = (word, "\(stage) \(hash) \(percent)%")
        case .endCanary(let stage):
            guard let canary = apps[app]?.canaries.removeValue(forKey: stage) else { return }
            (action, subject) = (StageMove.canaryEnd, "\(stage) \(canary.ruleset) \(canary.percent)%")
        }
        add(AuditEntry(deed, app: app, action: action, subject: subject))
    }

    fileprivate mutating func add(_ entry: AuditEntry) {
        audit.append(entry)
        if audit.count > 2 * VersionShelf.mostEntries { audit.removeFirst(VersionShelf.mostEntries) }
    }
}
