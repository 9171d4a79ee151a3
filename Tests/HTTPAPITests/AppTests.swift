// What can be known of apps, and what happens to them.
import Foundation
import HTTPClient
import Testing

struct AppTests {
    @Test("Apps are listed, and one that is asked for tells its rules and its faults")
    func apps() throws {
        let scene = try Scene()
        try scene.add("broken", "rule \"x\" {")
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

    @Test("Where the folders lie on the host's machine is told to nobody, also when they are gone")
    func withoutPaths() throws {
        let scene = try Scene()
        let client = try scene.client()
        try FileManager.default.createDirectory(atPath: "\(scene.folder)/rules/chat/cases", withIntermediateDirectories: true)
        let named = #"[{"name": "n", "event": "present", "message": "none.json", "expect": {}}]"#
        try named.write(toFile: "\(scene.folder)/rules/chat/cases/a.json", atomically: true, encoding: .utf8)
        let missing = try client.ask("GET", "/v1/apps/chat")
        #expect(missing.text.contains("case_file_missing") && !missing.text.contains(scene.folder), "\(missing.text)")
        try FileManager.default.removeItem(atPath: "\(scene.folder)/rules")
        let gone = try client.ask("GET", "/v1/apps")
        #expect(try gone.status == 503 && gone.member("code") == "rules_missing" && !gone.text.contains(scene.folder), "\(gone.text)")
    }

    @Test("Who listens to an app is told of a reload and of a fault, and of no other app")
    func events() throws {
        let scene = try Scene()
        let client = try scene.client()
        _ = try client.post("/v1/apps/chat/decide", Scene.body(id: "m"))
        _ = try client.post("/v1/apps/shop/decide", Scene.body(id: "m"))
        let listener = try EventReader(scene)
        #expect(try listener.next().name == "state")
        try scene.write("shop", Scene.counting + "\n-- more")
        try scene.write("chat", Scene.counting + "\n-- more")
        let reload = try listener.next()
        #expect(reload.name == "reload" && reload.data.hasPrefix("{\"at\":\"") && reload.data.contains("\"app\":\"chat\""), "\(reload)")
        try scene.write("chat", "rule")
        let fault = try listener.next()
        #expect(fault.name == "fault" && fault.data.contains("\"status\":\"stale\""), "\(fault)")
    }
}
