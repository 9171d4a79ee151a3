// What was decided, looked at afterwards: the log of decisions by app, decisions as they happen, and what has been counted.
import Foundation
import HTTPClient
import HTTPServer
import HostTelemetry
import Testing

@testable import HTTPAPI

struct DecisionTests {
    private static let path = "/v1/apps/chat/decisions"

    /// Of the lines, in their order.
    private func ids(_ answer: Client.Received) throws -> [String] {
        try answer.text.split(separator: "\n").map { line in
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (value?["decision"] as? [String: Any])?["message_id"] as? String ?? "none"
        }
    }

    @Test("The log of decisions is told by app, the newest last, and no app meets the lines of another")
    func tail() throws {
        let scene = try Scene(isWatched: true)
        let client = try scene.client()
        for number in 0..<6 {
            let app = number % 2 == 0 ? "chat" : "shop"
            // One that names the other app in its message is no line of it.
            let more = #","more":{"app":"chat"}"#
            _ = try client.post("/v1/apps/\(app)/decide", Scene.body("u-\(number)", id: "m-\(number)", more: more))
        }
        scene.telemetry?.decisions?.end()
        let all = try client.ask("GET", Self.path)
        #expect(try all.status == 200 && all.fields["content-type"] == "application/x-ndjson" && ids(all) == ["m-0", "m-2", "m-4"])
        #expect(try ids(client.ask("GET", Self.path + "?limit=2")) == ["m-2", "m-4"])
        #expect(try ids(client.ask("GET", "/v1/apps/shop/decisions")) == ["m-1", "m-3", "m-5"])
        for (query, found) in [
            ("recipient=u-2", ["m-2"]), ("recipient=u-1", []), ("message_id=m-4", ["m-4"]), ("action=show&limit=1", ["m-4"]),
            ("action=suppress", []), ("event=present&message_id=m-0", ["m-0"]), ("event=open", []), ("rule=Count", ["m-0", "m-2", "m-4"]),
            ("rule=Other", []),
        ] {
            #expect(try ids(client.ask("GET", Self.path + "?" + query)) == found, "\(query)")
        }
        #expect(try client.ask("GET", Self.path + "?limit=0").member("code") == "query_invalid")
        #expect(try client.ask("GET", "/v1/apps/nope/decisions").member("code") == "app_unknown")
    }

    @Test("A long log is read from its end, through lines of any length and those that are no lines")
    func long() throws {
        let scene = try Scene(isWatched: true)
        scene.telemetry?.decisions?.end()
        let log = try #require(FileHandle(forWritingAtPath: "\(scene.folder)/decisions.ndjson"))
        func line(_ number: Int, _ app: String, _ length: Int) -> String {
            let text = String(repeating: "x", count: length)
            return #"{"at":"2026-01-01T00:00:00Z","app":"\#(app)","device":{"recipient":"r"},"#
                + #""decision":{"message_id":"\#(number)","text":"\#(text)"}}"#
        }
        for number in 0..<200 {
            let length = number % 50 == 0 ? 700_000 : number * 97 % 5_000
            try log.write(contentsOf: Data((line(number, number % 3 == 0 ? "chat" : "shop", length) + "\n").utf8))
            if number % 20 == 0 { try log.write(contentsOf: Data("no line \"app\":\"chat\"\n\n".utf8)) }
        }
        try log.write(contentsOf: Data(#"{"at":"2026-01-01T00:00:00Z","app":"chat","decis"#.utf8))
        let found = try ids(scene.client().ask("GET", Self.path + "?limit=1000"))
        #expect(found == (0..<200).filter { $0 % 3 == 0 }.map(String.init))
    }

    @Test(
        "Where recipients are masked nobody is found by name, and that is said; by the name in the log he is",
        arguments: ["device.recipient", "device", "device.*"])
    func masked(_ mask: String) throws {
        let scene = try Scene(isWatched: true, masks: [mask])
        let client = try scene.client()
        _ = try client.post("/v1/apps/chat/decide", Scene.body("u-1", id: "m-1"))
        scene.telemetry?.decisions?.end()
        let refused = try client.ask("GET", Self.path + "?recipient=u-1")
        #expect(try refused.status == 409 && refused.member("code") == "decisions_masked", "\(refused.text)")
        #expect(try ids(client.ask("GET", Self.path)) == ["m-1"])
        let name = try #require(try client.ask("GET", Self.path).text.firstMatch(of: /masked-[0-9a-f]{16}/)).output
        #expect(try ids(client.ask("GET", Self.path + "?recipient=\(name)")) == ["m-1"])
        let other = try Scene(isWatched: true, masks: ["message.aps"])
        #expect(try other.client().ask("GET", Self.path + "?recipient=u-1").status == 200)
    }

    @Test("A host without a log of decisions says which flag it lacks", arguments: ["decisions", "events?decisions=1"])
    func none(route: String) throws {
        let scene = try Scene()
        let answer = try scene.client().ask("GET", "/v1/apps/chat/" + route)
        #expect(try answer.status == 409 && answer.member("code") == "decisions_not_logged" && answer.text.contains("--log-decisions"))
    }

    @Test("Who asks for decisions hears each of them as the log gets it, of his app alone")
    func live() throws {
        let scene = try Scene(isWatched: true)
        let client = try scene.client()
        let listener = try EventReader(scene, query: "?decisions=1")
        _ = try client.post("/v1/apps/shop/decide", Scene.body(id: "s-1"))
        _ = try client.post("/v1/apps/chat/decide", Scene.body(id: "m-1"))
        let event = try listener.next("decision")
        #expect(event.data.hasPrefix(#"{"at":""#) && event.data.contains(#""message_id":"m-1""#) && event.id.isEmpty, "\(event)")
    }

    @Test("Who does not keep up misses decisions, and is told how many")
    func missed() throws {
        let scene = try Scene(isWatched: true)
        let listener = try Client(scene.address, room: 4_096)
        listener.send("GET /v1/apps/chat/events?decisions=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try listener.readHead().status == 200)
        let client = try scene.client()
        let text = String(repeating: "x", count: 20_000)
        // More than the system keeps for a client that does not read, and the server besides.
        let count = 500
        for number in 0..<count {
            let body =
                #"{"event":"present","message":{"message_id":"m-\#(number)","aps":{"alert":"\#(text)"}},"device":{"recipient":"u"}}"#
            try #require(try client.post("/v1/apps/chat/decide?dry_run=0", body).status == 200)
        }
        scene.telemetry?.decisions?.end()
        var (heard, told) = (0, 0)
        while heard + told < count {
            let text = String(decoding: try #require(try listener.readChunk()), as: UTF8.self)
            try #require(text != ": \n\n" || heard == 0, "there is silence after \(heard) and \(told)")
            // Several may come in one piece.
            for event in text.components(separatedBy: "\n\n") {
                if event.hasPrefix("event: decision\n") { heard += 1 }
                let match = event.wholeMatch(of: #/event: missed\ndata: \{"of":"decisions","count":(\d+)\}/#)
                told += match.flatMap { Int($0.1) } ?? 0
            }
        }
        #expect(told > 0 && heard + told == count, "\(heard) heard, \(told) missed")
    }

    @Test("An app tells its limits and what has been counted of it")
    func counters() throws {
        let scene = try Scene(isWatched: true)
        try scene.write(
            "chat",
            """
            rule "Fails" { on = "present", when = function(msg) return msg.id == "m-2" end, decide = function() error("no") end }
            rule "Quiet" { on = "present", when = function(msg) return msg.id == "m-3" end, decide = suppress "quiet" }
            """)
        try #"return { api = 1, limits = { fuel = 5000 } }"#.write(
            toFile: "\(scene.folder)/rules/chat/app.lua", atomically: true, encoding: .utf8)
        let client = try scene.client()
        for id in ["m-1", "m-2", "m-3", "m-3"] { _ = try client.post("/v1/apps/chat/decide", Scene.body(id: id)) }
        let answer = try client.ask("GET", "/v1/apps/chat")
        #expect(try answer.member("limits", "fuel") == "5000" && answer.member("limits", "milliseconds") != nil, "\(answer.text)")
        let counted = #""counters":{"decisions":{"show":2,"suppress":2,"defer":0,"none":0},"rule_errors":{"rule_raised":1}"#
        #expect(answer.text.contains(counted), "\(answer.text)")
        #expect(try answer.member("counters", "duplicates") == "1")
        #expect(try client.ask("GET", "/v1/apps/shop").member("counters", "fuel") == "0")
    }
}
