// Bodies and answers that come piece by piece, both ways at the same time, and what holds either side back.
import Glibc
import HTTPClient
import HTTPServer
import Synchronization
import Testing

struct StreamTests {
    /// Answers each line as it comes.
    private final class Lines: ExchangeStream {
        let answer: Mutex<AnswerStream?> = Mutex(nil)
        private let line = Mutex<[UInt8]>([])

        func receive(_ bytes: [UInt8]) -> Bool {
            line.withLock { line in
                for byte in bytes {
                    line.append(byte)
                    if byte == 0x0a {
                        let whole = line
                        line = []
                        answer.withLock { _ = $0?.send(Array("got ".utf8) + whole) }
                    }
                }
            }
            return true
        }

        func received() { answer.withLock { $0?.end() } }
    }

    private static let lines: [String: Scene.Deed] = [
        "/lines": { _, exchange in
            let lines = Lines()
            let answer = exchange.open(200, .json, lines)
            lines.answer.withLock { $0 = answer }
            return .stream(lines)
        }
    ]

    @Test("Each line is answered before the next one is sent")
    func interleaved() throws {
        let scene = try Scene(Self.lines)
        let client = try scene.client()
        client.send("POST /lines HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(try client.readHead().fields["transfer-encoding"] == "chunked")
        for number in 0..<100 {
            client.send("8\r\nline \(100 + number)\r\n1\r\n\n\r\n")
            #expect(try client.readChunk() == Array("got line \(100 + number)\n".utf8))
        }
        client.send("0\r\n\r\n")
        #expect(try client.readChunk() == nil)
        #expect(try client.get("/short").text == "short", "the connection goes on")
    }

    @Test("A stream behind other requests waits for their answers, and one of HTTP/1.0 ends with the connection")
    func inTurn() throws {
        let kept = Kept<[Exchange]>([])
        var deeds = Self.lines
        deeds["/later"] = { _, _ in .whole(upTo: 0, Taker { request in kept.change { $0.append(request.exchange) } }) }
        let scene = try Scene(deeds)
        let client = try scene.client()
        client.send(
            "GET /later HTTP/1.1\r\nHost: a\r\n\r\nPOST /lines HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na\nGET /short HTTP/1.1\r\nHost: a\r\n\r\n"
        )
        try kept.wait { !$0.isEmpty }[0].answer(Answer(status: 200, .json, Array("first".utf8)))
        #expect(try (0..<3).map { _ in try client.readAnswer().text } == ["first", "got a\n", "short"])
        client.send("POST /lines HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\na\nb\n")
        let answer = try client.readAnswer()
        #expect(answer.fields["connection"] == "close" && answer.text == "got a\ngot b\n")
    }

    /// Sends as much as it is let, from a thread of its own.
    private final class Producer: ExchangeStream {
        let most = Kept(0)
        let isGone = Kept(false)
        private let answer: Mutex<AnswerStream?> = Mutex(nil)
        private let room = Mutex(true)
        private let goal: Int

        init(goal: Int) { self.goal = goal }

        func start(_ answer: AnswerStream) {
            self.answer.withLock { $0 = answer }
            wanted()
        }

        /// On the loop's thread, like everything in here.
        func wanted() {
            guard let answer = answer.withLock({ $0 }) else { return }
            let piece = [UInt8](repeating: 0x61, count: 10_000)
            while sent.withLock({ $0 }) < goal {
                sent.withLock { $0 += piece.count }
                let isWanted = answer.send(piece)
                most.change { $0 = max($0, answer.waitingBytes) }
                if !isWanted { return }
            }
            answer.end()
        }

        func gone() { isGone.change { $0 = true } }

        let sent = Mutex(0)
    }

    @Test("Who sends faster than its client takes is held back, and everything arrives")
    func answersHeldBack() throws {
        let kept = Kept<Producer?>(nil)
        let scene = try Scene([
            "/flood": { _, _ in
                .whole(
                    upTo: 0,
                    Taker { request in
                        let producer = Producer(goal: 20_000_000)
                        kept.change { $0 = producer }
                        producer.start(request.exchange.open(200, .json, producer))
                    })
            }
        ])
        let client = try scene.client(room: 4_096)
        client.send("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readHead().status == 200)
        let producer = try #require(try kept.wait { $0 != nil })
        // Nothing is read until the producer has been told that it is enough.
        try eventually { producer.most.now >= AnswerStream.highWater }
        var count = 0
        while let chunk = try client.readChunk() { count += chunk.count }
        #expect(count == 20_000_000)
        #expect(producer.most.now < AnswerStream.highWater + 10_000, "\(producer.most.now)")
    }

    @Test("Who takes less than its client sends holds it back, and everything arrives")
    func bodiesHeldBack() throws {
        final class Sink: ExchangeStream {
            let count = Kept(0)
            let pieces = Kept(0)
            let ended = Kept(false)

            func receive(_ bytes: [UInt8]) -> Bool {
                count.change { $0 += bytes.count }
                pieces.change { $0 += 1 }
                return false
            }

            func received() { ended.change { $0 = true } }
        }
        let sink = Sink()
        let kept = Kept<Exchange?>(nil)
        let scene = try Scene([
            "/sink": { _, exchange in
                kept.change { $0 = exchange }
                return .stream(sink)
            }
        ])
        let client = try scene.client()
        let body = [UInt8](repeating: 0x61, count: 5_000_000)
        client.send("POST /sink HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
        let sender = Sender { client.send(body) }
        _ = try sink.pieces.wait { $0 == 1 }
        let exchange = try #require(kept.now)
        // Answered requests of others: the loop has turned, and has taken nothing more.
        for _ in 0..<20 { _ = try scene.client().get("/short") }
        #expect(sink.pieces.now == 1 && sink.count.now <= 64 << 10)
        while !sink.ended.now {
            let before = sink.pieces.now
            exchange.goOn()
            try eventually { sink.pieces.now > before || sink.ended.now }
        }
        #expect(sink.count.now == body.count)
        exchange.answer(Answer(status: 200, .json, Array("done".utf8)))
        sender.wait()
        #expect(try client.readAnswer().text == "done")
    }

    @Test("A stream whose client goes away is told, and what is sent to it afterwards is nothing")
    func gone() throws {
        let producer = Producer(goal: 1 << 40)
        let scene = try Scene([
            "/flood": { _, _ in
                .whole(upTo: 0, Taker { request in producer.start(request.exchange.open(200, .json, producer)) })
            }
        ])
        var client: Client? = try scene.client()
        client?.send("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client?.readHead()
        client?.abort()
        client = nil
        _ = try producer.isGone.wait { $0 }
        producer.wanted()
        #expect(try scene.client().get("/short").text == "short")
        try eventually { scene.server.counts.open <= 1 }
    }

    private final class Interest: ExchangeStream {
        let isLost = Kept(false)
        let isDraining = Kept(false)
        func gone() { isLost.change { $0 = true } }
        func draining() { isDraining.change { $0 = true } }
    }

    @Test("Who takes long to answer is told when its client goes, and nothing behind is begun before the answer")
    func interest() throws {
        let interest = Kept<[Interest]>([])
        let kept = Kept<[Exchange]>([])
        let scene = try Scene([
            "/long": { _, _ in
                let wish = Interest()
                interest.change { $0.append(wish) }
                return .whole(upTo: 10, Taker { request in kept.change { $0.append(request.exchange) } }, while: wish)
            }
        ])
        let long = "POST /long HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
        let client = try scene.client()
        client.send(long + long)
        _ = try kept.wait { $0.count == 1 }
        _ = try scene.client().get("/short")
        #expect(kept.now.count == 1 && !interest.now[0].isLost.now)
        kept.now[0].answer(Answer(status: 200, .json, Array("first".utf8)))
        #expect(try client.readAnswer().text == "first")
        _ = try kept.wait { $0.count == 2 }
        // Its connection has nothing more to say: it has gone, although it could still listen.
        client.endSending()
        _ = try interest.now[1].isLost.wait { $0 }
        #expect(!interest.now[0].isLost.now, "that one was answered")
        let last = try scene.client()
        last.send(long)
        _ = try kept.wait { $0.count == 3 }
        scene.server.drain(within: .seconds(20))
        _ = try interest.now[2].isDraining.wait { $0 }
        kept.now[2].answer(Answer(status: 200, .json, Array("last".utf8)))
        #expect(try last.readAnswer().text == "last")
    }

    @Test("An answer that breaks off is seen to be cut")
    func breaksOff() throws {
        let kept = Kept<[Exchange]>([])
        let scene = try Scene(["/later": { _, _ in .whole(upTo: 0, Taker { request in kept.change { $0.append(request.exchange) } }) }])
        let client = try scene.client()
        client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try kept.wait { !$0.isEmpty }[0].open(200, .json, Lines())
        answer.send(Array("half".utf8))
        _ = try client.readHead()
        #expect(try client.readChunk() == Array("half".utf8))
        answer.breakOff()
        #expect(try client.readToEnd() == [] && !answer.isOpen)
        try eventually { scene.server.counts.open == 0 }
    }

    @Test("An answer that ends before its request ends the connection with it")
    func early() throws {
        final class Hasty: ExchangeStream {}
        let scene = try Scene([
            "/hasty": { _, exchange in
                let hasty = Hasty()
                let answer = exchange.open(200, .json, hasty)
                answer.send(Array("enough".utf8))
                answer.end()
                return .stream(hasty)
            }
        ])
        let client = try scene.client()
        client.send("POST /hasty HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
        #expect(try client.readAnswer().text == "enough")
        client.endSending()
        #expect(try client.readToEnd() == [])
    }

    @Test("A stream whose body is none is told so, and its answer says why")
    func invalid() throws {
        final class Waiting: ExchangeStream {
            let isGone = Kept(false)
            func gone() { isGone.change { $0 = true } }
        }
        let waiting = Waiting()
        let scene = try Scene(["/wait": { _, _ in .stream(waiting) }])
        let client = try scene.client()
        client.send("POST /wait HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
        #expect(try client.readAnswer().status == 400)
        #expect(waiting.isGone.now)
    }
}
