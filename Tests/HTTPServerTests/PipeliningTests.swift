// Several requests of one connection at the same time: answers in order, whenever they are there, and no more than are allowed.
import HTTPClient
import HTTPServer
import Testing

struct PipeliningTests {
    private static func later(_ kept: Kept<[Exchange]>) -> [String: Scene.Deed] {
        ["/later": { _, _ in .whole(upTo: 0, Taker { request in kept.change { $0.append(request.exchange) } }) }]
    }

    private static let later = "GET /later HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("Answers go out in the order of the requests, whichever is there first")
    func order() throws {
        let kept = Kept<[Exchange]>([])
        let scene = try Scene(Self.later(kept))
        let client = try scene.client()
        client.send(String(repeating: Self.later, count: 3) + "GET /short HTTP/1.1\r\nHost: a\r\n\r\n")
        let exchanges = try kept.wait { $0.count == 3 }
        for index in [2, 0, 1] { exchanges[index].answer(Answer(status: 200, .json, Array("\(index)".utf8))) }
        #expect(try (0..<4).map { _ in try client.readAnswer().text } == ["0", "1", "2", "short"])
    }

    @Test("More requests than are allowed at once wait, and are all answered")
    func bound() throws {
        let kept = Kept<[Exchange]>([])
        var settings = ServerSettings()
        settings.pipelined = 4
        let scene = try Scene(Self.later(kept), settings)
        let client = try scene.client()
        client.send(String(repeating: Self.later, count: 50))
        _ = try kept.wait { $0.count == 4 }
        for number in 0..<50 {
            let exchanges = try kept.wait { $0.count > number }
            #expect(exchanges.count <= number + 4)
            exchanges[number].answer(Answer(status: 200, .json, Array("\(number)".utf8)))
            #expect(try client.readAnswer().text == "\(number)")
        }
    }

    @Test("Thousands of requests in one go are answered one by one", arguments: [1, 3])
    func many(loops: Int) throws {
        var settings = ServerSettings()
        settings.loops = loops
        let scene = try Scene([:], settings)
        let client = try scene.client()
        for round in 0..<20 {
            let requests = (0..<100).map { number in
                let body = "\(round)-\(number)"
                return "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            }
            client.send(requests.joined())
            for number in 0..<100 { #expect(try client.readAnswer().text == "\(round)-\(number)") }
        }
        #expect(scene.server.counts.requests == 2_000)
    }

    @Test("Many answers at once, of several loops, each reach their own client")
    func batches() throws {
        let kept = Kept<[Exchange]>([])
        var settings = ServerSettings()
        settings.loops = 3
        let scene = try Scene(Self.later(kept), settings)
        var clients: [Client] = []
        for number in 0..<30 {
            let client = try scene.client()
            client.send(Self.later)
            _ = try kept.wait { $0.count == number + 1 }
            clients.append(client)
        }
        Exchange.answer(kept.now.enumerated().map { ($1, Answer(status: 200, .json, Array("\($0)".utf8))) })
        for (number, client) in clients.enumerated() { #expect(try client.readAnswer().text == "\(number)") }
    }

    @Test("A second answer to the same request, or one after the client has gone, is nothing")
    func late() throws {
        let kept = Kept<[Exchange]>([])
        let scene = try Scene(Self.later(kept))
        let client = try scene.client()
        client.send(Self.later)
        let exchange = try kept.wait { !$0.isEmpty }[0]
        exchange.answer(Answer(status: 200, .json, Array("one".utf8)))
        exchange.answer(Answer(status: 200, .json, Array("two".utf8)))
        #expect(try client.readAnswer().text == "one")
        client.send(Self.later)
        let second = try kept.wait { $0.count == 2 }[1]
        exchange.answer(Answer(status: 200, .json, Array("three".utf8)))
        second.answer(Answer(status: 200, .json, Array("four".utf8)))
        #expect(try client.readAnswer().text == "four")
    }

    @Test("A client that sends requests and half-closes gets all its answers")
    func halfClosed() throws {
        let kept = Kept<[Exchange]>([])
        let scene = try Scene(Self.later(kept))
        let client = try scene.client()
        client.send(Self.later + Self.later)
        client.endSending()
        let exchanges = try kept.wait { $0.count == 2 }
        for exchange in exchanges { exchange.answer(Answer(status: 200, .json, Array("yes".utf8))) }
        #expect(try client.readAnswer().text == "yes")
        #expect(try client.readAnswer().text == "yes")
        #expect(try client.readToEnd() == [])
    }

    @Test("Requests that come together are handed over together")
    func turns() throws {
        let turns = Kept<[Int]>([])
        let handler = Turns(turns: turns)
        let server = try HTTPServer(ServerSettings(), [.ipv4(0x7f00_0001, port: 0)], handler)
        try server.start()
        defer {
            server.stop()
            server.wait()
        }
        let client = try Client(server.addresses[0])
        client.send(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 10))
        for _ in 0..<10 { #expect(try client.readAnswer().status == 200) }
        #expect(turns.now.reduce(0, +) == 10)
        #expect(turns.now.contains { $0 > 1 }, "\(turns.now)")
    }

    /// Collects, and answers at the end of a turn.
    private struct Turns: HTTPHandler {
        let turns: Kept<[Int]>
        let collected = Kept<[Exchange]>([])

        func head(_ head: RequestHead, _ exchange: Exchange) -> Intake {
            .whole(upTo: 0, Taker { request in collected.change { $0.append(request.exchange) } })
        }

        func turnEnded(_ loop: Int) {
            let all = collected.now
            collected.change { $0 = [] }
            turns.change { $0.append(all.count) }
            Exchange.answer(all.map { ($0, Answer(status: 200, .json)) })
        }
    }
}
