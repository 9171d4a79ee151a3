// Who may ask: tokens with roles and apps, hashed in a file, exchanged while the host runs.
import HTTPClient
import HTTPServer
import Testing

@testable import HTTPAPI

struct TokenTests {
    /// Of the words `decide`, `read`, `operate`, `all`, which are the tokens of these tests.
    static let file = """
        # name    hash   roles   apps
        caller    sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d  decide  chat

        reader    sha256:3316348dbadfb7b11c7c2ea235949419e23f9fa898ad2c198f999617912a9925  read    chat
        operator\tsha256:2C29D39181DE8F853DE5E48BA983A5C88612B9DBAA5AB32C7748800A0840AEB8\tdecide,operate\t*\r
        watcher   sha256:baed831623943be39ebf0ef44ae1e9c8fc3eeab51b5f89c113ca410d76a34c1d  metrics *
        all       sha256:5ef5ef0364b6939c4ca61f34b393f7b368d1be8619647aaf83d5b395919ab629  decide,read,edit,operate  *
        """

    private func scene() throws -> Scene { try Scene(tokens: try TokenTable(Array(Self.file.utf8))) }

    private func ask(_ client: Client, _ method: String, _ path: String, _ token: String?, _ body: String = "") throws -> Client.Received {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        client.send(
            "\(method) \(path) HTTP/1.1\r\nHost: a.example\r\n\(authorization)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return try client.readAnswer()
    }

    @Test("Of two tokens in a request neither is taken")
    func two() throws {
        let scene = try scene()
        let client = try scene.client()
        client.send(
            "GET /v1/apps/chat HTTP/1.1\r\nHost: a.example\r\nAuthorization: Bearer read\r\nAuthorization: Bearer none\r\n\r\n")
        let answer = try client.readAnswer()
        #expect(answer.status == 401)
        #expect(answer.text.contains("token_unknown"), "\(answer.text)")
    }

    @Test(
        "A token opens what its roles and apps say, and nothing else",
        arguments: [
            ("POST", "/v1/apps/chat/decide", "decide", 200, ""), ("POST", "/v1/apps/chat/decide", nil, 401, "token_missing"),
            ("POST", "/v1/apps/chat/decide", "decid", 401, "token_unknown"), ("POST", "/v1/apps/chat/decide", "", 401, "token_unknown"),
            ("POST", "/v1/apps/shop/decide", "decide", 403, "token_app"), ("POST", "/v1/apps/nope/decide", "decide", 403, "token_app"),
            ("POST", "/v1/apps/chat/decide", "read", 403, "token_role"), ("POST", "/v1/apps/shop/decide", "all", 200, ""),
            ("GET", "/v1/apps/chat", "read", 200, ""), ("GET", "/v1/apps/chat", "decide", 403, "token_role"),
            ("DELETE", "/v1/apps/chat/recipients/u-1/state", "read", 403, "token_role"),
            ("DELETE", "/v1/apps/chat/recipients/u-1/state", "operate", 200, ""),
            ("POST", "/v1/apps/chat/try", "operate", 403, "token_role"), ("POST", "/v1/apps/chat/try", "all", 200, ""),
            ("GET", "/metrics", "watch", 200, ""), ("GET", "/metrics", "all", 200, ""), ("GET", "/metrics", "decide", 403, "token_role"),
            ("GET", "/metrics", "read", 403, "token_role"), ("GET", "/v1/apps", "watch", 403, "token_role"),
            ("GET", "/v1/apps/chat", "watch", 403, "token_role"), ("POST", "/v1/apps/chat/decide", "watch", 403, "token_role"),
            ("GET", "/healthz", nil, 200, ""), ("GET", "/openapi.json", nil, 200, ""), ("GET", "/nowhere", nil, 404, "route_unknown"),
        ] as [(String, String, String?, Int, String)])
    func roles(method: String, path: String, token: String?, status: Int, code: String) throws {
        let scene = try scene()
        let answer = try ask(try scene.client(), method, path, token, method == "POST" ? Scene.body(id: "m") : "")
        #expect(answer.status == status && (code.isEmpty || answer.text.contains("\"code\":\"\(code)\"")), "\(answer)")
        #expect((answer.fields["www-authenticate"] != nil) == (status == 401))
        #expect(token.map { $0.isEmpty || !answer.text.contains("\"\($0)\"") } ?? true, "no answer repeats a token")
    }

    @Test("A list and a stream hold only the apps of the token")
    func several() throws {
        let scene = try scene()
        let client = try scene.client()
        #expect(try ask(client, "GET", "/v1/apps", "read").text == #"{"apps":[{"app":"chat"}]}"#)
        let lines = "\(Scene.body(id: "m", app: "shop"))\n\(Scene.body(id: "m", app: "chat"))\n"
        let answers = try ask(client, "POST", "/v1/decide", "decide", lines).text.split(separator: "\n")
        #expect(answers.count == 2 && answers[0].contains("token_app") && answers[1].contains("\"count\":\"1\""), "\(answers)")
    }

    @Test("Who may operate may choose the moment, and two tokens may use the same key for a request")
    func moments() throws {
        let scene = try scene()
        let client = try scene.client()
        let body = Scene.body(id: "m", more: #","now":"2026-01-01T00:00:00Z""#)
        #expect(try ask(client, "POST", "/v1/apps/chat/decide", "decide", body).member("code") == "now_not_allowed")
        #expect(try ask(client, "POST", "/v1/apps/chat/decide", "operate", body).status == 200)
        for (token, id) in [("decide", "k-1"), ("operate", "k-2")] {
            let body = Scene.body(id: id)
            client.send(
                "POST /v1/apps/chat/decide HTTP/1.1\r\nHost: a\r\nAuthorization: bearer \(token)\r\nIdempotency-Key: k\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(try client.readAnswer().member("message_id") == id)
        }
    }

    @Test("With a rate a token that asks too often is told when to come again; others and probes are answered")
    func rate() throws {
        let scene = try Scene(tokens: try TokenTable(Array(Self.file.utf8)), rate: TokenRate(perSecond: 1))
        let client = try scene.client()
        var answer = try ask(client, "GET", "/v1/apps/chat", "read")
        #expect(answer.status == 200)
        // More often than once a second, on any machine.
        for _ in 0..<10_000 where answer.status == 200 { answer = try ask(client, "GET", "/v1/apps/chat", "read") }
        #expect(try answer.status == 429 && answer.member("code") == "too_many_requests", "\(answer)")
        #expect(answer.fields["retry-after"] == "1" && !answer.text.contains("reader"))
        #expect(try ask(client, "POST", "/v1/apps/chat/decide", "decide", Scene.body(id: "m")).status == 200)
        #expect(try ask(client, "GET", "/healthz", nil).status == 200)
    }

    @Test("A token may ask twice its rate at once, then at its rate; what is refused does not count")
    func bucket() {
        let rate = TokenRate(perSecond: 10)
        let second: Int64 = 1_000_000_000
        let start = 5 * second
        for _ in 0..<20 { #expect(rate.wait(of: "a", at: start) == nil) }
        for _ in 0..<3 { #expect(rate.wait(of: "a", at: start) == second / 10) }
        #expect(rate.wait(of: "b", at: start) == nil)
        #expect(rate.wait(of: "a", at: start + second / 10 - 1) == 1)
        #expect(rate.wait(of: "a", at: start + second / 10) == nil)
        #expect(rate.wait(of: "a", at: start + second / 10) == second / 10)
        for _ in 0..<20 { #expect(rate.wait(of: "a", at: start + 60 * second) == nil) }
        #expect(rate.wait(of: "a", at: start + 60 * second) == second / 10)
    }

    @Test("Tokens are exchanged while the host runs")
    func exchange() throws {
        let scene = try scene()
        let client = try scene.client()
        #expect(try ask(client, "GET", "/v1/apps/chat", "read").status == 200)
        let other = Self.file.split(separator: "\n").filter { !$0.hasPrefix("reader") }.joined(separator: "\n")
        scene.tokens?.replace(with: try TokenTable(Array(other.utf8)))
        #expect(try ask(client, "GET", "/v1/apps/chat", "read").status == 401)
        #expect(try ask(client, "GET", "/v1/apps/chat", "all").status == 200)
    }

    @Test(
        "A file that is none says in which line, and repeats nothing of it",
        arguments: [
            ("", 1), ("# nobody\n", 1), ("a sha256:00 decide *", 1), ("\na plain decide *", 2),
            ("a sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide", 1),
            ("a sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d anybody *", 1),
            ("a sha256:zz89aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide *", 1),
            ("a sha256:+589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide *", 1),
            ("a sha256:-089aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide *", 1),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d , *", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide, chat", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide,,read chat", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d ,decide chat", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide ,", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide chat,", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide *,chat", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide chat,*", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide **", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide Chat", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide ../chat", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d decide chat;shop", 2),
            ("# one\na sha256:5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d DECIDE *", 2),
        ])
    func invalid(text: String, line: Int) throws {
        let fault = #expect(throws: TokenFault.self) { try TokenTable(Array(text.utf8)) }
        #expect(fault?.line == line && fault?.message.contains("5589") == false)
    }

    @Test("One token under two names is a fault that says where both are")
    func same() throws {
        let digest = "5589aa5863c2d85622d06d651add002416e5513afdbb455666cdde01bb3e257d"
        let text = "# tokens\nmina sha256:\(digest) decide chat\n\njoon sha256:\(digest.uppercased()) operate *\n"
        let fault = #expect(throws: TokenFault.self) { try TokenTable(Array(text.utf8)) }
        #expect(fault?.line == 4 && fault?.message == "this is the token of line 2 under another name")
        #expect(fault?.hint == "who comes with it could be either: give each a token of his own")
    }

    @Test("Two tokens of one name are a fault")
    func twice() throws {
        let fault = #expect(throws: TokenFault.self) { try TokenTable(Array((Self.file + "\n" + Self.file).utf8)) }
        #expect(fault?.message == "there is a token of this name already")
    }
}
