// What a host that runs answers to the questions of verbs, as the same values that a store gives.
import EffectStore
import JSONDocument
import PushMessage
import RuleEngine
import RuleHosting

extension RemoteHost {
    /// The newest first.
    /// - Parameter app: nil: of all apps, one after the other.
    func versions(of app: String?) throws(CommandFault) -> [StoredVersion] {
        guard let app else {
            var all: [StoredVersion] = []
            for name in try apps() { all += try versions(of: name) }
            return all
        }
        return try list("versions", "/v1/apps/\(RemoteHost.segment(app))/versions") { item in
            StoredVersion(
                app: app, hash: item.text("hash"), at: item.instant("at"), who: item.text("who"), why: item.text("why"),
                stages: item["stages"]?.children.compactMap { $0.text?.string } ?? [])
        }
    }

    /// - Parameter hash: its first digits are enough.
    func files(of app: String, version hash: String) throws(CommandFault) -> (hash: String, files: [SourceFile]) {
        let path = "/v1/apps/\(RemoteHost.segment(app))/versions/\(RemoteHost.segment(hash))/files"
        let found = try root(of: path) { answer in
            let files = answer["files"]?.children.map { SourceFile(path: $0.key.string, bytes: Array(($0.text?.string ?? "").utf8)) }
            return (answer.text("hash"), files ?? [])
        }
        return found ?? (hash, [])
    }

    /// Of those apps that have one on the stage that the host serves: it counts only there.
    func canaries(among versions: [StoredVersion]) throws(CommandFault) -> [CanaryReport] {
        var reports: [CanaryReport] = []
        for app in Set(versions.map(\.app)).sorted() {
            if let report = try root(of: "/v1/apps/\(RemoteHost.segment(app))", CanaryReport.init) { reports.append(report) }
        }
        return reports
    }

    func apps() throws(CommandFault) -> [String] { try list("apps", "/v1/apps") { $0.text("app") }.sorted() }

    /// The newest first.
    func audit(newest count: Int, of app: String?) throws(CommandFault) -> [AuditEntry] {
        let path = app.map { "/v1/apps/\(RemoteHost.segment($0))/audit" } ?? "/v1/audit"
        return try list("audit", "\(path)?newest=\(min(count, 10_000))") { item in
            AuditEntry(
                Deed(who: item.text("who"), at: item.instant("at"), why: item.text("why")), app: item.text("app"),
                action: item.text("action"), subject: item.text("subject"))
        }
    }

    /// Brings a version to a stage, or, without a hash, goes back.
    /// - Returns: what stands there afterwards, and what the host has to say of it.
    func move(
        app: String, to stage: String, hash: String?, percent: Int?, why: String
    ) throws(CommandFault) -> (change: StageChange, note: String?) {
        var writer = JSONWriter()
        writer.beginObject()
        for (key, text) in [("hash", hash), ("stage", stage), ("why", why)] {
            guard let text, !text.isEmpty else { continue }
            writer.key(key)
            writer.string(text)
        }
        if let percent {
            writer.key("percent")
            writer.integer(percent)
        }
        writer.endObject()
        // Before anything changes: a token that may not read could not say what came of it.
        let known = try versions(of: app)
        let answered: (note: String?, ended: Canary?)?
        do throws(CommandFault) {
            answered = try root(
                of: try ask("POST", "/v1/apps/\(RemoteHost.segment(app))/\(hash == nil ? "rollback" : "promote")", body: writer.bytes)
            ) {
                (
                    $0["hint"]?.text?.string,
                    $0["ended_canary"].map { Canary(ruleset: $0.text("ruleset"), percent: Int($0["percent"]?.integer ?? 0)) }
                )
            }
        } catch {
            throw hash == nil ? RemoteHost.withStages(of: known, besides: stage, error) : error
        }
        let there = try there(of: app, on: stage, hash, percent)
        return (StageChange(hash: there, endedCanary: answered?.ended), answered?.note)
    }

    /// What stands on a stage, or is tried there.
    private func there(of app: String, on stage: String, _ hash: String?, _ percent: Int?) throws(CommandFault) -> String {
        let versions = try versions(of: app)
        if let percent, let hash {
            let mark = "\(stage):canary:\(percent)"
            return versions.first { $0.stages.contains(mark) }?.hash ?? versions.first { $0.hash.hasPrefix(hash) }?.hash ?? hash
        }
        return versions.first { $0.stages.contains(stage) }?.hash ?? hash ?? ""
    }

    /// Who goes back on a stage where nothing is means another one, mostly that of the folder.
    private static func withStages(of versions: [StoredVersion], besides stage: String, _ fault: CommandFault) -> CommandFault {
        guard case .ofHost(let place, var problem) = fault, problem.code == HostProblem.Code.versionRefused.rawValue else { return fault }
        let stages = Set(versions.flatMap(\.stages).filter { !$0.contains(":") })
        guard !stages.contains(stage), !stages.isEmpty else { return fault }
        problem.hint = "nothing is on \(stage): write " + stages.sorted().map { "--stage \($0)" }.joined(separator: " or ")
        return .ofHost(place: place, problem)
    }

    private func list<Item>(_ name: String, _ path: String, _ read: (JSONValue) -> Item) throws(CommandFault) -> [Item] {
        try root(of: path) { $0[name]?.children.map(read) } ?? []
    }

    /// - Parameter read: is given what is valid as long as it works with it.
    private func root<Answer>(of path: String, _ read: (JSONValue) -> Answer?) throws(CommandFault) -> Answer? {
        try root(of: try ask("GET", path), read)
    }

    private func root<Answer>(of bytes: [UInt8], _ read: (JSONValue) -> Answer?) throws(CommandFault) -> Answer? {
        let document = JSONDocument()
        do throws(JSONFault) {
            try document.read(bytes, limit: .max, depth: 72)
        } catch {
            throw .hostUnreachable(place: place.name, "its answer is no JSON", nil)
        }
        return document.root.flatMap(read)
    }
}

extension JSONValue {
    /// "" where there is none.
    fileprivate func text(_ key: String) -> String { self[key]?.text?.string ?? "" }
    fileprivate func instant(_ key: String) -> Instant { Instant(text(key)) ?? Instant(milliseconds: 0) }
}
