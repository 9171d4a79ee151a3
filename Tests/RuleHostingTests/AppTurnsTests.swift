// Apps of one shard have turns: what one costs, and how much of it waits, is not the others' business; and what waits for nobody any more
// is not decided.
import EffectStore
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import RuleHosting

struct AppTurnsTests {
    /// Counts, and takes all the fuel that it has.
    private static let heavy = """
        rule "Count" { on = "present", decide = function() state.incr("count") return { labels = { n = tostring(state.get("count")) } } end }
        rule "Heavy" { on = "present", decide = function() while true do end end }
        """

    /// Waits for answers, and may go away.
    private final class Leaving: AnswerTaking {
        private let answers = Monitor<[UInt64]>([])
        private let isAway = Monitor(false)

        var count: Int { answers.withLock { $0.count } }
        var isGone: Bool { isAway.withLock { $0 } }
        func leave() { isAway.change { $0 = true } }
        func take(_ answers: [HostAnswer]) { self.answers.change { $0 += answers.map(\.tag) } }
        func wait(for count: Int) -> [UInt64] { answers.wait { $0.count >= count ? $0 : nil } }
    }

    private func scene() throws -> Scene {
        let scene = try Scene()
        try scene.write("heavy", Self.heavy, manifest: "return { api = 1, guards = { duplicate = false } }")
        for number in 0..<3 { try scene.write("light-\(number)") }
        return scene
    }

    private func requests(_ count: Int, recipient: String? = nil) -> [DecideRequest] {
        (0..<count).map {
            DecideRequest(app: "heavy", body: Scene.body(recipient ?? "u-\($0)", id: "m-\($0)"), options: DecideOptions(), tag: UInt64($0))
        }
    }

    @Test(
        "Others are answered while much of a heavy app waits, and it is answered in its order", arguments: HostSettings.Isolation.allCases)
    func others(_ isolation: HostSettings.Isolation) throws {
        let scene = try scene()
        let host = try scene.host(.memory, isolation, shards: 1)
        defer { host.close() }
        for number in 0..<3 { #expect(host.ask("light-\(number)", Scene.body(id: "first")).status == 200) }
        #expect(host.ask("heavy", Scene.body(id: "first")).status == 200)
        let waiting = Leaving()
        host.decide(requests(600), to: waiting)
        for number in 0..<3 { #expect(host.ask("light-\(number)", Scene.body(id: "second")).status == 200) }
        // Nobody has had to wait for a whole batch of them, let alone for all.
        #expect(waiting.count < 128, "\(waiting.count) came first")
        #expect(host.shardFacts.map { $0.waiting + $0.behind }.reduce(0, +) > 300)
        #expect(waiting.wait(for: 600) == Array(0..<600))
        #expect(host.shardFacts.allSatisfy { $0.behind == 0 })
    }

    @Test("What has waited for its turn is not decided when nobody waits for it any more, and the host ends without it")
    func gone() throws {
        let scene = try scene()
        let store = try scene.store(.none)
        defer { store.close() }
        let host = try scene.host(.durable(store), shards: 1)
        #expect(host.ask("heavy", Scene.body("u", id: "first")).status == 200)
        let leaving = Leaving()
        host.decide(requests(600, recipient: "u"), to: leaving)
        _ = leaving.wait(for: 1)
        leaving.leave()
        let after = Leaving()
        host.decide([DecideRequest(app: "heavy", body: Scene.body("u", id: "last"), options: DecideOptions())], to: after)
        _ = after.wait(for: 1)
        let told = leaving.count
        #expect(told < 300)
        #expect(host.shardFacts.allSatisfy { $0.waiting + $0.behind == 0 })
        // Once each, and none of the others.
        #expect(
            try store.view.recipient(app: "heavy", "u").values["count"].map { String(decoding: $0.json, as: UTF8.self) } == "\(told + 2)")
        let again = Leaving()
        host.decide(requests(600, recipient: "u"), to: again)
        again.leave()
        host.close()
        #expect(again.count < 600)
    }

    @Test("An app has as many turns as its requests are light")
    func pace() {
        var pace = TurnPace()
        #expect((16...64).contains(pace.count(among: 1)))
        pace.note(64, microseconds: 64 * 8)
        #expect(pace.count(among: 1) == 2_500 && pace.count(among: 10) == 250)
        // One that has taken long for once.
        pace.note(1, microseconds: 30_000)
        #expect((5...20).contains(pace.count(among: 1)))
        pace.note(16, microseconds: 128)
        #expect(pace.count(among: 1) == 2_500)
        pace.note(20, microseconds: 20 * 15_000)
        #expect(pace.count(among: 1) == 1 && pace.count(among: 1_000) == 1)
        pace.note(5_000, microseconds: 0)
        #expect(pace.count(among: 1) == 20_000)
    }
}
