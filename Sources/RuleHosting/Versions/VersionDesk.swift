// Which version of an app is on which stage: promoting one, going back to the one before, trying one on some recipients. Used by the
// library of a running host, and by verbs on a store that no host has. What is in force in a host is not its business.
public import EffectStore
import PushMessage
import RuleEngine

/// What has come of promoting or going back.
public struct StageChange: Sendable, Equatable {
    /// That is on the stage now, or is tried there on some recipients.
    public let hash: String
    /// Which is tried no more.
    public let endedCanary: Canary?

    public init(hash: String, endedCanary: Canary?) {
        self.hash = hash
        self.endedCanary = endedCanary
    }
}

public struct VersionDesk: Sendable {
    private let keeping: any HostKeeping
    /// Empty: the version loads.
    private let faults: @Sendable (String, [SourceFile]) -> [AppFault]

    /// Of a store that no host has.
    public init(_ store: EffectStore) {
        self.init(DurableKeeping(store)) { app, files in
            switch RulesetLoader.load(app: app, files: files) {
            case .loaded: []
            case .failed(let faults): faults.map { AppFault($0, files: files) }
            }
        }
    }

    init(_ keeping: any HostKeeping, faults: @escaping @Sendable (String, [SourceFile]) -> [AppFault]) {
        self.keeping = keeping
        self.faults = faults
    }

    /// The folder's; others have any name.
    public static let draft = "draft"

    /// Names a version that is not wanted although the folder holds it.
    static func refused(_ hash: String) -> String { "refused:\(hash)" }

    /// Brings a version to a stage, for all recipients or for some; the former ends a trial on some.
    /// - Parameters:
    ///   - hash: its first digits are enough.
    ///   - percent: of the recipients, 1 to 99; nil: all.
    @discardableResult
    public func promote(
        app: String, hash: String, to stage: String, percent: Int? = nil, _ deed: Deed
    ) throws(HostProblem) -> StageChange {
        try check(stage)
        if let percent, !(1...99).contains(percent) {
            throw HostProblem(
                .requestInvalid, status: 400, detail: "a share of recipients is 1 to 99 percent", hint: "leave it out for all")
        }
        let version = try find(hash, of: app)
        try checkLoads(app, version)
        if percent != nil {
            let current = try ask { () throws(EffectStoreFault) in try keeping.current(app: app, stage: stage) }
            guard let current else { throw HostProblem.nothingForOthers(app, stage) }
            guard current != version else { throw HostProblem.sameForOthers(app, stage) }
        }
        let canary = try canary(of: app, on: stage)
        try ask { () throws(EffectStoreFault) in
            let moves: [StageMove] =
                if let percent {
                    [.canary(version, percent: percent, of: stage, action: "canary")]
                } else {
                    [.promote(version, to: stage, action: "promote"), .endCanary(of: stage)]
                }
            _ = try keeping.move(moves, app: app, deed)
        }
        return StageChange(hash: version, endedCanary: percent == nil ? canary : nil)
    }

    /// Goes back to the version that was on the stage before this one. A version that is tried on some recipients is given up first, and
    /// that is all.
    @discardableResult
    public func rollback(app: String, stage: String, _ deed: Deed) throws(HostProblem) -> StageChange {
        try check(stage)
        guard let current = try ask({ () throws(EffectStoreFault) in try keeping.current(app: app, stage: stage) }) else {
            throw HostProblem.noVersionBefore(app, stage)
        }
        if let canary = try canary(of: app, on: stage) {
            try ask { () throws(EffectStoreFault) in
                _ = try keeping.move([.endCanary(of: stage)], app: app, deed)
            }
            return StageChange(hash: current, endedCanary: canary)
        }
        let before = try versionBefore(current, app, stage)
        try checkLoads(app, before)
        try ask { () throws(EffectStoreFault) in
            var moves = [StageMove.promote(before, to: stage, action: "rollback")]
            // Else the folder would bring it back at the next start.
            if stage == VersionDesk.draft { moves.append(.promote(current, to: VersionDesk.refused(current), action: "refuse")) }
            _ = try keeping.move(moves, app: app, deed)
        }
        return StageChange(hash: before, endedCanary: nil)
    }

    private func canary(of app: String, on stage: String) throws(HostProblem) -> Canary? {
        try ask { () throws(EffectStoreFault) in try keeping.canary(app: app, stage: stage) }
    }

    /// Who goes back twice goes back two; one that somebody went back from is brought back by promoting it alone.
    private func versionBefore(_ current: String, _ app: String, _ stage: String) throws(HostProblem) -> String {
        let history = try ask { () throws(EffectStoreFault) in try keeping.history(of: app, stage: stage) }
        guard let before = history.before(current) else { throw HostProblem.noVersionBefore(app, stage) }
        return before
    }

    /// Lines in which a version differs.
    /// - Parameter old: from which one; nil: from the one that was kept before it.
    public func change(app: String, of new: String, from old: String?) throws(HostProblem) -> VersionChange {
        let new = try find(new, of: app)
        let before = if let old { try find(old, of: app) as String? } else { try keptBefore(new, app) }
        let (files, others) = try ask { () throws(EffectStoreFault) in
            (
                try keeping.files(app: app, hash: new),
                try before.map { old throws(EffectStoreFault) in try keeping.files(app: app, hash: old) }
            )
        }
        return VersionChange(hash: new, before: before, files: FileDifference.between(others ?? [], files))
    }

    /// What a version consists of.
    /// - Parameter hash: its first digits are enough.
    func files(app: String, hash: String) throws(HostProblem) -> (hash: String, files: [SourceFile]) {
        let hash = try find(hash, of: app)
        return (hash, try ask { () throws(EffectStoreFault) in try keeping.files(app: app, hash: hash) })
    }

    private func keptBefore(_ hash: String, _ app: String) throws(HostProblem) -> String? {
        let versions = try ask { () throws(EffectStoreFault) in try keeping.versions(of: app) }
        guard let place = versions.firstIndex(where: { $0.hash == hash }), place + 1 < versions.count else { return nil }
        return versions[place + 1].hash
    }

    // MARK: versions

    /// - Parameter hash: its first digits are enough, as long as there is only one.
    func find(_ hash: String, of app: String) throws(HostProblem) -> String {
        let versions = try ask { () throws(EffectStoreFault) in try keeping.versions(of: app) }
        return try VersionDesk.find(hash, among: versions, of: app)
    }

    /// - Parameter versions: of the app.
    public static func find(_ hash: String, among versions: [StoredVersion], of app: String) throws(HostProblem) -> String {
        if versions.contains(where: { $0.hash == hash }) { return hash }
        let found = versions.filter { $0.hash.hasPrefix(hash) }
        guard hash.utf8.count >= 4, found.count == 1 else { throw .unknownVersion(app, hash) }
        return found[0].hash
    }

    private func checkLoads(_ app: String, _ hash: String) throws(HostProblem) {
        let files = try ask { () throws(EffectStoreFault) in try keeping.files(app: app, hash: hash) }
        let faults = faults(app, files)
        guard let first = faults.first else { return }
        var problem = HostProblem(
            .versionRefused, status: 409, detail: "the version \(hash) does not load: \(first.file): \(first.message)", hint: first.hint)
        problem.faults = faults
        throw problem
    }

    /// Whether a stage can have that name.
    public static func isStage(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private func check(_ stage: String) throws(HostProblem) {
        guard VersionDesk.isStage(stage) else {
            throw HostProblem(
                .requestInvalid, status: 400, detail: "a stage has 1 to 32 small letters, digits and hyphens",
                hint: "draft, staging and production are usual")
        }
    }

    private func ask<Value>(_ body: () throws(EffectStoreFault) -> Value) throws(HostProblem) -> Value {
        do throws(EffectStoreFault) { return try body() } catch { throw HostProblem(error) }
    }
}

extension HostProblem {
    fileprivate static func nothingForOthers(_ app: String, _ stage: String) -> HostProblem {
        HostProblem(
            .versionRefused, status: 409,
            detail: "a version cannot be tried on some recipients of \(app): nothing is on \(stage) for the others",
            hint: "promote a version to \(stage) for all first; look whether the stage has that name")
    }

    fileprivate static func sameForOthers(_ app: String, _ stage: String) -> HostProblem {
        HostProblem(
            .versionRefused, status: 409,
            detail: "a version cannot be tried on some recipients of \(app): it is the one that the others have on \(stage)",
            hint: "name another version; without a percentage this one ends the trial of another")
    }

    fileprivate static func noVersionBefore(_ app: String, _ stage: String) -> HostProblem {
        HostProblem(
            .versionRefused, status: 409, detail: "there is no version of \(app) that was on \(stage) before",
            hint: "GET /v1/apps/\(app)/versions and `rulehost versions` list those that are kept; promote one of them")
    }
}
