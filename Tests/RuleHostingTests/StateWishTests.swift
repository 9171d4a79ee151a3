// State that is changed by hand while messages are decided: nothing that was decided before is lost, and nothing comes between.
import EffectStore
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import RuleHosting

struct StateWishTests {
    private static let mina = Deed(who: "mina", at: Scene.noon)

    @Test("A change by hand is made on what was decided before it, also where the store has not kept that yet")
    func nothingLost() throws {
        let scene = try Scene()
        try scene.write("chat")
        // Each commit waits for the disk by itself, so that many wait.
        let host = try scene.host(.durable(try scene.store(.strict)))
        _ = host.ask("chat", Scene.body("u", id: "first"))
        let waiting = Waiting()
        host.decide((0..<200).map { DecideRequest(app: "chat", body: Scene.body("u", id: "m-\($0)"), tag: UInt64($0)) }, to: waiting)
        while host.shardFacts.allSatisfy({ $0.unkept < 20 }), waiting.count < 200 { usleep(100) }
        let done = Monitor<Result<AppState, HostProblem>?>(nil)
        host.edit(app: "chat", recipient: "u", Self.mina, action: "badge_set", subject: "u") { state, _ in
            state.badge = (state.badge ?? 0) + 1_000
        } _: { result in
            done.change { $0 = result }
        }
        _ = try done.wait { $0 }.get()
        _ = waiting.all(200)
        #expect(host.ask("chat", Scene.body("u", id: "last")).badge == 1_202)
        host.close()
    }

    private func change(_ host: RuleHost, _ wish: StateWish, isDry: Bool = false) throws -> StateWish.Outcome {
        let done = Monitor<Result<StateWish.Outcome, HostProblem>?>(nil)
        host.change(app: "chat", by: wish, isDry: isDry, Self.mina) { result in done.change { $0 = result } }
        return try done.wait { $0 }.get()
    }

    @Test("A key, a state file and a reset change what the next message sees; a dry run changes nothing", arguments: [true, false])
    func wishes(_ isDurable: Bool) throws {
        let scene = try Scene()
        try scene.write("chat")
        let store = isDurable ? try scene.store() : nil
        let host = try scene.host(store.map { .durable($0) } ?? .memory)
        #expect(host.ask("chat", Scene.body("u", id: "m-1"), Scene.keyed("k")).label("count") == "1")
        let wish = StateWish(.set("count", Array("40".utf8)), of: "u")
        #expect(try change(host, wish, isDry: true).changes.count == 1)
        #expect(host.ask("chat", Scene.body("u", id: "m-2")).label("count") == "2")
        _ = try change(host, wish)
        #expect(host.ask("chat", Scene.body("u", id: "m-3")).label("count") == "41")
        var file = AppState()
        file.recipients["v"] = RecipientState()
        file.recipients["v"]?.badge = 6
        file.shared["all"] = StoredValue(json: Array("5".utf8))
        _ = try change(host, StateWish(.import(file), of: nil))
        #expect(host.ask("chat", Scene.body("v", id: "m-4")).badge == 7)
        #expect(host.ask("chat", Scene.body("u", id: "m-5", data: #","shared":"1""#)).label("all") == "6")
        _ = try change(host, StateWish(.delete("count"), of: "u"))
        #expect(host.ask("chat", Scene.body("u", id: "m-6")).label("count") == "1")
        let reset = try change(host, StateWish(.reset, of: nil))
        #expect(reset.answers == 1 && reset.after == AppState())
        #expect(host.ask("chat", Scene.body("u", id: "m-1"), Scene.keyed("k")).label("count") == "1")
        let actions = try host.audit(newest: 9, of: "chat").map(\.action).filter { $0.hasPrefix("state") }
        #expect(actions == ["state_reset", "state_delete", "state_import", "state_set"])
        // What is so already is no line of the audit.
        _ = try change(host, StateWish(.delete("nothing"), of: "u"))
        #expect(try host.audit(newest: 1, of: "chat").first?.action == "state_reset")
        host.close()
    }
}

struct MemorySweepTests {
    @Test("What is over leaves memory as it leaves a store: values that have expired, messages that nobody can repeat any more")
    func swept() throws {
        let keeping = MemoryKeeping()
        func keep(_ effects: [Effect], _ recipient: String, at now: Instant) {
            keeping.keep([Kept(app: "chat", recipient: recipient, effects: effects, answer: nil, chain: CommitChain())], now: now) { _ in }
        }
        let hour: Int64 = 3_600_000
        let soon = StoredValue(json: Array("1".utf8), expiresAt: Instant(milliseconds: Scene.noon.milliseconds + 60_000))
        keep([.setValue(scope: .recipient, key: "k", value: soon)], "u-1", at: Scene.noon)
        keep([.setValue(scope: .app, key: "k", value: soon)], "u-1", at: Scene.noon)
        keep([.setBadge(3)], "u-2", at: Scene.noon)
        #expect(keeping.everything(app: "chat").recipients.count == 2)
        keep([.setBadge(4)], "u-2", at: Instant(milliseconds: Scene.noon.milliseconds + hour))
        let state = keeping.everything(app: "chat")
        #expect(state.recipients.count == 1 && state.recipients["u-2"]?.badge == 4 && state.shared.isEmpty)
    }
}
