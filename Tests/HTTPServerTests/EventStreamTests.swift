// Server-sent events: long answers with small pieces, words into the silence, and an end when nobody listens.
import HTTPClient
import HTTPServer
import Testing

struct EventStreamTests {
    private final class Listener: ExchangeStream {
        let isGone = Kept(false)
        let answer = Kept<AnswerStream?>(nil)
        func gone() { isGone.change { $0 = true } }
        func draining() { answer.now?.end() }
    }

    private static func events(_ listeners: Kept<[Listener]>) -> [String: Scene.Deed] {
        [
            "/events": { _, exchange in
                let listener = Listener()
                let answer = exchange.open(
                    200, AnswerFields(contentType: "text/event-stream"), listener, idle: Array(": still here\n\n".utf8))
                listener.answer.change { $0 = answer }
                listeners.change { $0.append(listener) }
                return .stream(listener)
            }
        ]
    }

    private static let request = "GET /events HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("Events arrive one by one, at everybody who listens")
    func events() throws {
        let listeners = Kept<[Listener]>([])
        let scene = try Scene(Self.events(listeners))
        let clients = try (0..<20).map { _ in try scene.client() }
        for client in clients {
            client.send(Self.request)
            #expect(try client.readHead().fields["content-type"] == "text/event-stream")
        }
        for number in 0..<50 {
            for listener in listeners.now { listener.answer.now?.send(Array("data: \(number)\n\n".utf8)) }
            for client in clients { #expect(try client.readChunk() == Array("data: \(number)\n\n".utf8)) }
        }
    }

    @Test("Silence is filled, so that nobody in between takes the connection for dead")
    func silence() throws {
        var settings = ServerSettings()
        settings.streamPause = .milliseconds(20)
        let scene = try Scene(Self.events(Kept([])), settings)
        let client = try scene.client()
        client.send(Self.request)
        _ = try client.readHead()
        for _ in 0..<3 { #expect(try client.readChunk() == Array(": still here\n\n".utf8)) }
    }

    @Test("A listener that leaves is known at once")
    func leaving() throws {
        let listeners = Kept<[Listener]>([])
        let scene = try Scene(Self.events(listeners))
        var client: Client? = try scene.client()
        client?.send(Self.request)
        _ = try client?.readHead()
        client = nil
        let listener = listeners.now[0]
        _ = try listener.isGone.wait { $0 }
        #expect(listener.answer.now?.isOpen == false)
    }

    @Test(
        "A listener that has left before he is let in is known then, and gets what he asked before",
        arguments: ["", "GET /short HTTP/1.1\r\nHost: a\r\n\r\n"])
    func leftBefore(first: String) throws {
        let asked = Kept<Exchange?>(nil)
        var settings = ServerSettings()
        settings.loops = 1
        let deeds: [String: Scene.Deed] = [
            "/late": { _, exchange in
                asked.change { $0 = exchange }
                return .whole(upTo: 0, Nothing())
            }
        ]
        let scene = try Scene(deeds, settings)
        let client = try scene.client()
        client.send(first + "GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
        let exchange = try #require(try asked.wait { $0 != nil })
        client.endSending()
        if !first.isEmpty { #expect(try client.readAnswer().status == 200) }
        // Whoever is answered afterwards tells that the end has been read, where one loop has both.
        for _ in 0..<3 { #expect(try scene.client().get("/short").status == 200) }
        let listener = Listener()
        let answer = exchange.open(200, AnswerFields(contentType: "text/event-stream"), listener, idle: Array(": still here\n\n".utf8))
        listener.answer.change { $0 = answer }
        _ = try listener.isGone.wait { $0 }
        #expect(!answer.isOpen)
        _ = try client.readToEnd()
    }

    private struct Nothing: RequestTaking {
        func take(_ request: Request) {}
    }

    @Test("A listener that does not listen is cut")
    func slow() throws {
        var settings = ServerSettings()
        settings.writing = .milliseconds(100)
        let listeners = Kept<[Listener]>([])
        let scene = try Scene(Self.events(listeners), settings)
        let client = try scene.client(room: 4_096)
        client.send(Self.request)
        _ = try client.readHead()
        let listener = listeners.now[0]
        // Small events, as long as the server takes them.
        let event = [UInt8](repeating: 0x61, count: 1_000)
        try eventually {
            listener.answer.now?.send(event)
            return listener.isGone.now
        }
        #expect(scene.server.counts.cut == 1)
    }

    @Test("HEAD of a stream is its head")
    func head() throws {
        let scene = try Scene(Self.events(Kept([])))
        let client = try scene.client()
        client.send("HEAD /events HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readHead().status == 200)
    }
}
