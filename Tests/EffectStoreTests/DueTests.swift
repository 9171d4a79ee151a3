// What is due next, over all apps.
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore

struct DueTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func message(_ id: String, _ seconds: Int64?) -> DeferredMessage {
        DeferredMessage(
            id: id, event: .send, message: Array("{}".utf8), format: nil, device: Array("{}".utf8),
            until: seconds.map { .at(Instant(milliseconds: $0 * 1000), local: "", zone: "UTC") } ?? .resume)
    }

    private func due(_ store: EffectStore) throws -> [String] {
        try store.view.due(first: 10).map { "\($0.app) \($0.recipient) \($0.id) \($0.at.milliseconds / 1000)" }
    }

    @Test("The earliest comes first, of all apps; moved ones move, dropped ones and those for `resume` are not there")
    func order() throws {
        let store = try scene.open()
        try store.commit(
            Commit(app: "chat", recipient: "u-1", effects: [.keepDeferred(message("a", 30)), .keepDeferred(message("b", 20))]))
        try store.commit(Commit(app: "shop", recipient: "u-1", effects: [.keepDeferred(message("a", 10))]))
        #expect(try due(store) == ["shop u-1 a 10", "chat u-1 b 20", "chat u-1 a 30"])
        try store.commit(Commit(app: "chat", recipient: "u-1", effects: [.keepDeferred(message("a", 5)), .dropDeferred(id: "b")]))
        try store.commit(Commit(app: "shop", recipient: "u-1", effects: [.keepDeferred(message("a", nil))]))
        #expect(try due(store) == ["chat u-1 a 5"])
        try store.tidy(now: Scene.noon)
        #expect(try due(store) == ["chat u-1 a 5"])
        #expect(try store.view.due(first: 0).isEmpty)
    }

    @Test("Of each app those that come next are found apart, and which of its messages is the first")
    func ofApps() throws {
        let store = try scene.open()
        #expect(try store.view.dueApps().isEmpty)
        let all: [(String, String, Int64)] = [("shop", "a", 10), ("chat", "a", 30), ("chat", "b", 20), ("mail", "a", 25)]
        for (app, id, seconds) in all {
            try store.commit(Commit(app: app, recipient: "u-1", effects: [.keepDeferred(message(id, seconds))]))
        }
        try store.commit(Commit(app: "none", recipient: "u-1", effects: [.keepDeferred(message("a", nil))]))
        #expect(
            try store.view.dueApps().sorted { $0.app < $1.app }.map { "\($0.app) \($0.at.milliseconds / 1000)" }
                == ["chat 20", "mail 25", "shop 10"])
        #expect(try store.view.due(of: "chat", first: 10).map(\.id) == ["b", "a"])
        #expect(try store.view.due(of: "chat", first: 1).map(\.id) == ["b"])
        #expect(try store.view.due(of: "none", first: 10).isEmpty)
    }

    @Test("A time that was kept under a long id is moved and dropped with its message")
    func longID() throws {
        let id = String(repeating: "x", count: 1000)
        do {
            try scene.open().commit(Commit(app: "chat", recipient: "u-1", effects: [.keepDeferred(message("a", 30))]))
            let connection = try Connection(scene.path, path: scene.path, .writing)
            try connection.run("UPDATE due SET id = ?", [.text(id)])
        }
        let store = try scene.open()
        #expect(try due(store) == ["chat u-1 \(id) 30"])
        try store.commit(Commit(app: "chat", recipient: "u-1", effects: [.keepDeferred(message(id, 40))]))
        #expect(try due(store) == ["chat u-1 \(KeptID.of(id)) 40"])
        try store.commit(Commit(app: "chat", recipient: "u-1", effects: [.dropDeferred(id: KeptID.of(id))]))
        #expect(try due(store).isEmpty)
    }

    @Test("State that is put in the place of another brings its own times along")
    func replaced() throws {
        let store = try scene.open()
        try store.commit(Commit(app: "chat", recipient: "u-1", effects: [.keepDeferred(message("a", 30))]))
        try store.commit(Commit(app: "chat", recipient: "u-2", effects: [.keepDeferred(message("a", 40))]))
        var state = RecipientState()
        state.deferred = [message("c", 50), message("d", nil)]
        let deed = Deed(who: "w", at: Scene.noon)
        try store.change([.recipient("u-1", state)], app: "chat", deed, action: "state_import", subject: "u-1")
        #expect(try due(store) == ["chat u-2 a 40", "chat u-1 c 50"])
        try store.change([.recipient("u-2", nil)], app: "chat", deed, action: "state_reset", subject: "u-2")
        #expect(try due(store) == ["chat u-1 c 50"])
        #expect(try store.view.recipient(app: "chat", "u-2") == RecipientState())
        try store.change([.everything], app: "chat", deed, action: "state_reset", subject: "")
        #expect(try due(store).isEmpty)
    }
}
