// A store that cannot be read for a moment: what it holds does not count as gone, and is looked at again.
import Foundation
import RuleEngine
import Testing

@testable import EffectStore
@testable import RuleHosting

struct UnreadableStoreTests {
    private static let mina = Deed(who: "mina", at: Scene.noon, why: "as agreed")

    private static func rules(_ version: String) -> String {
        "rule \"R\" { on = \"present\", decide = function() return { labels = { b = \"\(version)\" } } end }"
    }

    private static func write(_ version: String, _ scene: Scene) throws {
        try scene.write("chat", rules(version), manifest: "return { api = 1, guards = { duplicate = false } }")
    }

    private static func wait(_ host: RuleHost, _ version: String) {
        while host.ask("chat", Scene.body("waiting", id: version)).label("b") != version { usleep(2_000) }
    }

    /// Takes a table away, until it is brought back.
    private static func hide(_ table: String, in scene: Scene) throws -> () throws -> Void {
        let connection = try Connection(scene.storePath, path: scene.storePath, .writing)
        try connection.run("ALTER TABLE \(table) RENAME TO hidden")
        return { try connection.run("ALTER TABLE hidden RENAME TO \(table)") }
    }

    private static func promote(_ host: RuleHost, _ hash: String, to stage: String? = nil, percent: Int? = nil) throws {
        let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
        host.promote(app: "chat", hash: hash, to: stage, percent: percent, mina) { result in done.change { $0 = result } }
        _ = try done.wait { $0 }.get()
    }

    /// Versions v1 and v2 of a host that has ended.
    private static func two(_ scene: Scene, _ store: EffectStore) throws -> [String] {
        let host = try scene.host(.durable(store))
        defer { host.close() }
        var hashes: [String] = []
        for version in ["v1", "v2"] {
            try write(version, scene)
            wait(host, version)
            hashes.append(try #require(host.known["chat"]?.ruleset))
        }
        return hashes
    }

    @Test("On a stage it is the store's fault, and nobody has to restart the host", arguments: ["stage", "version_file"])
    func onAStage(_ table: String) throws {
        let scene = try Scene()
        let store = try scene.store()
        let hashes = try Self.two(scene, store)
        let first = try scene.host(.durable(store))
        try Self.promote(first, hashes[0], to: "production")
        first.close()
        let host = try scene.host(.durable(store)) { $0.stage = "production" }
        defer { host.close() }
        let show = try Self.hide(table, in: scene)
        let answer = host.ask("chat", Scene.body(id: "m"))
        #expect(answer.status == 503 && answer.code == "store_failed", "\(answer.text)")
        #expect(host.known["chat"]?.faults.map(\.code).contains("store_failed") == true)
        try show()
        Self.wait(host, "v1")
        #expect(host.known["chat"]?.status == .ok)
    }

    @Test("A version that was rolled back does not come into force because nobody could read that it was")
    func rolledBack() throws {
        let scene = try Scene()
        let store = try scene.store()
        let hashes = try Self.two(scene, store)
        let first = try scene.host(.durable(store))
        let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
        #expect(first.ask("chat", Scene.body(id: "m")).label("b") == "v2")
        first.rollback(app: "chat", Self.mina) { result in done.change { $0 = result } }
        #expect(try done.wait { $0 }.get().ruleset == hashes[0])
        first.close()
        let host = try scene.host(.durable(store))
        defer { host.close() }
        let show = try Self.hide("stage", in: scene)
        let answer = host.ask("chat", Scene.body(id: "m"))
        #expect(answer.status == 503 && answer.code == "store_failed", "\(answer.text)")
        try show()
        Self.wait(host, "v1")
        #expect(host.known["chat"]?.status == .stale && host.known["chat"]?.faults.map(\.code) == ["rolled_back"])
    }

    @Test("A canary is not gone because nobody could read it")
    func canary() throws {
        let scene = try Scene()
        let store = try scene.store()
        let hashes = try Self.two(scene, store)
        let first = try scene.host(.durable(store))
        #expect(first.ask("chat", Scene.body(id: "m")).label("b") == "v2")
        try Self.promote(first, hashes[0], percent: 50)
        first.close()
        let host = try scene.host(.durable(store))
        defer { host.close() }
        let show = try Self.hide("version_file", in: scene)
        let answer = host.ask("chat", Scene.body(id: "m"))
        #expect(answer.status == 503 && answer.code == "store_failed", "\(answer.text)")
        try show()
        while host.ask("chat", Scene.body(id: "m")).status != 200 { usleep(2_000) }
        #expect(host.known["chat"]?.canary == Canary(ruleset: hashes[0], percent: 50))
    }

    @Test("A message that is pinned waits for its version while nobody can read it, and is decided by no other")
    func pinned() throws {
        let scene = try Scene()
        try scene.write("chat", DueTests.rules("v1", pin: true))
        let clock = TestClock()
        let store = try scene.store()
        let refusals = Refusals()
        let host = try scene.host(.durable(store), clock: clock, watch: refusals)
        defer { host.close() }
        let ear = Ear()
        host.listen(ear)
        _ = host.ask("chat", Scene.body("u", id: "m-1"))
        try scene.write("chat", DueTests.rules("v2", pin: true))
        ear.events.wait { $0.count { if case .reload = $0.kind { true } else { false } } >= 2 ? () : nil }
        let show = try Self.hide("version_file", in: scene)
        clock.turn(minutes: 61)
        let due = { (events: [HostEvent]) in
            events.compactMap { event -> DueDecision? in if case .due(let due) = event.kind { due } else { nil } }
        }
        while refusals.desk.codes.withLock({ $0["store_failed"] == nil }), due(ear.events.withLock { $0 }).isEmpty { usleep(2_000) }
        try show()
        // It is tried again later.
        while due(ear.events.withLock({ $0 })).isEmpty {
            clock.turn(minutes: 1)
            usleep(10_000)
        }
        let told = try #require(due(ear.events.withLock { $0 }).first)
        #expect(String(decoding: told.decision, as: UTF8.self).contains(#""by":"v1""#))
    }
}
