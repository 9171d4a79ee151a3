// What happens behind commits: rows are folded, what is over leaves, the file stays small.
import Foundation
import PushMessage
import Testing

@testable import EffectStore
@testable import RuleEngine

struct FoldingTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func later(_ days: Int64) -> Instant { Instant(milliseconds: Scene.noon.milliseconds + days * Scene.day) }

    @Test("Under load the journal stays bounded, and no number of a row is used twice")
    func bounded() throws {
        do {
            let store = try scene.open(mostBacklog: 20)
            for number in 0..<200 {
                try store.commit(Commit(app: "chat", recipient: "u-\(number % 7)", effects: [.keepInInbox(Array("\(number)".utf8))]))
                #expect(try store.view.backlog() <= 21)
            }
            try store.tidy(now: Scene.noon)
            #expect(try store.view.backlog() == 0)
        }
        let store = try scene.open()
        try store.commit(Commit(app: "chat", recipient: "u-0", effects: [.setBadge(1)]))
        let number = try store.view.look { (connection) throws(EffectStoreFault) in try connection.integer("SELECT max(seq) FROM journal") }
        #expect(number == 201)
        #expect(try store.view.recipient(app: "chat", "u-0").inbox.count == 29)
    }

    @Test("A host that has nothing to do folds by itself")
    func byItself() throws {
        var housekeeping = Housekeeping()
        housekeeping.rest = 1
        let store = try EffectStore(
            scene.path, durability: .group, patience: 0, schema: .current, housekeeping: housekeeping
        ) { Scene.noon }
        try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(4)]))
        // Ends when it has, or the test never ends.
        while try store.view.backlog() > 0 { usleep(1_000) }
        #expect(try store.view.recipient(app: "chat", "u").badge == 4)
    }

    @Test("Values, messages and caps that are over leave, and so does a recipient of whom nothing is left")
    func swept() throws {
        let store = try scene.open()
        func value(_ days: Int64?) -> StoredValue { StoredValue(json: [49], expiresAt: days.map(later)) }
        let seen = SeenMark(message: SeenMessage(id: "m", first: Scene.noon, events: SeenEvents(.send)), window: 3 * Scene.day)
        try store.commit(
            Commit(
                app: "chat", recipient: "u-1",
                effects: [
                    .setValue(scope: .recipient, key: "short", value: value(1)), .setValue(scope: .recipient, key: "long", value: value(9)),
                    .setValue(scope: .app, key: "short", value: value(1)), .setValue(scope: .app, key: "ever", value: value(nil)),
                    .countForCap(key: "c", at: Scene.noon, limit: 3, span: Scene.day), .sawMessage(seen),
                ]))
        try store.commit(Commit(app: "chat", recipient: "u-2", effects: [.sawMessage(seen)]))
        try store.tidy(now: Scene.noon)
        var state = try store.view.everything(app: "chat")
        #expect(state.recipients["u-1"]?.values.count == 2 && state.recipients["u-1"]?.caps.count == 1)
        try store.tidy(now: later(2))
        state = try store.view.everything(app: "chat")
        #expect(state.recipients["u-1"]?.values.map(\.key) == ["long"])
        #expect(state.recipients["u-1"]?.caps.isEmpty == true && state.recipients["u-1"]?.seen.count == 1)
        #expect(state.shared.map(\.key) == ["ever"])
        try store.tidy(now: later(5))
        state = try store.view.everything(app: "chat")
        #expect(state.recipients["u-1"]?.seen.isEmpty == true)
        #expect(state.recipients.count == 1)
        try store.tidy(now: later(20))
        #expect(try store.view.everything(app: "chat").recipients.isEmpty)
    }

    @Test("Answers leave after a day, in pieces, and younger ones stay")
    func answers() throws {
        do {
            let store = try scene.open()
            for number in 0..<700 {
                let answer = KeptAnswer(token: "t", key: "\(number)", question: [], status: 200, answer: [])
                store.commit(Commit(app: "chat", recipient: "u", effects: [], answer: answer)) { _ in }
            }
        }
        let store = try scene.open(now: later(1))
        try store.commit(
            Commit(
                app: "chat", recipient: "u", effects: [],
                answer: KeptAnswer(token: "t", key: "young", question: [], status: 200, answer: [])))
        try store.tidy(now: later(1))
        let left = try store.view.look { (connection) throws(EffectStoreFault) in try connection.integer("SELECT count(*) FROM answer") }
        #expect(left == 1)
    }

    @Test("What is over leaves also while commits never cease")
    func sweptUnderLoad() throws {
        do {
            let store = try scene.open()
            let short = Effect.setValue(scope: .recipient, key: "k", value: StoredValue(json: [49], expiresAt: later(1)))
            for number in 0..<700 {
                let answer = KeptAnswer(token: "t", key: "\(number)", question: [], status: 200, answer: [])
                store.commit(Commit(app: "chat", recipient: "u-\(number % 90)", effects: [short], answer: answer)) { _ in }
            }
            try store.tidy(now: Scene.noon)
        }
        // Nothing is ever done here for want of commits.
        let store = try scene.open(now: later(3))
        for _ in 0..<800 { try store.commit(Commit(app: "chat", recipient: "other", effects: [.setBadge(1)])) }
        try store.view.look { (connection) throws(EffectStoreFault) in
            #expect(try connection.integer("SELECT count(*) FROM answer") == 0)
            #expect(try connection.integer("SELECT count(*) FROM recipient") == 0)
        }
    }

    @Test("Room that is no longer needed is given back, and the log stays bounded")
    func growth() throws {
        let store = try scene.open(.none, mostBacklog: 100)
        let text = StoredValue(json: Array("\"\(String(repeating: "x", count: 20_000))\"".utf8))
        for number in 0..<1_200 {
            store.commit(
                Commit(app: "chat", recipient: "u-\(number)", effects: [.setValue(scope: .recipient, key: "k", value: text)])
            ) { _ in }
        }
        try store.tidy(now: Scene.noon)
        #expect(try scene.size("rulehost.db-wal") < 64 << 20)
        try store.change([.everything], app: "chat", Deed(who: "w", at: Scene.noon), action: "state_reset", subject: "")
        try store.tidy(now: Scene.noon)
        store.close()
        let pages = try store.view.look { (connection) throws(EffectStoreFault) in try connection.integer("PRAGMA page_count") ?? 0 }
        #expect(pages < 2_000)
    }

    @Test("A recipient's own row that cannot be read hinders nobody else's commits")
    func stuck() throws {
        let store = try scene.open(mostBacklog: 4)
        try store.commit(Commit(app: "chat", recipient: "bad", effects: [.setBadge(1)]))
        try store.tidy(now: Scene.noon)
        try store.change([], app: "chat", Deed(who: "w", at: Scene.noon), action: "none", subject: "")
        do {
            let other = try Connection(scene.path, path: scene.path, .writing)
            try other.run("UPDATE recipient SET state = x'00' WHERE id = 'bad'")
        }
        try store.commit(Commit(app: "chat", recipient: "bad", effects: [.setBadge(2)]))
        for number in 0..<20 { try store.commit(Commit(app: "chat", recipient: "good", effects: [.setBadge(number)])) }
        #expect(try store.view.recipient(app: "chat", "good").badge == 19)
        #expect(Scene.code { () throws(EffectStoreFault) in _ = try store.view.recipient(app: "chat", "bad") } == .damaged)
    }
}
