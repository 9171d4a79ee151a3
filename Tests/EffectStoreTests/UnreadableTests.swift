// What cannot be read of one: it stays as it is, and hinders nobody else.
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore

struct UnreadableTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func later(_ days: Int64) -> Instant { Instant(milliseconds: Scene.noon.milliseconds + days * Scene.day) }
    private func shared(_ key: String, _ value: String) -> Effect {
        .setValue(scope: .app, key: key, value: StoredValue(json: Array(value.utf8)))
    }

    private func damage(_ sql: String) throws { try Connection(scene.path, path: scene.path, .writing).run(sql) }

    private func rows(_ store: EffectStore, _ of: String = "1 = 1") throws -> Int64? {
        try store.view.look { (connection) throws(EffectStoreFault) in
            try connection.integer("SELECT count(*) FROM journal WHERE \(of)")
        }
    }

    @Test(
        "The journal is folded for all but the one whose row cannot be read, and in their order",
        arguments: ["UPDATE recipient SET state = x'00' WHERE id = 'bad'", "UPDATE journal SET effects = x'00' WHERE recipient = 'bad'"])
    func folded(_ sql: String) throws {
        let store = try scene.open()
        if sql.contains("UPDATE recipient") {
            try store.commit(Commit(app: "chat", recipient: "bad", effects: [.setBadge(1)]))
            try store.tidy(now: Scene.noon)
        }
        try store.commit(Commit(app: "chat", recipient: "bad", effects: [.setBadge(2)]))
        try damage(sql)
        for number in 0..<300 {
            try store.commit(Commit(app: "chat", recipient: "good", effects: [.setBadge(number), shared("last", "\(number)")]))
            try store.commit(Commit(app: "shop", recipient: "bad", effects: [.keepInInbox(Array("\(number)".utf8))]))
        }
        // A part of it is the app's.
        try store.commit(Commit(app: "chat", recipient: "bad", effects: [.setBadge(3), shared("from", "\"bad\"")]))
        try store.commit(Commit(app: "chat", recipient: "good", effects: [shared("from", "\"good\"")]))
        try store.tidy(now: Scene.noon)
        #expect(try rows(store) == 2 && rows(store, "app = 'chat' AND recipient = 'bad' AND shares = 0") == 2)
        #expect(try store.view.recipient(app: "chat", "good").badge == 299)
        #expect(try store.view.recipient(app: "shop", "bad").inbox.count == 300)
        let known = try store.view.shared(app: "chat")
        #expect(known["last"]?.json == Array("299".utf8) && known["from"]?.json == Array("\"good\"".utf8))
        #expect(Scene.code { () throws(EffectStoreFault) in _ = try store.view.recipient(app: "chat", "bad") } == .damaged)
        // Who is forgotten can be remembered again.
        try store.change([.recipient("bad", nil)], app: "chat", Deed(who: "w", at: Scene.noon), action: "state_reset", subject: "bad")
        try store.commit(Commit(app: "chat", recipient: "bad", effects: [.setBadge(9)]))
        try store.tidy(now: Scene.noon)
        #expect(try rows(store) == 0)
        #expect(try store.view.recipient(app: "chat", "bad").badge == 9)
    }

    @Test("Where what an app shares cannot be read, what is remembered of its recipients is folded all the same")
    func sharedIsBad() throws {
        let store = try scene.open()
        try store.commit(Commit(app: "chat", recipient: "u", effects: [shared("k", "1")]))
        try store.tidy(now: Scene.noon)
        try damage("UPDATE app SET shared = x'00'")
        try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(4), shared("k", "2")]))
        try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(5)]))
        try store.commit(Commit(app: "shop", recipient: "u", effects: [shared("k", "3")]))
        try store.tidy(now: Scene.noon)
        #expect(try rows(store) == 1 && rows(store, "app = 'chat' AND shares = 1") == 1)
        #expect(try store.view.recipient(app: "chat", "u").badge == 5)
        #expect(try store.view.shared(app: "shop")["k"]?.json == [51])
        #expect(Scene.code { () throws(EffectStoreFault) in _ = try store.view.shared(app: "chat") } == .damaged)
        try store.change([.shared([:])], app: "chat", Deed(who: "w", at: Scene.noon), action: "state_reset", subject: "")
        try store.tidy(now: Scene.noon)
        #expect(try rows(store) == 0 && store.view.shared(app: "chat").isEmpty)
    }

    @Test("Rows that cannot be read do not keep what is over of others, however many they are")
    func swept() throws {
        let store = try scene.open()
        let short = Effect.setValue(scope: .recipient, key: "k", value: StoredValue(json: [49], expiresAt: later(1)))
        for number in 0..<200 {
            let answer = KeptAnswer(token: "t", key: "\(number)", question: [], status: 200, answer: [])
            let id = number == 199 ? "z" : "bad-\(number)"
            try store.commit(Commit(app: "chat", recipient: id, effects: [short], answer: answer))
        }
        try store.tidy(now: Scene.noon)
        try damage("UPDATE recipient SET state = x'00' WHERE id LIKE 'bad%'")
        try store.tidy(now: later(3))
        try store.view.look { (connection) throws(EffectStoreFault) in
            #expect(try connection.integer("SELECT count(*) FROM answer") == 0)
            #expect(try connection.integer("SELECT count(*) FROM recipient WHERE id = 'z'") == 0)
            #expect(try connection.integer("SELECT count(*) FROM recipient WHERE state = x'00'") == 199)
        }
    }

    @Test("A host folds and sweeps by itself beside what cannot be read, and tells of it once, without a name")
    func byItself() throws {
        let old = KeptAnswer(token: "t", key: "k", question: [], status: 200, answer: [])
        do {
            let store = try scene.open()
            try store.commit(Commit(app: "chat", recipient: "bad", effects: [.setBadge(1)], answer: old))
            try store.tidy(now: Scene.noon)
            try damage("UPDATE recipient SET state = x'00'")
        }
        var housekeeping = Housekeeping()
        housekeeping.rest = 1
        let now = later(2)
        let store = try EffectStore(scene.path, durability: .group, patience: 0, schema: .current, housekeeping: housekeeping) { now }
        let heard = Monitor<[UnreadablePart]>([])
        store.listen { part in heard.change { $0.append(part) } }
        for number in 0..<50 {
            try store.commit(Commit(app: "chat", recipient: "bad", effects: [.setBadge(number)]))
            try store.commit(Commit(app: "chat", recipient: "good-\(number)", effects: [.setBadge(number)]))
        }
        // Ends when it has, or the test never ends.
        while try rows(store) != 50 { usleep(1_000) }
        while try store.view.answers(app: "chat", recipient: nil) > 0 { usleep(1_000) }
        #expect(heard.wait { $0.isEmpty ? nil : $0 } == [UnreadablePart(app: "chat", kind: .recipient)])
        let again = Monitor<[UnreadablePart]>([])
        store.listen { part in again.change { $0.append(part) } }
        #expect(again.withLock { $0.count } == 1)
    }
}
