// A stream of requests and a stream of answers: in order, at the same time, and no more under way than is allowed.
import HTTPClient
import HTTPServer
import RuleHosting
import Testing

@testable import HTTPAPI

struct LineTests {
    private static func chunk(_ text: String) -> String { String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n" }

    private static let begin = "POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test("Each line is answered before the next one is sent")
    func interleaved() throws {
        let scene = try Scene()
        let client = try scene.client()
        client.send(Self.begin)
        #expect(try client.readHead().fields["content-type"] == "application/x-ndjson")
        for number in 1...20 {
            client.send(Self.chunk(Scene.body(id: "m-\(number)", app: "chat") + "\n"))
            let line = String(decoding: try #require(try client.readChunk()), as: UTF8.self)
            #expect(line.contains("\"count\":\"\(number)\"") && line.hasSuffix("}\n"), "\(line)")
        }
        client.send("0\r\n\r\n")
        #expect(try client.readChunk() == nil)
        #expect(try client.ask("GET", "/healthz").status == 200)
    }

    @Test("Thousands of lines for several apps are answered in their order, with problems in their places")
    func order() throws {
        let scene = try Scene()
        let client = try scene.client()
        var lines: [String] = []
        var expected: [String] = []
        for number in 0..<6_000 {
            switch number % 7 {
            case 3:
                lines.append("{\"app\": nul}")
                expected.append("\"code\":\"json_token\"")
            case 5:
                lines.append("{\"message\": {}}")
                expected.append("the line has no `app`")
            case 6:
                lines.append(Scene.body(id: "m-\(number)", app: "nope"))
                expected.append("\"code\":\"app_unknown\"")
            default:
                lines.append(Scene.body("u-\(number % 50)", id: "m-\(number)", app: number % 2 == 0 ? "chat" : "shop"))
                expected.append("\"message_id\":\"m-\(number)\"")
            }
        }
        // Empty lines are none, and the last one needs no end.
        let body = lines.joined(separator: "\n\r\n\n")
        client.send("POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
        let sender = Sender { [body] in client.send(body) }
        let answers = try client.readAnswer().text.split(separator: "\n")
        sender.wait()
        #expect(answers.count == expected.count)
        for (answer, expected) in zip(answers, expected) { #expect(answer.contains(expected), "\(answer)") }
    }

    @Test("A problem in a stream says which line of the stream it is about, whoever finds it; empty lines count")
    func numbers() throws {
        let scene = try Scene()
        try scene.write("shop", "rule {")
        let lines = [
            Scene.body(id: "m-1", app: "chat"), "", #"{"app": nul}"#, #"{"message": {}}"#, Scene.body(id: "m-2", app: "nope"),
            #"{"app":"chat","device":{},"event":"presnt"}"#, #"{"app":"chat","message":{"a":}}"#,
        ]
        let answers = try scene.client().post("/v1/decide", lines.joined(separator: "\n")).text.split(separator: "\n")
        let told = answers.map { $0.firstMatch(of: #/"line":([0-9]+)/#).map { String($0.1) } ?? "none" }
        #expect(told == ["none", "3", "4", "5", "6", "7"], "\(answers)")
        #expect(answers[1].contains(#""line":3,"column":12"#), "\(answers[1])")
    }

    @Test("The faults of an app's rules keep their own lines in a stream")
    func faults() {
        let body = #"{"code":"a","detail":"b","faults":[{"file":"c","line":1,"column":2}]}"#
        let numbered = LineNumber.put(12, into: Array(body.utf8))
        #expect(
            String(decoding: numbered, as: UTF8.self) == #"{"code":"a","detail":"b","line":12,"faults":[{"file":"c","line":1,"column":2}]}"#
        )
        let quoted = #"{"detail":"\"line\":1","line":1,"column":4}"#
        #expect(
            String(decoding: LineNumber.put(3, into: Array(quoted.utf8)), as: UTF8.self) == #"{"detail":"\"line\":1","line":3,"column":4}"#)
    }

    @Test("A line that is too long is a problem in its place, and the stream goes on")
    func tooLong() throws {
        let scene = try Scene { $0.mostBody = 1_000 }
        let client = try scene.client()
        client.send(Self.begin)
        _ = try client.readHead()
        client.send(Self.chunk(String(repeating: "a", count: 900)) + Self.chunk(String(repeating: "a", count: 900)))
        client.send(Self.chunk("still the same line\n" + Scene.body(id: "m", app: "chat") + "\n") + "0\r\n\r\n")
        var text = ""
        while let chunk = try client.readChunk() { text += String(decoding: chunk, as: UTF8.self) }
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("\"code\":\"too_large\"") && lines[1].contains("\"count\":\"1\""), "\(lines)")
    }

    @Test("Who does not take his answers is not read any further, and gets all of them in the end")
    func heldBack() throws {
        // Of a socket file the system keeps a bounded number of bytes, whatever comes.
        let scene = try Scene(at: "unix:/tmp/lines-\(UInt32.random(in: .min ... .max)).sock")
        let client = try scene.client()
        let line = Scene.body(id: "m", app: "chat") + "\n"
        let count = 10_000
        client.send("POST /v1/decide?dry_run=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(line.utf8.count * count)\r\n\r\n")
        let sent = Kept(0)
        let sender = Sender {
            for _ in 0..<100 {
                client.send(String(repeating: line, count: count / 100))
                sent.change { $0 += 1 }
            }
        }
        // Until it stands still, while others are served.
        var last = -1
        try eventually {
            defer { last = sent.now }
            do { _ = try (0..<20).map { _ in try scene.client().ask("GET", "/healthz") } } catch { return false }
            return sent.now == last
        }
        #expect(sent.now < 100)
        #expect(try client.readAnswer().text.split(separator: "\n").count == count)
        sender.wait()
    }

    @Test("A stream that is left in the middle harms nobody")
    func left() throws {
        let scene = try Scene()
        for _ in 0..<50 {
            let client = try scene.client()
            client.send(Self.begin + Self.chunk(String(repeating: Scene.body(id: "m", app: "chat") + "\n", count: 100)))
            client.abort()
        }
        try eventually { scene.server.counts.open == 0 }
        #expect(try scene.client().post("/v1/apps/chat/decide", Scene.body(id: "n")).status == 200)
    }

    @Test("Each line of a stream counts for the rate of its token: it is held back, others are not, and nothing is refused")
    func rate() throws {
        let clock = Kept<Int64>(1)
        let rate = TokenRate(perSecond: 10, clock: { clock.now })
        let scene = try Scene(tokens: try TokenTable(Array(TokenTests.file.utf8)), rate: rate)
        func ask(_ token: String, id: String) throws -> Client.Received {
            try scene.client().post("/v1/apps/chat/decide", Scene.body(id: id), "Authorization: Bearer \(token)\r\n")
        }
        let client = try scene.client()
        client.send(Self.begin.replacing("\r\n\r\n", with: "\r\nAuthorization: Bearer decide\r\n\r\n"))
        #expect(try client.readHead().status == 200)
        // Twenty at once, of which the stream itself is one.
        client.send(Self.chunk((0..<25).map { Scene.body(id: "m-\($0)", app: "chat") + "\n" }.joined()))
        var text = ""
        func read(_ count: Int) throws {
            while text.utf8.count(where: { $0 == 0x0a }) < count { text += String(decoding: try client.readChunk() ?? [], as: UTF8.self) }
        }
        try read(19)
        #expect(try ask("decide", id: "n-1").member("code") == "too_many_requests")
        // Not one line more has been decided.
        #expect(try ask("all", id: "n-2").text.contains("\"count\":\"20\""))
        clock.change { $0 += 300_000_000 }
        try read(22)
        #expect(try ask("all", id: "n-3").text.contains("\"count\":\"24\""))
        client.send("0\r\n\r\n")
        clock.change { $0 += 10_000_000_000 }
        while let chunk = try client.readChunk() { text += String(decoding: chunk, as: UTF8.self) }
        let answers = text.split(separator: "\n")
        #expect(answers.count == 25)
        for (number, answer) in answers.enumerated() { #expect(answer.contains("\"message_id\":\"m-\(number)\"")) }
    }

    @Test("Lines with nothing on them count for the rate, too, and get no answer")
    func blankLines() throws {
        let clock = Kept<Int64>(1)
        let scene = try Scene(
            tokens: try TokenTable(Array(TokenTests.file.utf8)), rate: TokenRate(perSecond: 10, clock: { clock.now }))
        let client = try scene.client()
        client.send(Self.begin.replacing("\r\n\r\n", with: "\r\nAuthorization: Bearer decide\r\n\r\n"))
        #expect(try client.readHead().status == 200)
        // Twenty at once, of which the stream itself is one.
        let blanks = String(repeating: "\n", count: 10) + String(repeating: " \r\n", count: 9)
        client.send(Self.chunk(blanks + Scene.body(id: "m", app: "chat")))
        client.send("0\r\n\r\n")
        try eventually {
            let body = Scene.body("u-2", id: "n")
            let other = try? scene.client().post("/v1/apps/chat/decide", body, "Authorization: Bearer decide\r\n")
            return other?.text.contains("too_many_requests") == true
        }
        // It has not been decided yet.
        let other = try scene.client().post("/v1/apps/chat/decide", Scene.body(id: "o"), "Authorization: Bearer all\r\n")
        #expect(other.text.contains("\"count\":\"1\""), "\(other.text)")
        clock.change { $0 += 10_000_000_000 }
        var text = ""
        while let chunk = try client.readChunk() { text += String(decoding: chunk, as: UTF8.self) }
        #expect(text.split(separator: "\n").count == 1 && text.contains("\"message_id\":\"m\""), "\(text)")
    }

    @Test("A stream that is over its rate is not read any further")
    func pacedReading() throws {
        let rate = TokenRate(perSecond: 1, clock: { 1 })
        let scene = try Scene(
            at: "unix:/tmp/lines-\(UInt32.random(in: .min ... .max)).sock", tokens: try TokenTable(Array(TokenTests.file.utf8)), rate: rate)
        let client = try scene.client()
        client.send(Self.begin.replacing("\r\n\r\n", with: "\r\nAuthorization: Bearer decide\r\n\r\n"))
        let sent = Kept(0)
        let sender = Sender {
            for _ in 0..<100 {
                client.send(Self.chunk(String(repeating: Scene.body(id: "m", app: "chat") + "\n", count: 100)))
                sent.change { $0 += 1 }
            }
        }
        var last = -1
        try eventually {
            defer { last = sent.now }
            do { _ = try (0..<20).map { _ in try scene.client().ask("GET", "/healthz") } } catch { return false }
            return sent.now == last
        }
        #expect(sent.now < 100)
        scene.server.stop()
        sender.wait()
    }
}
