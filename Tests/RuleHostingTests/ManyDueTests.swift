// Very many messages whose time has come, of apps that cannot decide them: others do not wait for that.
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore
@testable import RuleHosting

/// Counts requests that are answered with a problem, and keeps by whose rules the others were decided.
final class Refusals: HostWatching {
    let desk = Desk()
    func desk(ofShard number: Int) -> any ShardWatching { desk }

    final class Desk: ShardWatching {
        let codes = Monitor<[String: Int]>([:])
        let sides = Monitor<[(event: EventName?, side: CanarySide?)]>([])
        func records(_ request: DecideRequest, recipient: String) -> Bool { false }
        func decided(_ evaluations: [Evaluation], of request: DecideRequest, by side: CanarySide?, waited: Int64, took: Int64) {
            sides.change { $0.append((evaluations.first?.decision.event, side)) }
        }
        func answered(after time: Int64) {}
        func kept(_ count: Int, took: Int64) {}
        func refused(_ code: String) { codes.change { $0[code, default: 0] += 1 } }
        func notKept(_ request: DecideRequest) {}
        func recorded(_ record: DecisionRecord) {}
    }
}

struct ManyDueTests {
    private static let mina = Deed(who: "mina", at: Scene.noon)

    /// As the one that is held back of `u`, for as many others, and earlier. Of a store that is closed.
    private static func multiply(_ app: String, _ count: Int, in scene: Scene) throws {
        let connection = try Connection(scene.storePath, path: scene.storePath, .writing)
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
        try connection.run(
            """
            \(numbers) INSERT INTO journal (app, recipient, shares, format, effects)
            SELECT app, 'u-' || i, shares, format, effects FROM journal, n WHERE app = '\(app)' ORDER BY seq
            """)
        try connection.run(
            """
            \(numbers) INSERT INTO recipient SELECT app, 'u-' || i, format, state, stale, dedupe FROM recipient, n WHERE app = '\(app)'
            """)
        try connection.run(
            "\(numbers) INSERT INTO due (app, recipient, id, at) SELECT app, 'u-' || i, id, at - 1 FROM due, n WHERE app = '\(app)'")
    }

    @Test("Messages of an app that has nothing in force are not tried over and over, and delay those of nobody else")
    func restingApp() throws {
        let scene = try Scene()
        try scene.write("late", DueTests.rules("v1"))
        try scene.write("chat", DueTests.rules("v1"))
        let clock = TestClock()
        let store = try scene.store()
        // What is held back looks as it does when a host has held it back.
        let first = try scene.host(.durable(store), clock: clock)
        for app in ["late", "chat"] { #expect(first.ask(app, Scene.body("u", id: "m-1")).text.contains("\"defer\"")) }
        let hash = try #require(first.known["chat"]?.ruleset)
        let done = Monitor<Result<AppInfo, HostProblem>?>(nil)
        first.promote(app: "chat", hash: hash, to: "production", percent: nil, Self.mina) { result in done.change { $0 = result } }
        _ = try done.wait { $0 }.get()
        first.close()
        store.close()
        try Self.multiply("late", 5_000, in: scene)
        clock.turn(minutes: 61)
        let refusals = Refusals()
        let again = try scene.store()
        defer { again.close() }
        #expect(try again.view.recipient(app: "late", "u-77").deferred.count == 1)
        let host = try scene.host(.durable(again), clock: clock, watch: refusals) { $0.stage = "production" }
        let ear = Ear()
        host.listen(ear)
        ear.events.wait { events in
            events.contains { event in if case .due = event.kind { event.app == "chat" } else { false } } ? () : nil
        }
        #expect(refusals.desk.codes.withLock { $0["not_promoted"] ?? 0 } <= 256)
        host.close()
    }

    @Test("What an app holds back is listed also where another one holds back very much")
    func listed() throws {
        let scene = try Scene()
        try scene.write("chat", DueTests.rules("v1"))
        let store = try scene.store()
        let host = try scene.host(.durable(store))
        #expect(host.ask("chat", Scene.body("u", id: "m-1")).text.contains("\"defer\""))
        let rows = try Connection(scene.storePath, path: scene.storePath, .writing)
        try rows.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001)
            INSERT INTO due (app, recipient, id, at) SELECT 'late', 'u-' || i, 'm', \(Scene.noon.milliseconds + 1) FROM n
            """)
        #expect(try host.deferred(of: "chat", first: 10).map(\.recipient) == ["u"])
        #expect(try host.deferred(of: "late", first: 10).count == 10)
        host.close()
    }
}
