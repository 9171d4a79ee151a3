// What commits leave behind: the state that the engine would have, in order, once, also after the host has ended.
import Foundation
import PushMessage
import Testing

@testable import EffectStore
@testable import RuleEngine

struct CommitTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test("Effects of every kind come out as the state that they make, folded or not, and after another start", arguments: 0..<6)
    func sameState(_ seed: UInt64) throws {
        var made = MadeUpEffects(seed: seed)
        var wanted: [String: AppState] = ["chat": AppState(), "shop": AppState()]
        var store = try scene.open()
        for _ in 0..<150 {
            let (app, id) = (["chat", "shop"][made.number(0..<2)], ["", "u-1", "u-2"][made.number(0..<3)])
            let effects = made.list()
            wanted[app]?.apply(effects, recipient: id)
            #expect(try store.commit(Commit(app: app, recipient: id, effects: effects)) == .kept)
            switch made.number(0..<40) {
            case 0: try store.tidy(now: Scene.noon)
            case 1:
                store.close()
                store = try scene.open()
            default: break
            }
        }
        for (app, state) in wanted {
            var state = state
            state.recipients = state.recipients.filter { $0.value != RecipientState() }
            var kept = try store.view.everything(app: app)
            kept.recipients = kept.recipients.filter { $0.value != RecipientState() }
            #expect(kept == state)
            #expect(try store.view.shared(app: app) == state.shared)
            for (id, recipient) in state.recipients { #expect(try store.view.recipient(app: app, id) == recipient) }
            #expect(try store.view.state(app: app, recipient: "u-1").recipients["u-1"] == state.recipients["u-1"])
        }
    }

    @Test("Commits of many threads at once all count, each thread's in their order", arguments: Durability.allCases)
    func threads(_ durability: Durability) async throws {
        let store = try scene.open(durability, mostBacklog: 50)
        let count = durability == .strict ? 10 : 60
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in 0..<8 {
                group.addTask {
                    for number in 0..<count {
                        try store.commit(
                            Commit(app: "chat", recipient: "u-\(person)", effects: [.keepInInbox(Array("\(number)".utf8))]))
                    }
                }
            }
            try await group.waitForAll()
        }
        let wanted = (0..<count).map { Array("\($0)".utf8) }
        for person in 0..<8 { #expect(try store.view.recipient(app: "chat", "u-\(person)").inbox == wanted) }
    }

    @Test("A commit that only says so returns at once, and is told of when it is there")
    func calledBack() async throws {
        let store = try scene.open()
        let outcome = await withCheckedContinuation { continuation in
            store.commit(Commit(app: "chat", recipient: "u-1", effects: [.setBadge(7)])) { continuation.resume(returning: $0) }
        }
        #expect(try outcome.get() == .kept)
        #expect(try store.view.recipient(app: "chat", "u-1").badge == 7)
    }

    @Test("A key that was answered changes nothing again and gives the same answer, for a day and its own token")
    func answers() throws {
        let answer = KeptAnswer(token: "t", key: "k", question: [1], status: 200, answer: Array("first".utf8))
        func commit(_ token: String, _ now: Instant) throws -> CommitOutcome {
            let store = try scene.open(now: now)
            defer { store.close() }
            var next = answer
            next.token = token
            next.answer = Array("second".utf8)
            return try store.commit(Commit(app: "chat", recipient: "u", effects: [.keepInInbox([49])], answer: next))
        }
        do {
            let store = try scene.open()
            #expect(try store.commit(Commit(app: "chat", recipient: "u", effects: [.keepInInbox([48])], answer: answer)) == .kept)
            #expect(try store.view.answer(app: "chat", token: "t", key: "k", now: Scene.noon) == answer)
            #expect(try store.view.answer(app: "shop", token: "t", key: "k", now: Scene.noon) == nil)
        }
        #expect(try commit("t", Scene.noon) == .answeredBefore(answer))
        #expect(try commit("other", Scene.noon) == .kept)
        #expect(try commit("t", Instant(milliseconds: Scene.noon.milliseconds + Scene.day)) == .kept)
        #expect(try StoreView(scene.path).recipient(app: "chat", "u").inbox == [[48], [49], [49]])
    }

    @Test("A commit without a change is acknowledged and makes no row")
    func empty() throws {
        let store = try scene.open()
        #expect(try store.commit(Commit(app: "chat", recipient: "u", effects: [])) == .kept)
        #expect(try store.view.backlog() == 0)
    }

    @Test("A store that was closed takes nothing more and says so")
    func closed() throws {
        let store = try scene.open()
        store.close()
        #expect(
            Scene.code { () throws(EffectStoreFault) in try store.commit(Commit(app: "a", recipient: "u", effects: [.setBadge(1)])) }
                == .failed)
        #expect(Scene.code { () throws(EffectStoreFault) in try store.tidy(now: Scene.noon) } == .failed)
    }

    @Test("Texts and values as large as the engine lets them be come back as they were")
    func large() throws {
        let id = String(repeating: "é", count: 300_000)
        let message = SeenMessage(id: id, first: Scene.noon, events: SeenEvents(.send))
        let json = Array("\"\(String(repeating: "x", count: 3 << 20))\"".utf8)
        let effects: [Effect] = [
            .sawMessage(SeenMark(message: message, window: Scene.day)), .setBadge(Int.max), .setBadge(-1),
            .setValue(scope: .app, key: "k", value: StoredValue(json: json)),
        ]
        var wanted = AppState()
        wanted.apply(effects, recipient: "u")
        let store = try scene.open()
        try store.commit(Commit(app: "chat", recipient: "u", effects: effects))
        #expect(try store.view.everything(app: "chat") == wanted)
        try store.tidy(now: Scene.noon)
        #expect(try store.view.everything(app: "chat") == wanted)
    }
}
