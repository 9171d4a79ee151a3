// What somebody who listens to an app hears first, and what when he comes back.
import Foundation
import HTTPClient
import HTTPServer
import PushMessage
import Testing

@testable import HTTPAPI
@testable import RuleHosting

struct EventTests {
    private func listen(_ scene: Scene, after id: String? = nil) throws -> EventReader {
        try EventReader(scene, fields: id.map { "Last-Event-ID: \($0)\r\n" } ?? "")
    }

    private func save(_ scene: Scene, _ number: Int, _ client: Client) throws {
        let old = try client.ask("GET", "/v1/apps/chat").member("ruleset")
        try scene.write("chat", Scene.counting + "\n-- \(number)")
        while try client.ask("GET", "/v1/apps/chat").member("ruleset") == old {}
    }

    @Test("Who comes hears first how the app is, also when nobody has asked for it yet")
    func state() throws {
        let scene = try Scene()
        let client = try scene.client()
        let first = try listen(scene).next("state")
        let ruleset = try #require(try client.ask("GET", "/v1/apps/chat").member("ruleset"))
        #expect(first.data.contains("\"ruleset\":\"\(ruleset)\"") && first.data.contains("\"status\":\"ok\""), "\(first)")
        #expect(first.data.hasPrefix("{\"at\":\"") && !first.id.isEmpty)
        let listener = try listen(scene)
        #expect(try listener.next().name == "state")
        try scene.write("chat", "rule")
        #expect(try listener.next().name == "fault")
        let second = try listen(scene).next()
        #expect(second.name == "state" && second.data.contains("\"status\":\"stale\",\"faults\":[{"), "\(second)")
    }

    @Test("Who comes back with the id of the last event hears those since then, in their order and once, and then how the app is")
    func comesBack() throws {
        let scene = try Scene()
        let client = try scene.client()
        let here = try listen(scene)
        let start = try here.next("state").id
        try save(scene, 1, client)
        let first = try here.next("reload")
        try save(scene, 2, client)
        let second = try here.next("reload")
        #expect(Set([start, first.id, second.id]).count == 3)
        let late = try listen(scene, after: first.id)
        #expect(try late.next() == second)
        let state = try late.next()
        #expect(state.name == "state" && state.id == second.id)
        #expect(try listen(scene, after: second.id).next().name == "state")
        try save(scene, 3, client)
        #expect(try late.next() == here.next("reload"))
        // What happened before he came is not told to who is new.
        #expect(try listen(scene).next().name == "state")
    }

    @Test("Who asks for the head alone is told that there is no length, as who listens is")
    func head() throws {
        let scene = try Scene()
        let client = try scene.client()
        for _ in 0..<2 {
            let head = try client.ask("HEAD", "/v1/apps/chat/events")
            #expect(head.status == 200 && head.fields["content-type"] == "text/event-stream")
            #expect(head.fields["content-length"] == nil && head.fields["transfer-encoding"] == "chunked")
        }
    }

    @Test("Who comes back after too much, or to another host, is told that he has missed something")
    func missed() throws {
        let scene = try Scene()
        let client = try scene.client()
        let here = try listen(scene)
        let start = try here.next("state").id
        for id in ["", "x", "0-1", start + "9", String(start.dropLast()) + "-1", "\(start.prefix { $0 != "-" })-99"] {
            let back = try listen(scene, after: id)
            #expect(try back.next() == EventReader.Event(name: "missed", data: #"{"of":"events"}"#), "\(id)")
            #expect(try back.next("state").id == start)
        }
        try save(scene, 1, client)
        #expect(try here.next().name == "reload")
    }

    @Test("Of an app a hundred events are kept, and few bytes; how many were missed is told")
    func bounds() {
        var desk = EventDesk()
        func event(_ kind: HostEvent.Kind = .reload) -> HostEvent {
            HostEvent(app: "chat", at: Instant(milliseconds: 0), kind: kind, info: nil)
        }
        let body = Array("event: reload\ndata: {}\n".utf8)
        func greeting(_ heard: UInt64) -> String {
            String(
                decoding: desk.greeting(EventListener.Place(before: desk.number, heard: .until(heard)), nil) { _ in Array("state\n".utf8) },
                as: UTF8.self)
        }
        for _ in 0..<150 { _ = desk.add(event(), body) }
        let all = greeting(0)
        #expect(all.hasPrefix("event: missed\ndata: {\"of\":\"events\",\"count\":50}\n\nevent: reload\n"), "\(all.prefix(200))")
        #expect(all.components(separatedBy: "event: reload").count == 101)
        #expect(greeting(50).hasPrefix("event: reload") && greeting(49).contains("\"count\":1}"))
        #expect(greeting(150).hasPrefix("state\nid: "))
        _ = desk.add(event(), Array(repeating: 0x20, count: 100_000))
        #expect(greeting(150).hasPrefix("event: missed\ndata: {\"of\":\"events\",\"count\":1}\n\nstate\n"))
        _ = desk.add(event(), body)
        #expect(greeting(150).hasPrefix("event: missed\ndata: {\"of\":\"events\",\"count\":1}\n\nevent: reload\n"))
    }
}
