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
