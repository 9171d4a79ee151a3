// Bodies: by length and in chunks, wherever the pieces are cut; those that are too large; those that wait for 100.
import HTTPClient
import HTTPServer
import Testing

struct BodyTests {
    static let requests = [
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\nhello world",
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n006;a=\"b\"\r\n world\r\n0\r\nA: b\r\nC: d\r\n\r\n",
        "\r\nPOST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nB\r\nhello world\r\n00\r\n\r\n",
    ]

    @Test("A request that is cut in two at any byte has the same answer", arguments: requests)
    func everySplit(request: String) throws {
        let scene = try Scene()
        let client = try scene.client()
        let bytes = Array(request.utf8)
        for cut in 1..<bytes.count {
            client.send(Array(bytes[..<cut]))
            // An answer to another connection: what was sent first has been read by then.
            if cut % 8 == 0 { _ = try scene.client().get("/short") }
            client.send(Array(bytes[cut...]))
            let answer = try client.readAnswer()
            #expect(answer.status == 200 && answer.text == "hello world", "cut at \(cut): \(answer)")
        }
    }

    @Test("Requests that come byte by byte are read as if they came at once")
    func byteByByte() throws {
        let scene = try Scene()
        let client = try scene.client()
        var on: Int32 = 1
        setNoDelay(client.descriptor, &on)
        for request in Self.requests {
            for byte in request.utf8 { client.send([byte]) }
            #expect(try client.readAnswer().text == "hello world")
        }
    }

    @Test("The largest body that is taken is taken, in one piece and in chunks of any size", arguments: [1, 7, 1_000, 65_536])
    func largest(size: Int) throws {
        let scene = try Scene()
        let client = try scene.client()
        let body = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
        client.send(body)
        #expect(try client.readAnswer().body == body)
        var chunks: [UInt8] = Array("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        for start in stride(from: 0, to: body.count, by: size) {
            let chunk = body[start..<min(start + size, body.count)]
            chunks += Array(String(chunk.count, radix: 16).utf8) + [0x0d, 0x0a] + chunk + [0x0d, 0x0a]
        }
        client.send(chunks + Array("0\r\n\r\n".utf8))
        #expect(try client.readAnswer().body == body)
    }

    @Test("Bodies that are not complete have one bound together, over all loops; who goes beyond it is refused, and others are not")
    func together() throws {
        var settings = ServerSettings()
        settings.bodyBytes = 100_000
        settings.loops = 2
        let scene = try Scene([:], settings)
        func wait(for bytes: Int) throws {
            while scene.server.counts.bodyBytes != bytes { #expect(try scene.client().get("/short").text == "short") }
        }
        let head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"
        let most = [UInt8](repeating: 0x61, count: 50_000)
        let first = try scene.client()
        first.send(head)
        first.send(most)
        try wait(for: 50_000)
        var second: Client? = try scene.client()
        second?.send(head)
        second?.send(most)
        try wait(for: 100_000)
        for chunk in ["1\r\na\r\n", "2\r\nab"] {
            let third = try scene.client()
            third.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk)
            let refused = try third.readAnswer()
            #expect(refused.status == 503 && refused.text.contains("too_many_bodies"), "\(refused)")
            #expect(refused.fields["retry-after"] == "1" && refused.fields["connection"] == "close")
        }
        // In one piece: never counted.
        let fourth = try scene.client()
        fourth.send(Self.requests[0])
        #expect(try fourth.readAnswer().text == "hello world")
        first.send([UInt8](repeating: 0x62, count: 10_000))
        #expect(try first.readAnswer().body == most + [UInt8](repeating: 0x62, count: 10_000))
        try wait(for: 50_000)
        // Who leaves gives back what was kept of him.
        second = nil
        try wait(for: 0)
    }

    @Test("A body that is refused is refused before it is sent, and one that is wanted is asked for")
    func goOn() throws {
        let scene = try Scene()
        let client = try scene.client()
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-Continue\r\n\r\n")
        #expect(try client.readHead().status == 100)
        client.send("abc")
        #expect(try client.readAnswer().text == "abc")
        client.send("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.readAnswer().status == 404)
        let other = try scene.client()
        other.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\nExpect: 100-continue\r\n\r\n")
        #expect(try other.readAnswer().status == 413)
    }

    @Test("The 100 of a request waits for the answers before it")
    func goOnInTurn() throws {
        let kept = Kept<[Exchange]>([])
        let scene = try Scene([
            "/later": { _, _ in .whole(upTo: 0, Taker { request in kept.change { $0.append(request.exchange) } }) }
        ])
        let client = try scene.client()
        client.send(
            "GET /later HTTP/1.1\r\nHost: a\r\n\r\nPOST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        let exchange = try kept.wait { !$0.isEmpty }[0]
        exchange.answer(Answer(status: 200, .json, Array("first".utf8)))
        #expect(try client.readAnswer().text == "first")
        #expect(try client.readHead().status == 100)
        client.send("abc")
        #expect(try client.readAnswer().text == "abc")
    }

    @Test("A body that nobody wants is left out when it is small, and ends the connection when it is large")
    func unwanted() throws {
        let scene = try Scene()
        let client = try scene.client()
        for framing in ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"] {
            client.send("POST /short HTTP/1.1\r\nHost: a\r\n\(framing)")
            #expect(try client.readAnswer().text == "short")
        }
        client.send("POST /short HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        let answer = try client.readAnswer()
        #expect(answer.text == "short" && answer.fields["connection"] == "close")
        client.send([UInt8](repeating: 0x61, count: 1_000_000))
        client.endSending()
        #expect(try client.readToEnd() == [])
    }

    @Test("A client that is refused while it sends gets its answer all the same")
    func lingering() throws {
        let scene = try Scene()
        for _ in 0..<20 {
            let client = try scene.client()
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n")
            client.send([UInt8](repeating: 0x61, count: 3_000_000))
            #expect(try client.readAnswer().status == 413)
        }
    }
}
