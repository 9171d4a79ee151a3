// Comparisons that somebody asks a running host for: of what, on what, who may, and that nothing of the host is touched by them.
import Foundation
import HTTPClient
import HTTPServer
import RuleHosting
import Testing

@testable import HTTPAPI

struct DiffTests {
    private static func line(_ number: Int, app: String = "chat", more: String = "") -> String {
        #"{"at":"2026-01-01T12:00:00Z","app":"\#(app)","event":"present","message":{"message_id":"m-\#(number)","aps":{"alert":"Hello"}},"#
            + #""device":{"recipient":"u-\#(number % 3)","state":"foreground"}\#(more)}"#
    }

    private static func body(_ lines: [String], _ sides: String = "") -> String {
        "{\(sides)\"traffic\":[\(lines.joined(separator: ","))]}"
    }

    private static let quiet = #"{"files":{"rules.lua":"rule \"Quiet\" { on = \"present\", decide = suppress \"quiet\" }"}}"#
    private static let endless =
        #"{"files":{"rules.lua":"rule \"Endless\" { on = \"present\", decide = function() while true do end end }"}}"#
    private static let path = "/v1/apps/chat/diff"

    @Test("A side that is misspelt is told, with the one that is meant")
    func misspelt() throws {
        let scene = try Scene()
        let answer = try scene.client().post(Self.path, Self.body([Self.line(1)], #""new":"foldr","#))
        #expect(try answer.status == 400 && answer.member("pointer") == "/new", "\(answer.text)")
        #expect(try answer.member("hint") == "did you mean \"folder\"?", "\(answer.text)")
    }

    @Test("What files would change is told of each event, and nothing that the host knows or counts is touched", arguments: [false, true])
    func draft(isDurable: Bool) throws {
        let scene = try Scene(isDurable: isDurable, isWatched: true)
        let client = try scene.client()
        _ = try client.post("/v1/apps/chat/decide", Scene.body("u-1", id: "m-1"))
        let before = try (
            client.ask("GET", "/v1/apps/chat").text, client.ask("GET", "/v1/apps/chat/export").text, client.ask("GET", "/v1/audit").text
        )
        let answer = try client.post(Self.path, Self.body((0..<7).map { Self.line($0) }, "\"new\":\(Self.quiet),"))
        #expect(try answer.status == 200 && answer.member("events") == "7" && answer.member("changed") == "7", "\(answer.text)")
        #expect(try answer.member("kinds", "newly_suppressed") == "7" && answer.member("people") == "3")
        #expect(try answer.member("old", "name") == "serving" && answer.member("new", "name") == "files")
        #expect(try answer.member("old", "ruleset") == client.ask("GET", "/v1/apps/chat").member("ruleset"))
        #expect(try client.ask("GET", "/v1/apps/chat").text == before.0, "counters too")
        #expect(try client.ask("GET", "/v1/apps/chat/export").text == before.1)
        #expect(try client.ask("GET", "/v1/audit").text == before.2)
        #expect(try client.ask("GET", "/v1/apps/chat/decisions").text.split(separator: "\n").count == 1)
        #expect(try client.post("/v1/apps/chat/decide", Scene.body("u-1", id: "m-2")).member("labels", "count") == "2")
    }

    @Test("Without sides, what is in force is compared with the folder; a version is named by its first digits")
    func sides() throws {
        let scene = try Scene(isDurable: true)
        let client = try scene.client()
        let hash = try #require(try client.ask("GET", "/v1/apps/chat").member("ruleset"))
        let same = try client.post(Self.path, Self.body([Self.line(1)]))
        #expect(try same.member("changed") == "0" && same.member("new", "name") == "folder", "\(same.text)")
        try scene.write("chat", "rule \"Quiet\" { on = \"present\", decide = suppress \"quiet\" }")
        let saved = try client.post(Self.path, Self.body([Self.line(1)], "\"old\":\"\(hash.prefix(6))\",\"new\":null,"))
        #expect(try saved.member("changed") == "1" && saved.member("old", "name") == hash, "\(saved.text)")
        let back = try client.post(Self.path, Self.body([Self.line(1)], "\"old\":\"folder\",\"new\":\"\(hash)\","))
        #expect(try back.member("kinds", "newly_shown") == "1", "\(back.text)")
        #expect(try client.post(Self.path, Self.body([])).member("events") == "0")
    }

    @Test(
        "What cannot be compared is refused with its place",
        arguments: [
            (body([]), "/v1/apps/nope/diff", 404, "app_unknown", nil), ("[]", path, 400, "request_invalid", ""),
            ("{", path, 400, "json_unfinished", ""), ("{}", path, 400, "request_invalid", ""),
            (#"{"traffic":{}}"#, path, 400, "request_invalid", "/traffic"),
            (body([], #""olt":"folder","#), path, 400, "request_invalid", "/olt"),
            (body([], #""old":3,"#), path, 400, "request_invalid", "/old"), (body([], #""old":{},"#), path, 400, "request_invalid", "/old"),
            (body([], #""old":{"file":{}},"#), path, 400, "request_invalid", "/old/file"),
            (body([], #""new":{"files":{"a.lua":3}},"#), path, 400, "request_invalid", "/new/files/a.lua"),
            (body([], #""new":{"files":[]},"#), path, 400, "request_invalid", "/new/files"),
            (body([], #""new":{"files":{"lib//x.lua":null}},"#), path, 400, "file_path_invalid", "/new/files/lib~1~1x.lua"),
            (body([], #""old":"0000","#), path, 404, "version_unknown", nil),
            (body([], #""new":{"files":{"rules.lua":"rule"}},"#), path, 422, "lua_syntax", nil),
            (body([line(1), line(2, app: "shop")]), path, 422, "traffic_invalid", "/traffic/1/app"),
            (body([line(1), "3"]), path, 400, "traffic_invalid", "/traffic/1"),
            (body([#"{"app":"chat","event":"resume","device":{}}"#]), path, 400, "traffic_invalid", "/traffic/0"),
            (body([#"{"at":"noon","app":"chat","event":"resume","device":{}}"#]), path, 400, "traffic_invalid", "/traffic/0/at"),
            (
                body([line(1), #"{"at":"2026-01-01T12:00:00Z","app":"chat","event":"resume","device":{"state":"up"}}"#]), path, 400,
                "device_invalid", "/traffic/1/device/state"
            ),
            (
                body([#"{"at":"2026-01-01T12:00:00Z","app":"chat","event":"none","device":{}}"#]), path, 400, "event_invalid",
                "/traffic/0/event"
            ),
        ] as [(String, String, Int, String, String?)])
    func refused(body: String, path: String, status: Int, code: String, pointer: String?) throws {
        let scene = try Scene()
        let answer = try scene.client().post(path, body)
        #expect(try answer.status == status && answer.member("code") == code && answer.member("pointer") == pointer, "\(answer.text)")
        if pointer?.hasPrefix("/traffic/1") == true {
            #expect(try answer.member("detail")?.hasPrefix("traffic[1]: ") == true, "\(answer.text)")
        }
    }

    @Test("Too many lines are refused, and a body that is too large is not read")
    func tooMuch() throws {
        let scene = try Scene()
        let lines = try scene.client().post(Self.path, Self.body((0...10_000).map { _ in "0" }))
        #expect(try lines.status == 422 && lines.member("code") == "request_invalid" && lines.member("pointer") == "/traffic")
        let bytes = try scene.client().post(Self.path, Self.body(["\"\(String(repeating: "x", count: 4 << 20))\""]))
        #expect(try bytes.status == 413 && bytes.member("code") == "body_too_large")
    }

    @Test("A rule that does not end costs its events, not the comparison")
    func endless() throws {
        let scene = try Scene()
        let answer = try scene.client().post(Self.path, Self.body([Self.line(1), Self.line(2)], "\"new\":\(Self.endless),"))
        #expect(try answer.status == 200 && answer.member("kinds", "error") == "2", "\(answer.text)")
    }

    @Test("A comparison that takes too long is given up")
    func late() throws {
        let scene = try Scene()
        var wish = ComparisonWish(app: "chat", text: [], lines: [])
        wish.old = .folder
        #expect(throws: HostProblem.self) { try scene.host.compare(wish, within: 0) { true } }
        do throws(HostProblem) {
            _ = try scene.host.compare(wish, within: 0) { true }
        } catch {
            #expect(error.code == "comparison_too_long" && error.status == 413)
        }
    }

    @Test("One comparison is made at a time, and ends when its client goes")
    func oneAtATime() throws {
        let scene = try Scene()
        let long = Self.body((0..<10_000).map { Self.line($0) }, "\"new\":\(Self.endless),")
        var busy: Client? = try scene.client()
        busy?.send("POST \(Self.path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(long.utf8.count)\r\n\r\n\(long)")
        try eventually { scene.api.comparing.isBusy }
        let client = try scene.client()
        let second = try client.post(Self.path, Self.body([]))
        #expect(second.status == 503 && second.fields["retry-after"] != nil && second.text.contains("queue_full"), "\(second.text)")
        #expect(try client.post("/v1/apps/chat/decide", Scene.body(id: "m")).status == 200, "others are answered meanwhile")
        busy = nil
        try eventually { !scene.api.comparing.isBusy }
        #expect(try client.post(Self.path, Self.body([])).status == 200)
    }

    @Test("A comparison ends when the host is about to")
    func draining() throws {
        let scene = try Scene()
        let long = Self.body((0..<10_000).map { Self.line($0) }, "\"new\":\(Self.endless),")
        let busy = try scene.client()
        busy.send("POST \(Self.path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(long.utf8.count)\r\n\r\n\(long)")
        try eventually { scene.api.comparing.isBusy }
        scene.server.drain(within: .seconds(20))
        let answer = try busy.readAnswer()
        #expect(try answer.status == 503 && answer.member("code") == "host_closing", "\(answer.text)")
    }

    @Test("Who may read compares what is there, who may edit too compares files, and nobody the app of others")
    func tokens() throws {
        let scene = try Scene(tokens: try TokenTable(Array(TokenTests.file.utf8)))
        let client = try scene.client()
        func ask(_ token: String, _ body: String, _ path: String = Self.path) throws -> (Int, String?) {
            let answer = try client.post(path, body, "Authorization: Bearer \(token)\r\n")
            return (answer.status, try answer.member("code"))
        }
        #expect(try ask("read", Self.body([])) == (200, nil))
        #expect(try ask("read", Self.body([], "\"old\":\(Self.quiet),")) == (403, "token_role"))
        #expect(try ask("all", Self.body([], "\"old\":\(Self.quiet),")) == (200, nil))
        #expect(try ask("decide", Self.body([])) == (403, "token_role"))
        #expect(try ask("read", Self.body([]), "/v1/apps/shop/diff") == (403, "token_app"))
    }
}
