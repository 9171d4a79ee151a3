// What becomes of streams that are open when their token is not good any more: they say why and end, and nobody else's does.
import HTTPClient
import HTTPServer
import Testing

@testable import HTTPAPI

struct TurnedOutTests {
    /// The words of TokenTests, and `new`, which is to take the place of `read`.
    private static let new = "reader sha256:11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437 read chat"

    private static func file(_ change: (String) -> String? = { $0 }) throws -> TokenTable {
        let lines = TokenTests.file.split(separator: "\n").map(String.init).compactMap(change)
        return try TokenTable(Array(lines.joined(separator: "\n").utf8))
    }

    private static func replacing(_ name: String, _ old: String, _ new: String) throws -> TokenTable {
        try file { $0.hasPrefix(name) ? $0.split(separator: " ").map { $0 == old ? new : String($0) }.joined(separator: " ") : $0 }
    }

    private func listen(_ scene: Scene, _ token: String) throws -> EventReader {
        let reader = try EventReader(scene, fields: "Authorization: Bearer \(token)\r\n")
        _ = try reader.next("state")
        return reader
    }

    private func stream(_ scene: Scene, _ token: String) throws -> Client {
        let client = try scene.client()
        client.send("POST /v1/decide HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(try client.readHead().status == 200)
        return client
    }

    private func ask(_ client: Client, _ app: String, id: String) throws -> String {
        let line = Scene.body(id: id, app: app) + "\n"
        client.send("\(String(line.utf8.count, radix: 16))\r\n\(line)\r\n")
        return String(decoding: try client.readChunk() ?? [], as: UTF8.self)
    }

    /// What is left of a stream, whose connection must end.
    private func rest(_ client: Client) throws -> String { String(decoding: try client.readToEnd(), as: UTF8.self) }

    @Test("A stream whose token is gone says so and ends with its connection, and those of others go on")
    func gone() throws {
        let scene = try Scene(tokens: try Self.file())
        let events = try listen(scene, "read")
        let lines = try stream(scene, "decide")
        let others = (try listen(scene, "all"), try stream(scene, "all"))
        #expect(try ask(lines, "chat", id: "m-1").contains("\"message_id\":\"m-1\""))
        scene.tokens?.replace(with: try Self.file { $0.hasPrefix("reader") || $0.hasPrefix("caller") ? nil : $0 })
        let last = try rest(events.client)
        #expect(last.contains("event: ended\ndata: {") && last.contains("\"code\":\"token_unknown\""), "\(last)")
        #expect(last.hasSuffix("\r\n0\r\n\r\n"))
        let problem = try rest(lines)
        #expect(problem.contains("\"code\":\"token_unknown\"") && problem.hasSuffix("}\n\r\n0\r\n\r\n"), "\(problem)")
        try scene.write("chat", Scene.counting + "\n-- another\n")
        #expect(try others.0.next().name == "reload")
        #expect(try ask(others.1, "chat", id: "m-2").contains("\"message_id\":\"m-2\""))
    }

    @Test("A token that takes the place of another of the same name ends the streams of the one before")
    func rotated() throws {
        let scene = try Scene(tokens: try Self.file())
        let events = try listen(scene, "read")
        scene.tokens?.replace(with: try Self.file { $0.hasPrefix("reader") ? Self.new : $0 })
        #expect(try rest(events.client).contains("token_unknown"))
        let again = try listen(scene, "new")
        scene.tokens?.replace(with: try Self.file { $0.hasPrefix("reader") ? Self.new : $0 })
        try scene.write("chat", Scene.counting + "\n-- another\n")
        #expect(try again.next().name == "reload")
    }

    @Test("A token that has lost the role or the app of a stream ends it, and says which of them")
    func narrowed() throws {
        for (old, new, code) in [("read", "decide", "token_role"), ("chat", "shop", "token_app")] {
            let scene = try Scene(tokens: try Self.file())
            let events = try listen(scene, "read")
            scene.tokens?.replace(with: try Self.replacing("reader", old, new))
            #expect(try rest(events.client).contains("\"code\":\"\(code)\""))
        }
        let scene = try Scene(tokens: try Self.file())
        let lines = try stream(scene, "decide")
        scene.tokens?.replace(with: try Self.replacing("caller", "decide", "read"))
        #expect(try rest(lines).contains("\"code\":\"token_role\""))
    }

    @Test("A stream of lines whose token has other apps goes on with those")
    func otherApps() throws {
        let scene = try Scene(tokens: try Self.file())
        let lines = try stream(scene, "decide")
        #expect(try ask(lines, "shop", id: "m-1").contains("token_app"))
        scene.tokens?.replace(with: try Self.replacing("caller", "chat", "shop"))
        #expect(try ask(lines, "shop", id: "m-2").contains("\"message_id\":\"m-2\""))
        #expect(try ask(lines, "chat", id: "m-3").contains("token_app"))
    }

    @Test("Lines that have come before their token has gone are answered, then the problem is told")
    func underWay() throws {
        let scene = try Scene(tokens: try Self.file())
        let client = try stream(scene, "decide")
        let lines = (0..<500).map { Scene.body(id: "m-\($0)", app: "chat") + "\n" }.joined()
        client.send("\(String(lines.utf8.count, radix: 16))\r\n\(lines)\r\n")
        var text = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
        scene.tokens?.replace(with: try Self.file { $0.hasPrefix("caller") ? nil : $0 })
        while let chunk = try client.readChunk() { text += String(decoding: chunk, as: UTF8.self) }
        // As many as have been read by then.
        let answers = text.split(separator: "\n")
        for (number, answer) in answers.dropLast().enumerated() { #expect(answer.contains("\"message_id\":\"m-\(number)\"")) }
        #expect(answers.count > 1 && answers.last?.contains("token_unknown") == true)
        #expect(try client.readToEnd() == [])
    }
}
