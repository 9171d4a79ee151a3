// What somebody elsewhere is to be told of is kept with what it is about, until it was told, and not without end.
import Foundation
import PushMessage
import RuleEngine
import Testing

@testable import EffectStore

struct OutboxTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func commit(_ number: Int, to store: EffectStore, recipient: String = "u", size: Int = 4) throws {
        let post = Array("\(number)".utf8) + [UInt8](repeating: 0x20, count: size)
        try store.commit(Commit(app: "chat", recipient: recipient, effects: [.setBadge(number)], post: post))
    }

    private func drop(_ numbers: [Int64], from store: EffectStore) -> Bool {
        let answer = Monitor<Bool?>(nil)
        store.dropFromOutbox(numbers) { isDone in answer.change { $0 = isDone } }
        return answer.wait { $0 }
    }

    @Test("What is to be told is there after a restart, in its order and under rising numbers, until it is dropped")
    func kept() throws {
        do {
            let store = try scene.open()
            for number in 1...3 { try commit(number, to: store) }
            #expect(drop([2], from: store))
        }
        let store = try scene.open()
        try commit(4, to: store)
        let (entries, first) = try store.view.outbox(after: 0)
        #expect(entries.map(\.number) == [1, 3, 4] && first == 1 && entries.allSatisfy { $0.since == Scene.noon })
        #expect(try store.view.outbox(after: 3).entries.map(\.number) == [4])
        #expect(try store.view.outboxPost(3)?.body.first == UInt8(ascii: "3"))
        #expect(try store.view.outboxPost(2) == nil)
    }

    @Test("A commit that is not kept leaves nothing to be told")
    func broken() throws {
        let store = try scene.open()
        let chain = CommitChain()
        chain.breakOff(.failed("x", "for this test"))
        #expect(
            Scene.code { () throws(EffectStoreFault) in
                try store.commit(Commit(app: "chat", recipient: "u", effects: [.setBadge(1)], post: [1], chain: chain))
            } == .failed)
        #expect(try store.view.outbox(after: 0).entries.isEmpty)
    }

    @Test("Where too much waits, by number or by bytes, the oldest make way, and that is counted")
    func bounded() throws {
        for isBytes in [false, true] {
            let scene = try Scene()
            var housekeeping = Housekeeping()
            housekeeping.outbox.rows = isBytes ? 1_000 : 100
            housekeeping.outbox.bytes = isBytes ? 10_000 : 1 << 20
            let store = try EffectStore(
                scene.path, durability: .none, patience: 0, schema: .current, housekeeping: housekeeping
            ) { Scene.noon }
            for number in 0..<150 { try commit(number, to: store, size: 100) }
            let (entries, first) = try store.view.outbox(after: 0)
            #expect(entries.count <= 100 && entries.count > 80 && entries.last?.number == 150)
            #expect(first == entries.first?.number && store.counts.outboxDropped == 150 - entries.count)
        }
    }

    @Test("Commits that are not kept take no room among those that wait")
    func failures() throws {
        let (connection, lock, _) = try StoreFile.forHost(scene.path, schema: .current, patience: 0)
        defer { lock.release() }
        try connection.run("CREATE TRIGGER no BEFORE INSERT ON journal WHEN new.app = 'no' BEGIN SELECT RAISE(ABORT, 'no'); END")
        var bounds = OutboxBounds()
        bounds.rows = 10
        var writing = try GroupWriting(connection, bounds)
        func write(_ apps: String...) throws(EffectStoreFault) {
            let commits = apps.map { Commit(app: $0, recipient: "u", effects: [.setBadge(1)], post: [1, 2, 3]) }
            _ = try writing.write(commits[...], now: Scene.noon)
        }
        func waiting() throws -> Int64? { try connection.integer("SELECT count(*) FROM outbox") }
        for _ in 0..<8 { try write("yes") }
        for _ in 0..<20 { #expect(Scene.code { () throws(EffectStoreFault) in try write("yes", "yes", "no") } != nil) }
        try write("yes", "yes")
        #expect(try waiting() == 10 && writing.outbox.dropped == 0)
        #expect(Scene.code { () throws(EffectStoreFault) in try write("yes", "no") } != nil)
        #expect(try waiting() == 10 && writing.outbox.dropped == 0, "what was dropped to make room is there again")
        try write("yes")
        #expect(try waiting() == 9 && writing.outbox.dropped == 2)
    }

    @Test("Of a recipient who is forgotten nobody is told, and nothing of an app that is forgotten")
    func forgotten() throws {
        let store = try scene.open()
        let deed = Deed(who: "mina", at: Scene.noon)
        try commit(1, to: store)
        try commit(2, to: store, recipient: "other")
        try store.change([.recipient("u", nil)], app: "chat", deed, action: "state_reset", subject: "recipient u")
        #expect(try store.view.outbox(after: 0).entries.map(\.number) == [2])
        try store.change([.everything], app: "chat", deed, action: "state_reset", subject: "everything")
        #expect(try store.view.outbox(after: 0).entries.isEmpty)
    }

    @Test("What a host without a webhook never tells leaves after two days")
    func swept() throws {
        let store = try scene.open()
        try commit(1, to: store)
        try store.tidy(now: Instant(milliseconds: Scene.noon.milliseconds + 2 * Scene.day - 1))
        #expect(try store.view.outbox(after: 0).entries.count == 1)
        try store.tidy(now: Instant(milliseconds: Scene.noon.milliseconds + 2 * Scene.day))
        #expect(try store.view.outbox(after: 0).entries.isEmpty)
    }
}
