// Changes of state by hand beside messages of the same app: they take turns, and wait for no rules that load.
import EffectStore
import Foundation
import RuleEngine
import Testing

@testable import RuleHosting

struct EditTurnTests {
    private static let mina = Deed(who: "mina", at: Scene.noon)
    /// What would wait for ever is found wanting after so many milliseconds.
    private static let long = 30_000

    /// - Parameter body: is told the badge, on the thread that changes it.
    private static func edit(
        _ host: RuleHost, _ recipient: String = "u", _ body: @escaping @Sendable (Int?) -> Void = { _ in }
    ) -> Monitor<Result<AppState, HostProblem>?> {
        let done = Monitor<Result<AppState, HostProblem>?>(nil)
        host.edit(app: "chat", recipient: recipient, mina, action: "badge_set", subject: recipient) { state, _ in
            body(state.badge)
            state.badge = (state.badge ?? 0) + 1_000
        } _: { result in
            done.change { $0 = result }
        }
        return done
    }

    @Test("An edit does not wait for rules that load, and messages wait for neither")
    func besideTheLibrary() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host()
        #expect(host.ask("chat", Scene.body("u", id: "m-1")).badge == 1)
        // As many as have no end would leave the library no thread.
        let isOver = Monitor(false)
        for _ in 0..<40 { host.library.run(for: "other") { _ in isOver.wait { $0 ? () : nil } } }
        let done = Self.edit(host)
        let waiting = Waiting()
        host.decide([DecideRequest(app: "chat", body: Scene.body("v", id: "m-2"))], to: waiting)
        #expect(waiting.answer(0, within: Self.long)?.badge == 1)
        #expect(try done.wait(milliseconds: Self.long) { $0 }?.get().recipients["u"]?.badge == 1_001)
        isOver.change { $0 = true }
        host.close()
    }

    @Test("Messages of the app and of others go on while somebody is told what an edit has changed, however long that takes")
    func telling() throws {
        let scene = try Scene()
        for app in ["chat", "other"] { try scene.write(app) }
        let host = try scene.host(.memory, shards: 1)
        for app in ["chat", "other"] { #expect(host.ask(app, Scene.body("u", id: "m-1")).badge == 1) }
        let (isTelling, isOver) = (Monitor(false), Monitor(false))
        host.edit(app: "chat", recipient: "u", Self.mina, action: "badge_set", subject: "u") { state, _ in
            state.badge = 7
        } _: { _ in
            isTelling.change { $0 = true }
            isOver.wait { $0 ? () : nil }
        }
        isTelling.wait { $0 ? () : nil }
        let waiting = Waiting()
        for (tag, app) in ["chat", "other"].enumerated() {
            host.decide(
                [DecideRequest(app: app, body: Scene.body("u", id: "m-2"), options: DecideOptions(), tag: UInt64(tag))], to: waiting)
        }
        #expect(waiting.answer(0, within: Self.long)?.badge == 8 && waiting.answer(1, within: Self.long)?.badge == 2)
        isOver.change { $0 = true }
        host.close()
    }

    @Test("A message that has waited for one edit is decided before the next one")
    func alternating() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(.durable(try scene.store()))
        #expect(host.ask("chat", Scene.body("u", id: "m-1")).badge == 1)
        let (isIn, goesOn) = (Monitor(false), Monitor(false))
        let first = Self.edit(host, "v") { _ in
            isIn.change { $0 = true }
            goesOn.wait { $0 ? () : nil }
        }
        isIn.wait { $0 ? () : nil }
        let waiting = Waiting()
        host.decide([DecideRequest(app: "chat", body: Scene.body("u", id: "m-2"))], to: waiting)
        while host.shardFacts.contains(where: { $0.waiting > 0 }) { usleep(100) }
        let seen = Monitor<Int?>(nil)
        let second = Self.edit(host) { badge in seen.withLock { $0 = badge } }
        goesOn.change { $0 = true }
        _ = try first.wait { $0 }.get()
        #expect(try second.wait { $0 }.get().recipients["u"]?.badge == 1_002)
        #expect(seen.withLock { $0 } == 2)
        #expect(waiting.answer(0).badge == 2)
        host.close()
    }

    @Test("Edits without a pause and messages are all counted, and those that come after the end are told so", arguments: [true, false])
    func countedTogether(_ isDurable: Bool) throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(isDurable ? .durable(try scene.store()) : .memory)
        let waiting = Waiting()
        host.decide((0..<400).map { DecideRequest(app: "chat", body: Scene.body("u", id: "m-\($0)"), tag: UInt64($0)) }, to: waiting)
        let edits = (0..<60).map { number in Self.edit(host, number % 2 == 0 ? "u" : "v") }
        host.decide((400..<800).map { DecideRequest(app: "chat", body: Scene.body("u", id: "m-\($0)"), tag: UInt64($0)) }, to: waiting)
        for edit in edits { _ = try edit.wait { $0 }.get() }
        _ = waiting.all(800)
        #expect(host.ask("chat", Scene.body("u", id: "last")).badge == 30_801)
        host.close()
        guard case .failure(let problem) = Self.edit(host).wait({ $0 }) else {
            Issue.record("an edit after the end was made")
            return
        }
        #expect(problem == .closing)
    }

    @Test("An edit of one recipient leaves the others in memory, and what it has changed is read again", arguments: [true, false])
    func memoryKept(_ isDurable: Bool) throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(isDurable ? .durable(try scene.store()) : .memory)
        for number in 0..<10 { #expect(host.ask("chat", Scene.body("u-\(number)", id: "m-1", data: #","shared":"1""#)).badge == 1) }
        #expect(try Self.edit(host, "u-3").wait { $0 }.get().recipients["u-3"]?.badge == 1_001)
        #expect(host.recipientsInMemory == 9)
        let done = Monitor<Result<StateWish.Outcome, HostProblem>?>(nil)
        host.change(app: "chat", by: StateWish(.set("all", Array("40".utf8)), of: nil), isDry: false, Self.mina) { result in
            done.change { $0 = result }
        }
        _ = try done.wait { $0 }.get()
        #expect(host.recipientsInMemory == 9)
        #expect(host.ask("chat", Scene.body("u-3", id: "m-2", data: #","shared":"1""#)).label("all") == "41")
        #expect(host.ask("chat", Scene.body("u-3", id: "m-3")).badge == 1_003)
        #expect(host.ask("chat", Scene.body("u-4", id: "m-2")).badge == 2)
        #expect(host.recipientsInMemory == 10)
        host.close()
    }

    @Test("Very many edits of one recipient leave nothing behind in memory")
    func manyEdits() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(.memory, shards: 1)
        for number in 1...500 {
            _ = try Self.edit(host).wait { $0 }.get()
            #expect(host.ask("chat", Scene.body("u", id: "m-\(number)")).badge == number * 1_001)
        }
        #expect(host.recipientsInMemory == 1)
        host.close()
    }
}
