// Versions that come into force while the store takes nothing: it has them as soon as it takes something again.
import Foundation
import RuleEngine
import Testing

@testable import EffectStore
@testable import RuleHosting

struct LateKeepingTests {
    private static let mina = Deed(who: "mina", at: Scene.noon, why: "as agreed")

    private static func write(_ version: String, _ scene: Scene) throws {
        try scene.write(
            "chat", "rule \"R\" { on = \"present\", decide = function() return { labels = { b = \"\(version)\" } } end }",
            manifest: "return { api = 1, guards = { duplicate = false } }")
    }

    private static func wait(_ host: RuleHost, _ version: String) {
        while host.ask("chat", Scene.body("waiting", id: version)).label("b") != version { usleep(2_000) }
    }

    private static func until(_ isSo: () throws -> Bool) rethrows { while try !isSo() { usleep(2_000) } }

    /// Refuses versions, or moves of stages, until it is lifted.
    private static func refuse(_ table: String, in scene: Scene) throws -> () throws -> Void {
        let connection = try Connection(scene.storePath, path: scene.storePath, .writing)
        try connection.run("CREATE TRIGGER refuse BEFORE INSERT ON \(table) BEGIN SELECT RAISE(ABORT, 'no'); END")
        return { try connection.run("DROP TRIGGER refuse") }
    }

    @Test("A version that the store has refused is kept when it takes it, and nobody saves it again", arguments: ["version", "stage"])
    func keptLate(_ table: String) throws {
        let scene = try Scene()
        let store = try scene.store()
        let host = try scene.host(.durable(store))
        defer { host.close() }
        try Self.write("v1", scene)
        Self.wait(host, "v1")
        let first = try #require(host.known["chat"]?.ruleset)
        let ear = Ear()
        host.listen(ear)
        let allow = try Self.refuse(table, in: scene)
        try Self.write("v2", scene)
        Self.wait(host, "v2")
        _ = ear.wait { $0.info?.ruleset != first }
        let second = try #require(host.known["chat"]?.ruleset)
        #expect(host.known["chat"]?.status == .ok && host.known["chat"]?.faults.map(\.code) == ["store_failed"])
        #expect(try store.view.current(app: "chat", stage: "draft") == first)
        try allow()
        _ = ear.wait { $0.info?.ruleset == second && $0.info?.faults.isEmpty == true }
        #expect(try host.versions(of: "chat").map(\.hash) == [second, first])
        #expect(try store.view.current(app: "chat", stage: "draft") == second)
        #expect(try host.change(app: "chat", of: second, from: first).files.count == 1)
        let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
        host.rollback(app: "chat", Self.mina) { result in done.change { $0 = result } }
        #expect(try done.wait { $0 }.get().ruleset == first)
    }

    @Test("A version is kept late also where it was the first one, and where what was saved after it is refused")
    func keptLateBehindAFault() throws {
        let scene = try Scene()
        let store = try scene.store()
        let host = try scene.host(.durable(store))
        defer { host.close() }
        let allow = try Self.refuse("version", in: scene)
        try Self.write("v1", scene)
        Self.wait(host, "v1")
        try scene.write("chat", "rule \"Half\" { on = ")
        Self.until { host.known["chat"]?.faults.first?.code == "lua_syntax" }
        #expect(try host.versions(of: "chat").isEmpty)
        try allow()
        try Self.until { try store.view.current(app: "chat", stage: "draft") != nil }
        #expect(try host.versions(of: "chat").map(\.hash) == [host.known["chat"]?.ruleset])
        #expect(host.known["chat"]?.status == .stale && host.known["chat"]?.faults.map(\.code) == ["lua_syntax"])
    }

    @Test("What somebody has promoted meanwhile stays the draft when an older version is kept late")
    func promotedMeanwhile() throws {
        let scene = try Scene()
        let store = try scene.store()
        let host = try scene.host(.durable(store))
        defer { host.close() }
        for version in ["v1", "v2"] {
            try Self.write(version, scene)
            Self.wait(host, version)
        }
        let hashes = try host.versions(of: "chat").map(\.hash)
        let allow = try Self.refuse("version", in: scene)
        try Self.write("v3", scene)
        Self.wait(host, "v3")
        let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
        host.promote(app: "chat", hash: hashes[1], to: nil, percent: nil, Self.mina) { result in done.change { $0 = result } }
        #expect(try done.wait { $0 }.get().ruleset == hashes[1])
        try allow()
        try Self.until { try host.versions(of: "chat").count == 3 }
        #expect(try store.view.current(app: "chat", stage: "draft") == hashes[1])
        #expect(host.known["chat"]?.ruleset == hashes[1] && host.known["chat"]?.faults.map(\.code) == ["rolled_back"])
    }

    @Test("Each version that the store has refused is kept when it takes it, in the order of the saves, and the last one is the draft")
    func severalKeptLate() throws {
        let scene = try Scene()
        let store = try scene.store()
        let host = try scene.host(.durable(store))
        defer { host.close() }
        var hashes: [String] = []
        var allow: (() throws -> Void)?
        for version in ["v1", "v2", "v3", "v4"] {
            if version == "v2" { allow = try Self.refuse("version", in: scene) }
            try Self.write(version, scene)
            Self.wait(host, version)
            Self.until { host.known["chat"]?.ruleset.map { !hashes.contains($0) } == true }
            hashes.append(try #require(host.known["chat"]?.ruleset))
        }
        Self.until { host.known["chat"]?.faults.map(\.code) == ["store_failed"] }
        try allow?()
        Self.until { host.known["chat"]?.faults.isEmpty == true }
        #expect(try Set(host.versions(of: "chat").map(\.hash)) == Set(hashes))
        #expect(try store.view.current(app: "chat", stage: "draft") == hashes[3])
        let moves = try host.audit(newest: 9, of: "chat").filter { $0.action == "reload" }.map(\.subject)
        #expect(moves == hashes.reversed().map { "draft \($0)" })
    }
}
