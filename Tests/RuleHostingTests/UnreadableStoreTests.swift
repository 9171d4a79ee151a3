// A store that cannot be read for a moment: what it holds does not count as gone, and is looked at again.
import Foundation
import RuleEngine
import Testing

@testable import EffectStore
@testable import RuleHosting

struct UnreadableStoreTests {
    /// Takes a table away, until it is brought back.
    private static func hide(_ table: String, in scene: Scene) throws -> () throws -> Void {
        let connection = try Connection(scene.storePath, path: scene.storePath, .writing)
        try connection.run("ALTER TABLE \(table) RENAME TO hidden")
        return { try connection.run("ALTER TABLE hidden RENAME TO \(table)") }
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
