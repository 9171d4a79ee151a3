// Requests that wait behind a queue, for an edit, for rules or for the answer to the same one: they are bounded, and come back bit by bit.
import EffectStore
import Foundation
import RuleEngine
import Testing

@testable import RuleHosting

struct BehindQueueTests {
    private static let mina = Deed(who: "mina", at: Scene.noon)
    /// What would wait for ever is found wanting after so many milliseconds.
    private static let long = 30_000

    /// An edit of the app that has begun, until it is let go.
    private final class LongEdit: Sendable {
        private let goesOn = Monitor(false)
        private let done = Monitor<Bool>(false)

        init(_ host: RuleHost, _ app: String) {
            let isIn = Monitor(false)
            host.edit(app: app, recipient: "editor", mina, action: "badge_set", subject: "editor") { [goesOn] _, _ in
                isIn.change { $0 = true }
                goesOn.wait { $0 ? () : nil }
            } _: { [done] _ in
                done.change { $0 = true }
            }
            isIn.wait { $0 ? () : nil }
        }

        func end() {
            goesOn.change { $0 = true }
            done.wait { $0 ? () : nil }
        }
    }

    private static func dry() -> DecideOptions {
        var options = DecideOptions()
        options.isDryRun = true
        return options
    }

    /// One after the other, so that the queue itself is never full.
    private static func offer(_ host: RuleHost, _ requests: [DecideRequest], to sink: any AnswerTaking) {
        for start in stride(from: 0, to: requests.count, by: 10) {
            host.decide(Array(requests[start..<min(start + 10, requests.count)]), to: sink)
            while host.shardFacts.contains(where: { $0.waiting > 0 }) { usleep(100) }
        }
    }

    private static func text(_ bytes: Int) -> String { #","text":"\#(String(repeating: "x", count: bytes))""# }

    @Test("What waits for an edit takes no more bytes than a queue may, and leaves room for other apps")
    func parkedBytes() throws {
        let scene = try Scene()
        try scene.write("chat")
        try scene.write("mail")
        let host = try scene.host(.durable(try scene.store()), shards: 1) { $0.mostWaitingBytes = 100_000 }
        for app in ["chat", "mail"] { #expect(host.ask(app, Scene.body(id: "m")).status == 200) }
        let edit = LongEdit(host, "chat")
        let waiting = Waiting()
        Self.offer(
            host,
            (0..<100).map {
                DecideRequest(app: "chat", body: Scene.body(id: "m-\($0)", data: Self.text(2_000)), options: Self.dry(), tag: UInt64($0))
            }, to: waiting)
        #expect(waiting.answer(99, within: Self.long)?.code == "queue_full")
        #expect((50...98).contains(waiting.count))
        #expect(host.ask("mail", Scene.body(id: "m-1", data: Self.text(2_000)), Self.dry()).status == 200)
        edit.end()
        let answers = waiting.all(100)
        #expect(answers.prefix(2).allSatisfy { $0.status == 200 })
        #expect(answers.allSatisfy { $0.status == 200 || $0.code == "queue_full" })
        // The room is there again.
        let again = Waiting()
        let second = LongEdit(host, "chat")
        Self.offer(
            host, [DecideRequest(app: "chat", body: Scene.body(id: "m", data: Self.text(20_000)), options: Self.dry(), tag: 0)], to: again)
        second.end()
        #expect(again.answer(0).status == 200)
        host.close()
    }

    @Test("What repeats a request that is not kept yet takes no more bytes than a queue may")
    func repeatedBytes() throws {
        let scene = try Scene()
        try scene.write("chat")
        try scene.write("mail")
        let host = try scene.host(.durable(try scene.store()), shards: 1) { $0.mostWaitingBytes = 100_000 }
        for app in ["chat", "mail"] { #expect(host.ask(app, Scene.body(id: "m")).status == 200) }
        // The store's thread is at it.
        let edit = LongEdit(host, "mail")
        let waiting = Waiting()
        let body = Scene.body(id: "m-1", data: Self.text(2_000))
        Self.offer(
            host, (0..<100).map { DecideRequest(app: "chat", body: body, options: Scene.keyed("k"), tag: UInt64($0)) }, to: waiting)
        #expect(waiting.answer(99, within: Self.long)?.code == "queue_full")
        edit.end()
        let answers = waiting.all(100)
        #expect(answers.prefix(10).allSatisfy { $0.badge == 2 })
        #expect(answers.allSatisfy { $0.badge == 2 || $0.code == "queue_full" })
        #expect(host.ask("chat", body, Scene.keyed("k")).badge == 2)
        host.close()
    }

    /// Counts how many answers come at once.
    private final class Counting: AnswerTaking {
        let counts = Monitor<[Int]>([])
        let order = Monitor<[UInt64]>([])

        func take(_ answers: [HostAnswer]) {
            order.withLock { $0 += answers.map(\.tag) }
            counts.change { $0.append(answers.count) }
        }
    }

    @Test("What has waited for an edit is decided bit by bit and in its order, and what comes then is decided after it")
    func bitByBit() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host(.durable(try scene.store()), shards: 1)
        #expect(host.ask("chat", Scene.body(id: "m")).status == 200)
        let edit = LongEdit(host, "chat")
        let counting = Counting()
        let requests = (0..<4_000).map { DecideRequest(app: "chat", body: Scene.body(id: "m-\($0)"), options: Self.dry(), tag: UInt64($0)) }
        host.decide(Array(requests[..<3_000]), to: counting)
        while host.shardFacts[0].waiting > 0 { usleep(100) }
        edit.end()
        host.decide(Array(requests[3_000...]), to: counting)
        counting.counts.wait { $0.reduce(0, +) == 4_000 ? () : nil }
        #expect(counting.counts.withLock { $0.max() ?? 0 } <= 256)
        #expect(counting.order.withLock { $0 } == (0..<4_000).map { UInt64($0) })
        host.close()
    }
}
