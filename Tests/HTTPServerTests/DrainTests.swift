// The end of a server: what is under way is finished, nobody new comes in, and there is an end in any case.
import HTTPClient
import HTTPServer
import Testing

struct DrainTests {
    private static func deeds(_ kept: Kept<[Exchange]>) -> [String: Scene.Deed] {
        ["/later": { _, _ in .whole(upTo: 10, Taker { request in kept.change { $0.append(request.exchange) } }) }]
    }

    private static let later = "GET /later HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("What is under way is answered with a farewell, who is idle goes, and who is new finds nobody")
    func finish() throws {
        let kept = Kept<[Exchange]>([])
        let scene = try Scene(Self.deeds(kept))
        let idle = try scene.client()
        #expect(try idle.get("/short").status == 200)
        let busy = try scene.client()
        busy.send(Self.later + Self.later)
        let exchanges = try kept.wait { $0.count == 2 }
        let half = try scene.client()
        half.send("GET /short HT")
        try eventually { scene.server.counts.open == 3 }
        _ = try scene.client().get("/short")
        scene.server.drain(within: .seconds(20))
        #expect(try idle.readToEnd() == [])
        #expect(throws: Client.Silence.self) { try scene.client() }
        half.send("TP/1.1\r\nHost: a\r\n\r\n")
        #expect(try half.readAnswer().fields["connection"] == "close")
        for exchange in exchanges { exchange.answer(Answer(status: 200, .json, Array("yes".utf8))) }
        #expect(try busy.readAnswer().fields["connection"] == nil)
        #expect(try busy.readAnswer().fields["connection"] == "close")
        #expect(try busy.readToEnd() == [])
        for client in [half, busy] { client.endSending() }
        scene.server.wait()
        #expect(scene.server.counts.open == 0)
    }

    @Test("Streams are told, and end as they like")
    func streams() throws {
        final class Listener: ExchangeStream {
            let answer = Kept<AnswerStream?>(nil)
            func draining() {
                answer.now?.send(Array("bye".utf8))
                answer.now?.end()
            }
        }
        let scene = try Scene([
            "/events": { _, exchange in
                let listener = Listener()
                listener.answer.change { $0 = exchange.open(200, .json, listener, idle: [0x0a]) }
                return .stream(listener)
            }
        ])
        let client = try scene.client()
        client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.readHead()
        scene.server.drain(within: .seconds(20))
        #expect(try client.readChunk() == Array("bye".utf8))
        #expect(try client.readChunk() == nil)
        #expect(try client.readToEnd() == [])
        client.endSending()
        scene.server.wait()
        #expect(scene.server.counts.open == 0)
    }

    @Test("Who is still taking his last answer goes when he has it")
    func lastBytes() throws {
        let large = [UInt8](repeating: 0x61, count: 8_000_000)
        let scene = try Scene(["/large": { _, _ in .answer(Answer(status: 200, .json, large)) }])
        let client = try scene.client(room: 4_096)
        client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readHead().status == 200)
        scene.server.drain(within: .seconds(100))
        // Another one has gone by now, as all that wait for nothing.
        try eventually {
            do { _ = try scene.client() } catch { return true }
            return false
        }
        #expect(try client.read(large.count) == large)
        #expect(try client.readToEnd() == [])
        client.endSending()
        scene.server.wait()
    }

    @Test("Who begins an answer when the server has ended hears that nobody is there")
    func openedLate() throws {
        final class Listener: ExchangeStream {
            let hears = Kept(0)
            func gone() { hears.change { $0 += 1 } }
        }
        let kept = Kept<[Exchange]>([])
        let scene = try Scene(Self.deeds(kept))
        let client = try scene.client()
        client.send(Self.later)
        let exchange = try kept.wait { !$0.isEmpty }[0]
        scene.server.stop()
        scene.server.wait()
        let listener = Listener()
        let answer = exchange.open(200, .json, listener)
        #expect(!answer.isOpen && listener.hears.now == 1)
    }

    @Test("Who does not finish in time is cut")
    func deadline() throws {
        let kept = Kept<[Exchange]>([])
        let scene = try Scene(Self.deeds(kept))
        let client = try scene.client()
        client.send(Self.later)
        let exchange = try kept.wait { !$0.isEmpty }[0]
        scene.server.drain(within: .milliseconds(50))
        scene.server.wait()
        #expect(try client.readToEnd() == [])
        #expect(scene.server.counts.open == 0)
        exchange.answer(Answer(status: 200, .json))
    }
}
