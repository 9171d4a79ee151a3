// State that somebody puts there: kept as it was given, in place of what nobody can read too, and forgotten whole.
import Foundation
import PushMessage
import Testing

@testable import EffectStore
@testable import RuleEngine

struct StateChangeTests {
    private let scene: Scene
    private let deed = Deed(who: "mina", at: Scene.noon)

    init() throws { scene = try Scene() }

    private func later(_ days: Int64) -> Instant { Instant(milliseconds: Scene.noon.milliseconds + days * Scene.day) }

    private func change(_ changes: [StateChange], _ store: EffectStore) throws {
        try store.change(changes, app: "chat", deed, action: "state_import", subject: "recipient u")
    }

    private func saw(_ id: String, _ days: Int64, window: Int64) -> Effect {
        .sawMessage(SeenMark(message: SeenMessage(id: id, first: later(days), events: SeenEvents(.send)), window: window * Scene.day))
    }

    @Test("A message that was put there stays until the app's window is known to be over")
    func seenIsKept() throws {
        let store = try scene.open()
        var state = RecipientState()
        state.seen = SeenMessages([SeenMessage(id: "old", first: later(-40), events: SeenEvents(.send))])
        try change([.recipient("u", state)], store)
        #expect(try store.view.recipient(app: "chat", "u").seen.messages.map(\.id) == ["old"])
        try store.tidy(now: later(300))
        #expect(try store.view.recipient(app: "chat", "u").seen.messages.map(\.id) == ["old"])
        // The app has a window of sixty days.
        try store.commit(Commit(app: "chat", recipient: "u", effects: [saw("new", 1, window: 60)]))
        try store.tidy(now: later(2))
        #expect(try store.view.recipient(app: "chat", "u").seen.messages.map(\.id) == ["old", "new"])
        try store.tidy(now: later(30))
        #expect(try store.view.recipient(app: "chat", "u").seen.messages.map(\.id) == ["new"])
    }

    @Test("A message whose time is no time that comes is kept as it is", arguments: [Int64.min, Int64.max])
    func anyTime(_ milliseconds: Int64) throws {
        let store = try scene.open()
        try store.commit(Commit(app: "chat", recipient: "u", effects: [saw("new", 0, window: 7)]))
        var state = RecipientState()
        let odd = Instant(milliseconds: milliseconds)
        state.badge = 1
        state.seen = SeenMessages([SeenMessage(id: "odd", first: odd, events: SeenEvents(.send))])
        state.values["k"] = StoredValue(json: Array("1".utf8), expiresAt: odd)
        try change([.recipient("u", state)], store)
        try store.tidy(now: later(1))
        let kept = try store.view.recipient(app: "chat", "u")
        #expect(kept.badge == 1 && (kept.values["k"] != nil) == (milliseconds > 0))
    }

    @Test("A value that is set by hand does not make a message be forgotten")
    func valueLeavesSeen() throws {
        let store = try scene.open()
        try store.commit(Commit(app: "chat", recipient: "u", effects: [saw("m", -40, window: 90)]))
        var state = try store.view.recipient(app: "chat", "u")
        state.values["k"] = StoredValue(json: Array("1".utf8))
        try change([.recipient("u", state)], store)
        try store.tidy(now: later(2))
        #expect(try store.view.recipient(app: "chat", "u") == state)
        try store.tidy(now: later(60))
        #expect(try store.view.recipient(app: "chat", "u").seen.isEmpty)
    }

    @Test("What is put there takes the place of what is not folded yet, and of nothing else")
    func journal() throws {
        let store = try scene.open()
        func value(_ text: String) -> StoredValue { StoredValue(json: Array(text.utf8)) }
        for person in ["u", "v"] {
            try store.commit(
                Commit(
                    app: "chat", recipient: person,
                    effects: [.setBadge(1), .setValue(scope: .app, key: person, value: value("1")), .keepInInbox(Array("1".utf8))]))
        }
        var state = RecipientState()
        state.badge = 5
        try change([.recipient("u", state)], store)
        #expect(try store.view.recipient(app: "chat", "u") == state)
        #expect(try store.view.shared(app: "chat").map(\.key).sorted() == ["u", "v"])
        try change([.shared(["k": value("2")])], store)
        #expect(try store.view.shared(app: "chat").map(\.key) == ["k"])
        #expect(try store.view.recipient(app: "chat", "v").inbox.count == 1)
        try store.tidy(now: Scene.noon)
        let all = try store.view.everything(app: "chat")
        #expect(all.recipients["u"] == state && all.recipients["v"]?.badge == 1 && all.shared.map(\.key) == ["k"])
        store.close()
        let again = try scene.open()
        try again.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(6)]))
        let number = try again.view.look { (connection) throws(EffectStoreFault) in try connection.integer("SELECT max(seq) FROM journal") }
        #expect(number == 3)
    }

    @Test("With a recipient, or an app, the answers to its requests are forgotten")
    func answers() throws {
        let store = try scene.open()
        func answer(_ key: String) -> KeptAnswer { KeptAnswer(token: "t", key: key, question: [], status: 200, answer: [1]) }
        for (app, person) in [("chat", "u"), ("chat", "v"), ("shop", "u")] {
            try store.commit(Commit(app: app, recipient: person, effects: [.setBadge(1)], answer: answer(person)))
        }
        func kept(_ app: String) throws -> [String] {
            try ["u", "v"].filter { try store.view.answer(app: app, token: "t", key: $0, now: Scene.noon) != nil }
        }
        #expect(try store.view.answers(app: "chat", recipient: "u") == 1 && store.view.answers(app: "chat", recipient: nil) == 2)
        try change([.recipient("u", nil)], store)
        #expect(try kept("chat") == ["v"] && kept("shop") == ["u"])
        try change([.everything], store)
        #expect(try kept("chat") == [] && kept("shop") == ["u"])
    }

    @Test("What nobody can read is told with whose it is, and a reset clears it")
    func damage() throws {
        let broken = StoredValue(json: Array("{".utf8))
        let store = try scene.open()
        try store.commit(Commit(app: "chat", recipient: "u", effects: [.setValue(scope: .recipient, key: "k", value: broken)]))
        try store.commit(Commit(app: "chat", recipient: "v", effects: [.setBadge(1)]))
        do throws(EffectStoreFault) {
            _ = try store.view.everything(app: "chat")
            Issue.record("read")
        } catch {
            #expect(error.code == .damaged && error.message.contains("of recipient \"u\" of chat"))
        }
        try change([.recipient("u", nil)], store)
        #expect(try store.view.everything(app: "chat").recipients.map(\.key) == ["v"])
        try store.tidy(now: Scene.noon)
    }

    @Test("Who looks at everything of an app hinders neither who asks for little nor who writes, and sees one moment")
    func lookingLong() throws {
        let store = try scene.open()
        try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(1)]))
        // Where they waited for each other, this would not end.
        try store.view.lookLong { (connection) throws(EffectStoreFault) in
            #expect(try StoredState.recipient(app: "chat", "u", in: connection).badge == 1)
            try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(2)]))
            #expect(try store.view.recipient(app: "chat", "u").badge == 2)
            #expect(try StoredState.recipient(app: "chat", "u", in: connection).badge == 1)
        }
        try store.editEverything(app: "chat", deed, action: "state_import", subject: "1 recipients") { (there) throws(EffectStoreFault) in
            try store.commit(Commit(app: "shop", recipient: "u", effects: [.setBadge(3)]))
            var state = try there.everything().recipients["u"] ?? RecipientState()
            state.badge = (state.badge ?? 0) + 10
            return [.recipient("u", state)]
        }
        #expect(try store.view.everything(app: "chat").recipients["u"]?.badge == 12)
        #expect(try store.view.recipient(app: "shop", "u").badge == 3)
    }

    @Test("A change of everything is made on what others have changed meanwhile", arguments: [1, 9])
    func changedMeanwhile(_ times: Int) throws {
        let store = try scene.open()
        let left = Monitor(times)
        @Sendable func add(_ there: any StateReading, _ count: Int) throws(EffectStoreFault) -> [StateChange] {
            var state = try there.recipient("u")
            state.badge = (state.badge ?? 0) + count
            return [.recipient("u", state)]
        }
        let (deed, caller) = (deed, pthread_self())
        try store.editEverything(app: "chat", deed, action: "state_import", subject: "1 recipients") { (there) throws(EffectStoreFault) in
            let isOneMore = left.withLock { left in
                left -= 1
                return left >= 0
            }
            // On the writer's own thread nobody comes between.
            if isOneMore, pthread_self() == caller {
                try store.edit(app: "chat", deed, action: "state_set", subject: "u") { (there) throws(EffectStoreFault) in try add(there, 1)
                }
            }
            return try add(there, 100)
        }
        #expect(try store.view.recipient(app: "chat", "u").badge == 100 + min(times, 3))
        #expect(try store.view.audit(newest: 20, of: "chat").count == 1 + min(times, 3))
    }
}
