// A request in, an answer out: what a caller sees of a host, whatever is behind it.
import EffectStore
import Foundation
import RuleEngine
import Testing

@testable import RuleHosting

struct DecideTests {
    @Test("A named event is answered with its decision, and no event with those of the journey")
    func shapes() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host()
        let one = host.ask("chat", Scene.body(id: "m-1"))
        #expect(one.status == 200)
        #expect(one.json["event"] as? String == "present")
        let journey = host.ask("chat", Scene.body(id: "m-2", event: nil, device: #","tap":true"#))
        #expect(journey.status == 200)
        #expect(journey.text.hasPrefix("[{\"app\":\"chat\""))
        #expect(journey.text.contains(#""event":"open""#))
        host.close()
    }

    @Test("The next message of a recipient sees what the one before has changed, also when both come at once")
    func visible() throws {
        let scene = try Scene()
        try scene.write("chat")
        for store in [HostStore.memory, .durable(try scene.store())] {
            let host = try scene.host(store)
            let answers = host.askAll((1...40).map { ("chat", Scene.body(id: "m-\($0)"), DecideOptions()) })
            #expect(answers.map(\.badge) == (1...40).map { $0 })
            #expect(host.ask("chat", Scene.body(id: "later")).badge == 41)
            host.close()
        }
    }

    @Test("What was answered is there for the next host")
    func restart() throws {
        let scene = try Scene()
        try scene.write("chat")
        for round in 0..<3 {
            let store = try scene.store()
            let host = try scene.host(.durable(store))
            #expect(host.ask("chat", Scene.body(id: "m-\(round)")).badge == round + 1)
            host.close()
            store.close()
        }
    }

    @Test("A dry run changes nothing, and may say what time it is")
    func dryRun() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host()
        var options = DecideOptions()
        options.isDryRun = true
        for _ in 0..<3 { #expect(host.ask("chat", Scene.body(id: "m-1"), options).badge == 1) }
        let later =
            Array(String(decoding: Scene.body(id: "m-1"), as: UTF8.self).dropLast().utf8) + Array(#","now":"2026-03-01T00:00:00Z"}"#.utf8)
        #expect(host.ask("chat", later, options).status == 200)
        let refused = host.ask("chat", later)
        #expect(refused.status == 403)
        #expect(refused.code == "now_not_allowed")
        options.isDryRun = false
        options.mayChooseNow = true
        #expect(host.ask("chat", later, options).badge == 1)
        host.close()
    }

    @Test("A trace and memory are told when they are asked for")
    func extras() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host()
        var options = DecideOptions()
        #expect(!host.ask("chat", Scene.body(id: "m-1"), options).text.contains("\"trace\""))
        options.trace = .rules
        options.measuresUsage = true
        let answer = host.ask("chat", Scene.body(id: "m-2"), options)
        #expect(answer.text.contains("\"trace\""))
        #expect(answer.text.contains("\"microseconds\""))
        #expect(answer.text.contains("\"memory_bytes\""))
        host.close()
    }

    @Test("A rule that fails is a decision with an error, and not a problem of the request")
    func failingRule() throws {
        let scene = try Scene()
        try scene.write("chat", #"rule "Fails" { on = "present", decide = function() error("no") end }"#)
        let answer = try scene.host().ask("chat", Scene.body(id: "m-1"))
        #expect(answer.status == 200)
        #expect(answer.text.contains("rule_raised"))
    }

    @Test(
        "What is wrong with a request is told with its code and its place",
        arguments: [
            ("", 400, "json_empty", nil, 1, 1),
            ("[]", 400, "not_an_object", "", 1, 1),
            ("{\"message\": {\n  \"aps\": }", 400, "json_token", "", 2, 10),
            ("{\"device\": {}}", 400, "request_invalid", nil, nil, nil),
            ("{\"mesage\": {}, \"device\": {}}", 400, "request_invalid", "/mesage", 1, 2),
            ("{\"message\": 3}", 400, "not_an_object", "/message", 1, 13),
            ("{\"message\": {}, \"device\": {\"screen\": {\"tab\": 3}}}", 400, "device_invalid", "/device/screen/tab", 1, 46),
            ("{\"message\": {},\n\"device\": {\"state\": \"foregruond\"}}", 400, "device_invalid", "/device/state", 2, 21),
            ("{\"message\": {}, \"event\": \"presnt\"}", 400, "event_invalid", "/event", 1, 26),
            ("{\"message\": {}, \"now\": \"noon\"}", 400, "request_invalid", "/now", 1, 24),
        ] as [(String, Int, String, String?, Int?, Int?)])
    func faults(_ body: String, _ status: Int, _ code: String, _ pointer: String?, _ line: Int?, _ column: Int?) throws {
        let scene = try Scene()
        try scene.write("chat")
        let answer = try scene.host().ask("chat", Array(body.utf8))
        #expect(answer.status == status)
        #expect(answer.code == code)
        if let pointer { #expect(answer.json["pointer"] as? String == pointer) }
        #expect(answer.json["line"] as? Int == line, "\(answer.text)")
        #expect(answer.json["column"] as? Int == column, "\(answer.text)")
        #expect(answer.json["type"] as? String == "urn:rulehost:error:\(code)")
        #expect(answer.json["status"] as? Int == status)
    }

    @Test("An app that is not there is not found, and one that does not load says why and when to ask again")
    func apps() throws {
        let scene = try Scene()
        try scene.write("broken", "rule \"x\" {")
        let host = try scene.host()
        for name in ["nobody", "../etc", "", "Chat"] {
            let answer = host.ask(name, Scene.body(id: "m-1"))
            #expect(answer.status == 404 && answer.code == "app_unknown", "\(name): \(answer.text)")
        }
        let answer = host.ask("broken", Scene.body(id: "m-1"))
        #expect(answer.status == 503)
        #expect(answer.code == "lua_syntax")
        #expect(answer.retryAfter != nil)
        #expect((answer.json["faults"] as? [[String: Any]])?.first?["file"] as? String == "rules.lua")
        host.close()
    }

    @Test("A message that is too large is refused")
    func tooLarge() throws {
        let scene = try Scene()
        try scene.write("chat")
        let host = try scene.host()
        let large = #","x":"\#(String(repeating: "a", count: 70_000))""#
        let message = host.ask("chat", Scene.body(id: "m-1", data: large))
        #expect(message.status == 413 && message.code == "too_large", "\(message.text)")
        let body = host.ask("chat", [UInt8](repeating: 0x20, count: 300_000))
        #expect(body.status == 413 && body.code == "too_large", "\(body.text)")
        host.close()
    }
}
