// The journal: one line for each thing that happens, and nothing of anybody's message in it.
import Foundation
import HostTelemetry
import RuleHosting
import Testing

@testable import HostTelemetry

struct JournalTests {
    @Test("A line is an object with time, level, event, app and fields")
    func json() throws {
        let scene = try Scene()
        let path = "\(scene.folder)/journal"
        let journal = try Journal(.json, to: try scene.descriptor(path)) { Scene.noon }
        journal.log(.warning, "reload_failed", app: "chat", [("file", "a \"b\".lua\n"), ("line", 3)])
        journal.log(.info, "ready")
        journal.end()
        #expect(
            try scene.text(path) == """
                {"time":"2026-01-01T12:00:00Z","level":"warning","event":"reload_failed","app":"chat","fields":{"file":"a \\"b\\".lua\\n","line":3}}
                {"time":"2026-01-01T12:00:00Z","level":"info","event":"ready","fields":{}}

                """)
    }

    @Test("As text a line is words, in quotes where a terminal or a reader could take them for something else")
    func text() throws {
        let scene = try Scene()
        let path = "\(scene.folder)/journal"
        let journal = try Journal(.text, to: try scene.descriptor(path)) { Scene.noon }
        journal.log(
            .error, "reload_failed", app: "chat", [("file", "a.lua"), ("message", "one\ntwo \u{1B}[31m\u{9B}x"), ("none", ""), ("line", 3)])
        journal.end()
        #expect(
            try scene.text(path)
                == "2026-01-01T12:00:00Z error reload_failed app=chat file=a.lua message=\"one\\ntwo \\u001b[31m\u{FFFD}x\" none=\"\" line=3\n"
        )
    }

    @Test("Neither a message nor a recipient, a key or a token gets into the journal, whatever a rule does with them")
    func canary() throws {
        let scene = try Scene()
        try scene.write(
            "chat",
            """
            rule "Tell" { on = "present", decide = function(msg) error("secret: " .. msg.data.secret .. msg.title) end }
            rule "Busy" { on = "present", when = function(msg) return msg.data.busy end, decide = function() while true do end end }
            """)
        let path = "\(scene.folder)/journal"
        let journal = try Journal(.json, to: try scene.descriptor(path))
        let telemetry = HostTelemetry(version: "1", journal: journal)
        let host = try scene.host(telemetry)
        defer { host.close() }
        var options = DecideOptions()
        options.idempotency = IdempotencyKey(token: "canary-token", key: "canary-key")
        _ = host.ask("chat", [Scene.body("canary-person", id: "canary-id", data: #","secret":"canary-secret""#)], options)
        _ = host.ask("chat", [Scene.body("canary-person", id: "canary-2", data: #","secret":"canary-secret","busy":true"#)])
        _ = host.ask("chat", [Array(#"{"canary-body":"#.utf8)])
        journal.end()
        let text = try scene.text(path)
        #expect(text.contains("rule_error") && text.contains("rule_raised") && text.contains("budget_"))
        #expect(!text.contains("canary") && !text.contains("Hello"))
        #expect(!String(decoding: telemetry.metrics(), as: UTF8.self).contains("canary-"))
    }

    @Test("An error that comes with every message is told once a minute, and counted each time")
    func rareness() throws {
        let scene = try Scene()
        try scene.write("chat", #"rule "Broken" { on = "present", decide = function() error("oh") end }"#)
        let path = "\(scene.folder)/journal"
        let journal = try Journal(.json, to: try scene.descriptor(path))
        let telemetry = HostTelemetry(version: "1", journal: journal)
        let host = try scene.host(telemetry)
        defer { host.close() }
        _ = host.ask("chat", (0..<50).map { Scene.body(id: "\($0)") })
        journal.end()
        #expect(try scene.lines(path).count { $0["event"] as? String == "rule_error" } == 1)
        #expect(telemetry.numbers[#"rulehost_rule_errors_total{app="chat",code="rule_raised"}"#] == 50)
    }
}
