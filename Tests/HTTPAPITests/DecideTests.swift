// Decisions over HTTP: what is asked is what the host decides, and what cannot be asked says why.
import HTTPClient
import HTTPServer
import RuleHosting
import Testing

struct DecideTests {
    @Test(
        "The badge of a phone is a whole number, with a point or without",
        arguments: [("3.0", 200), ("3", 200), ("3.5", 400), ("-1.0", 400)])
    func badge(number: String, status: Int) throws {
        let body = #"{"event":"present","message":{"aps":{"alert":"a"}},"device":{"badge":\#(number)}}"#
        let scene = try Scene()
        #expect(try scene.client().post("/v1/apps/chat/decide", body).status == status)
    }

    @Test("A request whose body comes later than its head is decided without waiting for another one")
    func twoPieces() throws {
        let scene = try Scene()
        let client = try scene.client()
        for number in 0..<3 {
            let body = Scene.body(id: "m-\(number)")
            client.send("POST /v1/apps/chat/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
            // Another one is answered meanwhile: the head has been read by then.
            #expect(try scene.client().ask("GET", "/healthz").status == 200)
            client.send(body)
            #expect(try client.readAnswer().status == 200)
        }
    }

    @Test("A message is decided on, and what its rules remember counts for the next one")
    func decide() throws {
        let scene = try Scene()
        let client = try scene.client()
        for number in 1...3 {
            let answer = try client.post("/v1/apps/chat/decide", Scene.body(id: "m-\(number)"), "X-Request-Id: r-\(number)\r\n")
            #expect(answer.status == 200 && answer.fields["content-type"] == "application/json")
            #expect(answer.fields["x-request-id"] == "r-\(number)")
            #expect(try answer.member("labels", "count") == "\(number)", "\(answer.text)")
        }
        #expect(try client.post("/v1/apps/shop/decide", Scene.body(id: "m-1")).member("labels", "count") == "1")
    }

    @Test("A dry run keeps nothing, a trace tells of every rule, and usage of time")
    func query() throws {
        let scene = try Scene()
        let client = try scene.client()
        let path = "/v1/apps/chat/decide"
        for _ in 0..<2 {
            let answer = try client.post(path + "?dry_run=1&trace=1&usage=true", Scene.body(id: "m"))
            #expect(try answer.member("labels", "count") == "1")
            #expect(try answer.member("trace")?.contains("Count") == true)
            #expect(try answer.member("usage", "microseconds") != nil)
        }
        let answer = try client.post(path, Scene.body(id: "m"))
        #expect(
            try answer.member("labels", "count") == "1" && answer.member("trace") == nil && answer.member("usage", "microseconds") == nil)
    }

    @Test("A request that is repeated with its key has the same answer, and another one with that key has none")
    func idempotency() throws {
        let scene = try Scene()
        let client = try scene.client()
        let path = "/v1/apps/chat/decide"
        let first = try client.post(path, Scene.body(id: "m-1"), "Idempotency-Key: a\r\n")
        #expect(try client.post(path, Scene.body(id: "m-1"), "Idempotency-Key: a\r\n").body == first.body)
        let other = try client.post(path, Scene.body(id: "m-2"), "Idempotency-Key: a\r\n")
        #expect(try other.status == 422 && other.member("code") == "idempotency_mismatch")
    }

    @Test(
        "What cannot be asked says why, as a problem with a code",
        arguments: [
            ("POST", "/v1/apps/nope/decide", 404, "app_unknown"),
            ("POST", "/v1/apps/Chat%20x/decide", 404, "app_unknown"),
            ("POST", "/v1/apps//decide", 400, "invalid_path"),
            ("POST", "/v1/apps/chat/decide/", 404, "route_unknown"),
            ("POST", "/v1/apps/chat", 405, "method_not_allowed"),
            ("TRACE", "/v1/apps/chat", 405, "method_not_allowed"), ("QUERY", "/v1/apps/chat", 405, "method_not_allowed"),
            ("GET", "/v1/apps/chat/decide", 405, "method_not_allowed"),
            ("POST", "/v1/apps/chat/decide?dryrun=1", 400, "query_unknown"),
            ("POST", "/v1/apps/chat/decide?dry_run=yes", 400, "query_invalid"),
            ("POST", "/v1/apps/chat/decide?trace=all", 400, "query_invalid"),
            ("POST", "/v1/apps/chat/decide?usage=1&usage=1", 400, "query_invalid"),
            ("GET", "/healthz?a=b", 400, "query_unknown"),
            ("GET", "/", 404, "route_unknown"),
            ("BREW", "/v1/apps", 501, "method_unknown"),
        ])
    func problems(method: String, path: String, status: Int, code: String) throws {
        let scene = try Scene()
        let client = try scene.client()
        let body = Scene.body(id: "m")
        client.send("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let answer = try client.readAnswer()
        #expect(try answer.status == status && answer.member("code") == code, "\(answer)")
        #expect(try answer.fields["content-type"] == "application/problem+json" && answer.member("status") == "\(status)")
        #expect(try answer.member("type") == "urn:rulehost:error:\(code)")
    }

    @Test("A body that is no request names its place, and one that is too large is not read")
    func bodies() throws {
        let scene = try Scene { $0.mostBody = 2_000 }
        let client = try scene.client()
        let path = "/v1/apps/chat/decide"
        let broken = try client.post(path, "{\"message\": \n nul}")
        #expect(try broken.status == 400 && broken.member("line") == "2" && broken.member("column") == "5")
        let misspelt = try client.post(path, #"{"mesage": {}}"#)
        #expect(try misspelt.status == 400 && misspelt.member("hint") == "did you mean `message`?")
        #expect(try client.post(path, "").status == 400)
        let large = try client.post(path, Scene.body(id: String(repeating: "a", count: 2_000)))
        #expect(try large.status == 413 && large.member("code") == "body_too_large")
    }

    @Test("A method that is not known to a path is told which ones are")
    func allowed() throws {
        let scene = try Scene()
        let client = try scene.client()
        #expect(try client.ask("GET", "/v1/apps/chat/decide").fields["allow"] == "POST, OPTIONS")
        let options = try client.ask("OPTIONS", "/v1/apps/chat")
        #expect(options.status == 204 && options.fields["allow"] == "GET, HEAD, OPTIONS")
    }

    @Test("Hundreds of requests at once, over several loops, each have their own answer")
    func many() throws {
        let scene = try Scene(loops: 2)
        let clients = try (0..<20).map { _ in try scene.client() }
        for round in 0..<10 {
            for (number, client) in clients.enumerated() {
                let bodies = (0..<5).map { Scene.body("u-\(number)", id: "m-\(round)-\($0)") }
                client.send(
                    bodies.map { "POST /v1/apps/chat/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: \($0.utf8.count)\r\n\r\n\($0)" }
                        .joined())
            }
            for (number, client) in clients.enumerated() {
                for index in 0..<5 {
                    let answer = try client.readAnswer()
                    #expect(try answer.member("recipient") == "u-\(number)" && answer.member("labels", "id") == "m-\(round)-\(index)")
                    #expect(try answer.member("labels", "count") == "\(round * 5 + index + 1)")
                }
            }
        }
    }
}
