// What a well-formed head says, and what stands in the head of an answer.
import HTTPClient
import HTTPServer
import Testing

struct HeadTests {
    private func told(_ request: String, _ tell: @escaping @Sendable (RequestHead) -> String) throws -> String {
        let deed: Scene.Deed = { head, _ in .answer(Answer(status: 200, .json, Array(tell(head).utf8))) }
        let scene = try Scene([
            "/": deed, "/a b/ü": deed, "/a/b": deed, "/a/": deed,
                // One segment with a slash in it looks like two here; the test looks at the segments.
        ])
        let client = try scene.client()
        client.send(request)
        return try client.readAnswer().text
    }

    @Test(
        "Paths and queries are decoded once, and a slash that is encoded is a letter",
        arguments: [
            ("/", "[] []"),
            ("/a%20b/%C3%BC", "[a b|ü] []"),
            ("/a%2Fb", "[a/b] []"),
            ("/a/", "[a|] []"),
            ("/a/b?x=1&y=a+b%26&z&=", "[a|b] [x=1, y=a b&, z=, =]"),
            ("/a%2520b", "nothing"),
            ("http://host:80/a/b?x=/", "[a|b] [x=/]"),
            ("http://host", "[] []"),
        ])
    func target(target: String, expected: String) throws {
        let text = try told("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") { head in
            let query = head.query.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
            return "[\(head.path.joined(separator: "|"))] [\(query)]"
        }
        #expect(text == expected || (expected == "nothing" && text.contains("not_found")), "\(text)")
    }

    @Test("A field is found whatever the size of its letters, without blanks around its value")
    func fields() throws {
        let text = try told(
            "GET / HTTP/1.1\r\nHOST: a\r\nTraceParent: \t00-abc-01 \r\nIf-Match:\"1\"\r\nX: \r\nTracepar: no\r\n\r\n"
        ) { head in
            ["traceparent", "if-match", "x", "y"].map { head.value(of: $0) ?? "none" }.joined(separator: ",")
        }
        #expect(text == "00-abc-01,\"1\",,none")
    }

    @Test("A request keeps its name, and gets one when it has none or a strange one")
    func requestID() throws {
        let scene = try Scene()
        let client = try scene.client()
        func name(_ field: String) throws -> String {
            client.send("GET /short HTTP/1.1\r\nHost: a\r\n\(field)\r\n")
            return try client.readAnswer().fields["x-request-id"] ?? ""
        }
        #expect(try name("X-Request-Id: order-7/a\r\n") == "order-7/a")
        let made = try (0..<50).map { _ in try name("") }
        #expect(Set(made).count == 50 && made.allSatisfy { $0.utf8.count == 16 })
        #expect(try name("X-Request-Id: a b\r\n").utf8.count == 16)
        #expect(try name("X-Request-Id: \(String(repeating: "a", count: 129))\r\n").utf8.count == 16)
    }

    @Test("An answer has a date, its length, and says when the connection ends")
    func answerHead() throws {
        let scene = try Scene()
        let client = try scene.client()
        let answer = try client.get("/short")
        #expect(answer.status == 200 && answer.text == "short" && answer.fields["content-length"] == "5")
        #expect(answer.fields["date"]?.hasSuffix(" GMT") == true && answer.fields["connection"] == nil)
        client.send("GET /short HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n")
        #expect(try client.readAnswer().fields["connection"] == "close")
        #expect(try client.readToEnd() == [])
    }

    @Test("HEAD is answered with the length and without the body")
    func head() throws {
        let scene = try Scene()
        let client = try scene.client()
        client.send("HEAD /short HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try client.readAnswer(toHead: true)
        #expect(answer.status == 200 && answer.fields["content-length"] == "5")
        #expect(try client.get("/short").text == "short", "nothing of a body stands before the next answer")
    }

    @Test("HTTP/1.0 ends after its answer, unless it asks to go on")
    func old() throws {
        let scene = try Scene()
        let client = try scene.client()
        client.send("GET /short HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(try client.readAnswer().fields["connection"] == "keep-alive")
        client.send("GET /short HTTP/1.0\r\n\r\n")
        #expect(try client.readAnswer().fields["connection"] == "close")
        #expect(try client.readToEnd() == [])
    }

    @Test("A value of an answer cannot begin a line of its own")
    func injection() throws {
        let scene = try Scene([
            "/": { _, _ in .answer(Answer(status: 200, AnswerFields.json.adding("Location", "/a\r\nSet-Cookie: b=c"))) }
        ])
        let answer = try scene.client().get("/")
        #expect(answer.fields["location"] == "/a  Set-Cookie: b=c" && answer.fields["set-cookie"] == nil)
    }

    @Test("Answers without a body say no length", arguments: [204, 304])
    func bodiless(status: Int) throws {
        let scene = try Scene(["/": { _, _ in .answer(Answer(status: status, AnswerFields())) }])
        let client = try scene.client()
        #expect(try client.get("/").fields["content-length"] == nil)
        #expect(try client.get("/short").text == "short")
    }
}
