// What stands in /metrics is what the host has done, in the form that Prometheus reads.
@testable import EffectStore
import Foundation
import HostTelemetry
import RuleHosting
import Testing

@testable import HostTelemetry

struct MetricsTests {
    private static let rules = """
        rule "Quiet \\\\ \\"room\\"" { on = "present", when = function(msg) return msg.data.quiet end, decide = suppress "quiet" }
        rule "Broken" { on = "present", when = function(msg) return msg.data.broken end, decide = function() error("oh") end }
        rule "Show" { on = "present", decide = show { "banner", badge = "+1" } }
        """

    @Test(
        "Decisions are counted by app, event, action and rule, with duplicates, errors and dry runs told apart",
        arguments: [
            HostSettings.Isolation.thread, .process,
        ])
    func decisions(_ isolation: HostSettings.Isolation) throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules)
        let telemetry = HostTelemetry(version: "1.2.3")
        let host = try scene.host(telemetry, isolation: isolation)
        defer { host.close() }
        var dry = DecideOptions()
        dry.isDryRun = true
        _ = host.ask("chat", [Scene.body(id: "1"), Scene.body(id: "2"), Scene.body(id: "3", data: #","quiet":true"#)])
        _ = host.ask("chat", [Scene.body(id: "1"), Scene.body(id: "4", data: #","broken":true"#)])
        _ = host.ask("chat", [Scene.body(id: "5")], dry)
        #expect(host.ask("chat", [Array("[]".utf8)])[0].status == 400)
        #expect(host.ask("nobody", [Scene.body(id: "6")])[0].status == 404)
        let numbers = telemetry.numbers
        #expect(numbers[#"rulehost_decisions_total{app="chat",event="present",action="show",rule="Show"}"#] == 3)
        #expect(numbers[#"rulehost_decisions_total{app="chat",event="present",action="suppress",rule="Quiet \\ \"room\""}"#] == 1)
        #expect(numbers[#"rulehost_decisions_total{app="chat",event="present",action="suppress",rule="guard:duplicate"}"#] == 1)
        #expect(numbers.keys.count { $0.hasPrefix("rulehost_decisions_total") } == 3)
        #expect(numbers[#"rulehost_duplicates_total{app="chat"}"#] == 1)
        #expect(numbers[#"rulehost_rule_errors_total{app="chat",code="rule_raised"}"#] == 1)
        #expect(numbers[#"rulehost_problems_total{code="not_an_object"}"#] == 1)
        #expect(numbers[#"rulehost_problems_total{code="app_unknown"}"#] == 1)
        for name in ["queue", "evaluate", "answer"] { #expect(numbers["rulehost_\(name)_seconds_count"] == 5, "\(name)") }
        #expect((numbers["rulehost_evaluate_seconds_sum"] ?? 0) > 0)
        #expect((numbers[#"rulehost_fuel_total{app="chat"}"#] ?? 0) > 0)
        #expect(numbers[#"rulehost_build_info{version="1.2.3"}"#] == 1)
        #expect((numbers["rulehost_workers"] != nil) == (isolation == .process))
    }

    @Test("A dry run that waits for the message before it to be kept is no answer and no commit")
    func dryRunInGroup() throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules)
        let store = try EffectStore("\(scene.folder)/rulehost.db", clock: { Scene.noon })
        defer { store.close() }
        let telemetry = HostTelemetry(version: "1")
        let host = try scene.host(telemetry, store: store)
        defer { host.close() }
        var dry = DecideOptions()
        dry.isDryRun = true
        let waiting = Waiting()
        // Handed over at once, they are decided and kept together.
        let requests = (0..<20).map {
            DecideRequest(app: "chat", body: Scene.body(id: "\($0)"), options: $0 % 2 == 0 ? DecideOptions() : dry, tag: UInt64($0))
        }
        host.decide(requests, to: waiting)
        #expect(waiting.all(20).allSatisfy { $0.status == 200 })
        let numbers = telemetry.numbers
        for name in ["evaluate", "commit", "answer"] { #expect(numbers["rulehost_\(name)_seconds_count"] == 10, "\(name)") }
    }

    @Test("What the store does is told: commits, groups, faults, backlog and whether it can be written")
    func store() throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules)
        let store = try EffectStore("\(scene.folder)/rulehost.db", clock: { Scene.noon })
        defer { store.close() }
        let telemetry = HostTelemetry(version: "1")
        let host = try scene.host(telemetry, store: store)
        defer { host.close() }
        _ = host.ask("chat", (0..<10).map { Scene.body(id: "\($0)") })
        var numbers = telemetry.numbers
        #expect(numbers["rulehost_store_commits_total"] == 10)
        #expect((1...10).contains(numbers["rulehost_store_groups_total"] ?? 0))
        #expect(numbers["rulehost_commit_seconds_count"] == 10)
        #expect(numbers["rulehost_store_writable"] == 1)
        #expect((numbers["rulehost_store_size_bytes"] ?? 0) > 4_096)
        store.counts.failed(3, .full("x", "no room"))
        numbers = telemetry.numbers
        #expect(numbers["rulehost_store_faults_total"] == 3)
        #expect(numbers["rulehost_store_writable"] == 0)
    }

    @Test("What was decided and could not be kept is told apart, by the app")
    func decisionsNotKept() throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules)
        let store = try EffectStore("\(scene.folder)/rulehost.db", clock: { Scene.noon })
        let telemetry = HostTelemetry(version: "1")
        let host = try scene.host(telemetry, store: store)
        defer { host.close() }
        #expect(host.ask("chat", [Scene.body(id: "1")])[0].status == 200)
        store.close()
        var dry = DecideOptions()
        dry.isDryRun = true
        #expect(host.ask("chat", [Scene.body(id: "2")], dry)[0].status == 200)
        #expect(host.ask("chat", ["3", "4"].map { Scene.body(id: $0) }).allSatisfy { $0.status == 503 })
        let numbers = telemetry.numbers
        #expect(numbers[#"rulehost_decisions_total{app="chat",event="present",action="show",rule="Show"}"#] == 3)
        #expect(numbers[#"rulehost_decisions_not_kept_total{app="chat"}"#] == 2)
    }

    @Test("Beyond so many names of rules, and of apps, all others count under `other`")
    func bounds() {
        let bounds = LabelBounds(mostRules: 2, mostApps: 2)
        #expect(bounds.admit(app: "a", rule: "1") == ("a", "1"))
        #expect(bounds.admit(app: "a", rule: "2") == ("a", "2"))
        #expect(bounds.admit(app: "a", rule: "3") == ("a", "other"))
        #expect(bounds.admit(app: "a", rule: "2") == ("a", "2"))
        #expect(bounds.admit(app: "a", rule: "") == ("a", ""))
        #expect(bounds.admit(app: "b", rule: "3") == ("b", "3"))
        #expect(bounds.admit(app: "c", rule: "1") == ("other", "other"))
        let table = CountedTable(MetricTable.problems, most: 1)
        for code in ["a", "b", "c", "a"] { table.count([code]) }
        var samples = Samples()
        table.collect(into: &samples)
        #expect(samples.numbers["rulehost_problems_total"] == [["a"]: 2, ["other"]: 2])
    }

    @Test("A histogram counts each time under its bound and all larger ones, and its sum is that of the times")
    func histogram() {
        let histogram = LatencyHistogram()
        for time: Int64 in [0, 10_000, 10_001, 3_000_000, 60_000_000_000] { histogram.bump(time) }
        histogram.add(25_000, count: 2)
        var samples = Samples()
        samples.add(MetricTable.queueTime, [], histogram.counts)
        let text = String(decoding: Exposition.text(samples, [MetricTable.queueTime]), as: UTF8.self)
        #expect(text.contains("rulehost_queue_seconds_bucket{le=\"1e-05\"} 2\n"))
        #expect(text.contains("rulehost_queue_seconds_bucket{le=\"2.5e-05\"} 5\n"))
        #expect(text.contains("rulehost_queue_seconds_bucket{le=\"0.005\"} 6\n"))
        #expect(text.contains("rulehost_queue_seconds_bucket{le=\"10\"} 6\n"))
        #expect(text.contains("rulehost_queue_seconds_bucket{le=\"+Inf\"} 7\n"))
        #expect(text.hasSuffix("rulehost_queue_seconds_sum 60.003070001\nrulehost_queue_seconds_count 7\n"))
    }

    @Test("Saves that come into force and saves that do not are counted, and how long an app has been stale")
    func reloads() throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules)
        let journal = try Journal(.json, to: try scene.descriptor("\(scene.folder)/journal"))
        let telemetry = HostTelemetry(version: "1", journal: journal)
        let host = try scene.host(telemetry)
        defer { host.close() }
        _ = host.ask("chat", [Scene.body(id: "1")])
        #expect(telemetry.numbers[#"rulehost_reloads_total{app="chat"}"#] == 1)
        #expect(telemetry.numbers[#"rulehost_ruleset_stale_seconds{app="chat"}"#] == 0)
        try scene.write("chat", "rule \"Half\" { on = ")
        scene.until { telemetry.numbers[#"rulehost_reload_failures_total{app="chat"}"#] == 1 }
        #expect(
            telemetry.numbers.keys.contains {
                $0.hasPrefix(#"rulehost_ruleset_info{app="chat",ruleset="#) && $0.hasSuffix(#"status="stale"}"#)
            })
        scene.until { (telemetry.numbers[#"rulehost_ruleset_stale_seconds{app="chat"}"#] ?? 0) > 0 }
        journal.end()
        let last = try #require(try scene.lines("\(scene.folder)/journal").last)
        #expect(last["event"] as? String == "reload_failed" && last["level"] as? String == "error" && last["app"] as? String == "chat")
        let fields = try #require(last["fields"] as? [String: Any])
        #expect(fields["file"] as? String == "rules.lua" && fields["code"] as? String == "lua_syntax")
    }

    @Test("A canary is told when it begins, grows and ends, and whoever goes back on purpose raises no alert")
    func onPurpose() throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules)
        let journal = try Journal(.json, to: try scene.descriptor("\(scene.folder)/journal"))
        let telemetry = HostTelemetry(version: "1", journal: journal)
        let host = try scene.host(telemetry)
        defer { host.close() }
        _ = host.ask("chat", [Scene.body(id: "1")])
        let first = try #require(host.known["chat"]?.ruleset)
        try scene.write("chat", Self.rules + "\n-- another")
        scene.until { host.known["chat"]?.ruleset != first }
        let other = try #require(host.known["chat"]?.ruleset)
        let deed = Deed(who: "mina", at: Scene.noon)
        func change(_ begin: (@escaping @Sendable (Result<AppInfo, HostProblem>) -> Void) -> Void) throws -> AppInfo {
            let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
            begin { result in done.change { $0 = result } }
            return try done.wait { $0 }.get()
        }
        for percent in [5, 50] { _ = try change { host.promote(app: "chat", hash: first, percent: percent, deed, $0) } }
        _ = try change { host.rollback(app: "chat", deed, $0) }
        #expect(try change { host.rollback(app: "chat", deed, $0) }.faults.map(\.code) == ["rolled_back"])
        usleep(50_000)
        #expect(telemetry.numbers[#"rulehost_ruleset_stale_seconds{app="chat"}"#] == 0)
        // What is wrong besides counts.
        try scene.write("chat", "rule \"Half\" { on = ")
        scene.until { (telemetry.numbers[#"rulehost_ruleset_stale_seconds{app="chat"}"#] ?? 0) > 0 }
        journal.end()
        let told = try scene.lines("\(scene.folder)/journal").map { line -> String in
            let fields = line["fields"] as? [String: Any] ?? [:]
            let ruleset = (fields["ruleset"] as? String).map { $0 == first ? " first" : $0 == other ? " other" : "" } ?? ""
            return "\(line["event"] ?? "")\(ruleset)\((fields["percent"] as? Int).map { " \($0)" } ?? "")"
        }
        #expect(
            told.dropLast() == [
                "reload first", "reload other", "canary first 5", "canary first 50", "canary_end first 50", "reload first",
            ], "\(told)")
    }

    @Test("A draft with a fault on a host of a stage is told apart from what is served, which is not stale by it")
    func drafts() throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules)
        let journal = try Journal(.json, to: try scene.descriptor("\(scene.folder)/journal"))
        let telemetry = HostTelemetry(version: "1", journal: journal)
        let host = try scene.host(telemetry, stage: "production")
        defer { host.close() }
        _ = host.ask("chat", [Scene.body(id: "1")])
        #expect(telemetry.numbers[#"rulehost_draft_stale_seconds{app="chat"}"#] == 0)
        let done = Monitor(false)
        host.promote(app: "chat", hash: try #require(try host.versions(of: "chat").first?.hash), Deed(who: "mina", at: Scene.noon)) { _ in
            done.change { $0 = true }
        }
        #expect(done.wait { $0 ? true : nil })
        try scene.write("chat", "rule \"Half\" { on = ")
        scene.until { (telemetry.numbers[#"rulehost_draft_stale_seconds{app="chat"}"#] ?? 0) > 0 }
        #expect(telemetry.numbers[#"rulehost_ruleset_stale_seconds{app="chat"}"#] == 0)
        #expect(telemetry.numbers[#"rulehost_reload_failures_total{app="chat"}"#] == 1)
        #expect(telemetry.numbers.keys.contains { $0.hasPrefix("rulehost_ruleset_info{app=\"chat\"") && $0.hasSuffix("status=\"ok\"}") })
        try scene.write("chat", Self.rules + "\n-- mended")
        scene.until { telemetry.numbers[#"rulehost_draft_stale_seconds{app="chat"}"#] == 0 }
        #expect(telemetry.numbers[#"rulehost_reloads_total{app="chat"}"#] == 1)
        journal.end()
        let lines = try scene.lines("\(scene.folder)/journal")
        #expect(lines.map { $0["event"] as? String } == ["not_promoted", "reload", "draft_failed", "draft"])
        #expect(lines.map { $0["level"] as? String } == ["info", "info", "warning", "info"])
        let fields = try #require(lines[2]["fields"] as? [String: Any])
        #expect(fields["status"] as? String == "stale" && fields["code"] as? String == "lua_syntax")
    }

    @Test("That the store does not take a version is told once, and that it has taken it")
    func notKept() throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules)
        let path = "\(scene.folder)/rulehost.db"
        let store = try EffectStore(path, clock: { Scene.noon })
        defer { store.close() }
        let journal = try Journal(.json, to: try scene.descriptor("\(scene.folder)/journal"))
        let telemetry = HostTelemetry(version: "1", journal: journal)
        let connection = try Connection(path, path: path, .writing)
        try connection.run("CREATE TRIGGER refuse BEFORE INSERT ON version BEGIN SELECT RAISE(ABORT, 'no'); END")
        let host = try scene.host(telemetry, store: store)
        defer { host.close() }
        _ = host.ask("chat", [Scene.body(id: "1")])
        // Long enough for the host to try again, which is not told.
        usleep(1_500_000)
        try connection.run("DROP TRIGGER refuse")
        scene.until { host.known["chat"]?.faults.isEmpty == true }
        host.close()
        journal.end()
        let events = try scene.lines("\(scene.folder)/journal").compactMap { $0["event"] as? String }
        #expect(events.filter { $0 == "reload" || $0.hasPrefix("version") } == ["reload", "version_not_kept", "version_kept"])
        #expect(telemetry.numbers[#"rulehost_reloads_total{app="chat"}"#] == 1)
    }

    @Test(
        "promtool finds nothing to say of the metrics", .enabled(if: OperatorTool.path("promtool") != nil, "scripts/operators.sh brings it")
    )
    func promtool() throws {
        let scene = try Scene()
        try scene.write("chat", Self.rules)
        let store = try EffectStore("\(scene.folder)/rulehost.db", clock: { Scene.noon })
        defer { store.close() }
        let journal = try Journal(.json, to: try scene.descriptor("\(scene.folder)/journal"))
        let telemetry = HostTelemetry(
            version: "1", journal: journal, decisions: try DecisionLog(DecisionLogSettings(path: scene.log), journal: journal))
        let host = try scene.host(telemetry, store: store, isolation: .process)
        defer { host.close() }
        telemetry.look(atClients: { HostTelemetry.ClientFacts() })
        telemetry.meter(of: ["decide"]).answered(0, 200)
        _ = host.ask(
            "chat",
            [
                Scene.body(id: "1"), Scene.body(id: "2", data: #","quiet":true,"broken":true"#),
                Scene.body(id: "3", data: #","broken":true"#),
            ])
        let text = telemetry.metrics()
        let answer = try OperatorTool.run("promtool", ["check", "metrics"], input: text)
        #expect(answer.text == "")
        #expect(answer.code == 0)
        // What it checks is all of the table.
        let told = Set(String(decoding: text, as: UTF8.self).matches(of: #/TYPE ([a-z_]+) /#).map { String($0.output.1) })
        #expect(told == Set(MetricTable.all.map(\.name)))
    }
}

extension Scene {
    func descriptor(_ path: String) throws -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        try #require(descriptor >= 0)
        return descriptor
    }

    /// Returns when it is so; a test that waits for what never comes is ended by whoever runs it.
    func until(_ holds: () -> Bool) { while !holds() { usleep(2_000) } }
}
