// Stores that refuse, queues that are full, apps beside each other.
import Foundation
import RuleEngine
import Testing

@testable import EffectStore
@testable import RuleHosting

struct FailureTests {
    /// Refuses rows of the journal for one recipient, as a real store would, until it is lifted.
    private static func refuse(_ recipient: String, in scene: Scene) throws {
        let connection = try Connection(scene.storePath, path: scene.storePath, .writing)
        try connection.run(
            "CREATE TRIGGER refuse BEFORE INSERT ON journal WHEN NEW.recipient = '\(recipient)' BEGIN SELECT RAISE(ABORT, 'no'); END")
    }

    private static func allow(in scene: Scene) throws {
        let connection = try Connection(scene.storePath, path: scene.storePath, .writing)
        try connection.run("DROP TRIGGER refuse")
    }

    @Test("What a store does not keep is not counted, nor what was decided on it, and it recovers by itself", arguments: [1, 2])
    func refused(_ shards: Int) throws {
        let scene = try Scene()
        try scene.write("chat")
        try scene.write("mail")
        let store = try scene.store()
        let host = try scene.host(.durable(store), shards: shards)
        var counts: [String: Int] = [:]
        var failures = 0
        for round in 0..<12 {
            if round % 3 == 1 { try Self.refuse("u-1", in: scene) }
            if round % 3 == 2 { try Self.allow(in: scene) }
            let requests = (0..<120).map { number in
                (
                    app: number % 4 == 0 ? "mail" : "chat",
                    body: Scene.body(number % 4 == 0 ? "u-9" : "u-\(number % 3)", id: "m-\(round)-\(number)", data: #","shared":"1""#),
                    options: DecideOptions()
                )
            }
            for (number, answer) in host.askAll(requests).enumerated() {
                let recipient = number % 4 == 0 ? "u-9" : "u-\(number % 3)"
                if answer.status == 200 {
                    counts[recipient, default: 0] += 1
                    #expect(answer.badge == counts[recipient])
                } else {
                    #expect(answer.status == 503 && answer.code == "store_failed" && answer.retryAfter != nil, "\(answer.text)")
                    // Nobody of another app notices.
                    #expect(recipient != "u-9")
                    failures += 1
                }
            }
        }
        #expect(failures > 40)
        for (recipient, count) in counts {
            let app = recipient == "u-9" ? "mail" : "chat"
            #expect(try store.view.recipient(app: app, recipient).badge == count)
            #expect(host.ask(app, Scene.body(recipient, id: "last")).badge == count + 1)
        }
        let all = (counts["u-0"] ?? 0) + (counts["u-1"] ?? 0) + (counts["u-2"] ?? 0)
        #expect(try store.view.shared(app: "chat")["all"]?.json == Array("\(all)".utf8))
        host.close()
    }

    @Test("A request whose answer could not be kept is decided anew when it is repeated with its key")
    func keyAfterFailure() throws {
        let scene = try Scene()
        try scene.write("chat")
        let store = try scene.store()
        let host = try scene.host(.durable(store))
        try Self.refuse("u-1", in: scene)
        let failed = host.askAll((0..<3).map { _ in ("chat", Scene.body(id: "m-1"), Scene.keyed("k")) })
        #expect(failed.map(\.status) == [503, 503, 503])
        try Self.allow(in: scene)
        let kept = host.askAll((0..<3).map { _ in ("chat", Scene.body(id: "m-1"), Scene.keyed("k")) })
        #expect(kept.map(\.badge) == [1, 1, 1])
        host.close()
    }

    @Test("A store that is closed is told as such, and no answer is made up")
    func closedStore() throws {
        let scene = try Scene()
        try scene.write("chat")
        let store = try scene.store()
        let host = try scene.host(.durable(store))
        #expect(host.ask("chat", Scene.body(id: "m-1")).status == 200)
        store.close()
        #expect(host.ask("chat", Scene.body(id: "m-2")).code == "store_failed")
        host.close()
    }

    @Test("Beyond what a queue takes, requests are refused at once, and those that were taken are answered")
    func queueBound() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(shards: 1) { $0.mostWaiting = 10 }
        let gate = Monitor(false)
        let isIn = Monitor(false)
        // Whoever takes the answer does not return, so that the shard takes no more.
        host.decide(app: "chat", body: Scene.body(id: "m-0")) { _ in
            isIn.change { $0 = true }
            _ = gate.wait { $0 ? true : nil }
        }
        _ = isIn.wait { $0 ? true : nil }
        let waiting = Waiting()
        host.decide((0..<15).map { DecideRequest(app: "chat", body: Scene.body(id: "m-\($0)"), tag: UInt64($0)) }, to: waiting)
        for tag in 10..<15 as Range<UInt64> {
            let answer = waiting.answer(tag)
            #expect(answer.status == 503 && answer.code == "queue_full" && answer.retryAfter != nil)
        }
        #expect(waiting.count == 5)
        gate.change { $0 = true }
        #expect(waiting.all(15).prefix(10).allSatisfy { $0.status == 200 })
        host.close()
        #expect(waiting.repeated == 0)
        #expect(host.ask("chat", Scene.body(id: "m-1")).code == "host_closing")
    }

    @Test("Closing answers everything that was taken")
    func closing() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(.durable(try scene.store()))
        let waiting = Waiting()
        host.decide((0..<2_000).map { DecideRequest(app: "chat", body: Scene.body(id: "m-\($0)"), tag: UInt64($0)) }, to: waiting)
        host.close()
        #expect(waiting.count == 2_000)
        #expect(waiting.all(2_000).allSatisfy { $0.status == 200 })
    }

    @Test("With room for few recipients all are counted right, and only few stay in memory")
    func eviction() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(.durable(try scene.store()), shards: 1) { $0.mostHot = 5 }
        for round in 1...4 {
            let answers = host.askAll(
                (0..<60).map { ("chat", Scene.body("u-\($0 * 7 % 60)", id: "m-\(round)", data: #","shared":"1""#), DecideOptions()) })
            #expect(answers.allSatisfy { $0.badge == round })
        }
        #expect(host.recipientsInMemory <= 60)
        for number in 0..<10 { _ = host.ask("chat", Scene.body("u-\(number)", id: "later")) }
        #expect(host.recipientsInMemory <= 6)
        #expect(host.ask("chat", Scene.body("u-3", id: "last", data: #","shared":"1""#)).label("all") == "241")
        host.close()
    }

    @Test("Recipients of whom much is remembered leave earlier, and with everything")
    func evictionByBytes() throws {
        let scene = try Scene()
        try scene.write(
            "chat",
            """
            rule "Keep" {
              on = "present",
              decide = function(msg)
                state.set("text", string.rep("x", 20000))
                return { badge = "+1" }
              end,
            }
            """)
        let host = try scene.host(.durable(try scene.store()), shards: 1) { $0.mostHotBytes = 200_000 }
        for round in 1...3 {
            for number in 0..<30 { #expect(host.ask("chat", Scene.body("u-\(number)", id: "m-\(round)")).badge == round) }
        }
        #expect(host.recipientsInMemory < 12)
        host.close()
    }

    @Test("An app that nobody asks leaves, and is back with everything when it is asked", arguments: [true, false])
    func idle(_ isDurable: Bool) throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(isDurable ? .durable(try scene.store()) : .memory) { $0.idle = 1 }
        for round in 1...3 {
            #expect(host.ask("chat", Scene.body(id: "m-\(round)")).badge == round)
            while host.appsInMemory > 0 { usleep(5_000) }
        }
        host.close()
    }
}
