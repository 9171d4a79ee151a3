// What can be known of apps, and what happens to them.
import Foundation
import HTTPClient
import Testing

struct AppTests {
    @Test("Apps are listed, and one that is asked for tells its rules and its faults")
    func apps() throws {
        let scene = try Scene()
        try scene.write("broken", "rule \"x\" {")
        let client = try scene.client()
        #expect(try client.ask("GET", "/v1/apps").text == #"{"apps":[{"app":"broken"},{"app":"chat"},{"app":"shop"}]}"#)
        let app = try client.ask("GET", "/v1/apps/chat")
        #expect(try app.member("status") == "ok" && app.member("title") == "An app" && app.member("ruleset")?.count == 12, "\(app.text)")
        let broken = try client.ask("GET", "/v1/apps/broken")
        #expect(try broken.status == 200 && broken.member("status") == "failed" && broken.text.contains("\"code\":\"lua_syntax\""))
        #expect(try client.ask("GET", "/v1/apps/nope").member("code") == "app_unknown")
        #expect(try client.ask("GET", "/v1/apps").text.contains("\"status\":\"ok\""))
        #expect(try client.ask("HEAD", "/v1/apps").status == 200)
    }

    @Test("Who listens to an app is told of a reload and of a fault, and of no other app")
    func events() throws {
        let scene = try Scene()
        let client = try scene.client()
        _ = try client.post("/v1/apps/chat/decide", Scene.body(id: "m"))
        _ = try client.post("/v1/apps/shop/decide", Scene.body(id: "m"))
        let listener = try scene.client()
        listener.send("GET /v1/apps/chat/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try listener.readHead().fields["content-type"] == "text/event-stream")
        #expect(try listener.readChunk() == Array(": \n\n".utf8))
        try scene.write("shop", Scene.counting + "\n-- more")
        try scene.write("chat", Scene.counting + "\n-- more")
        let reload = String(decoding: try #require(try listener.readChunk()), as: UTF8.self)
        #expect(reload.hasPrefix("event: reload\ndata: {\"at\":\"") && reload.contains("\"app\":\"chat\"") && reload.hasSuffix("}\n\n"))
        try scene.write("chat", "rule")
        let fault = String(decoding: try #require(try listener.readChunk()), as: UTF8.self)
        #expect(fault.hasPrefix("event: fault\n") && fault.contains("\"status\":\"stale\""), "\(fault)")
    }
}
