// Many connections: idle ones, ones that go away in the middle of their answers, and more than are taken.
import Glibc
import HTTPClient
import HTTPServer
import Testing

struct CrowdTests {
    @Test("A thousand connections are idle, and each is answered when it asks", arguments: [1, 2])
    func idle(loops: Int) throws {
        var settings = ServerSettings()
        settings.loops = loops
        let scene = try Scene([:], settings)
        let clients = try (0..<1_000).map { _ in try scene.client() }
        try eventually { scene.server.counts.open == 1_000 }
        for client in clients { client.send("GET /short HTTP/1.1\r\nHost: a\r\n\r\n") }
        for client in clients { #expect(try client.readAnswer().text == "short") }
        #expect(scene.server.counts.open == 1_000)
    }

    @Test("Clients that go away while their answers are made harm nobody")
    func aborts() throws {
        let kept = Kept<[Exchange]>([])
        let large = [UInt8](repeating: 0x61, count: 1_000_000)
        let scene = try Scene([
            "/later": { _, _ in .whole(upTo: 10, Taker { request in kept.change { $0.append(request.exchange) } }) },
            "/large": { _, _ in .answer(Answer(status: 200, .json, large)) },
        ])
        for round in 0..<5 {
            kept.change { $0 = [] }
            var clients: [Client] = []
            for number in 0..<100 {
                let client = try scene.client(room: 4_096)
                client.send("GET /\(number % 2 == 0 ? "later" : "large") HTTP/1.1\r\nHost: a\r\n\r\n")
                if number % 4 < 2 { client.abort() }
                clients.append(client)
            }
            let exchanges = try kept.wait { $0.count == 50 }
            let others = try scene.client()
            if round % 2 == 0 { clients = [] }
            Exchange.answer(exchanges.map { ($0, Answer(status: 200, .json, large)) })
            clients = []
            for exchange in exchanges { exchange.answer(Answer(status: 200, .json, large)) }
            #expect(try others.get("/short").text == "short")
            try eventually { scene.server.counts.open == 1 }
        }
    }

    @Test("Whoever is one too many is told so, and may come again when there is room")
    func tooMany() throws {
        var settings = ServerSettings()
        settings.connections = 3
        let scene = try Scene([:], settings)
        var clients = try (0..<3).map { _ in try scene.client() }
        for client in clients { #expect(try client.get("/short").status == 200) }
        let answer = try scene.client().readAnswer()
        #expect(answer.status == 503 && answer.fields["connection"] == "close" && answer.text.contains("too_many_connections"))
        clients = []
        try eventually { scene.server.counts.open == 0 }
        #expect(try scene.client().get("/short").status == 200)
    }
}
