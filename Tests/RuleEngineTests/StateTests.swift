// What rules remember: reading, writing, layers, quotas, types, time.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct StateTests {
    /// Runs `body` inside one rule; what it returns is put into the label `got`.
    private func run(_ body: String, state: AppState = AppState(), more: String = "", now: Instant? = nil) throws -> Scene.Answer {
        try Scene(
            rules: """
                rule "R" { on = "present", decide = function(msg, device)
                  local got = (function() \(body) end)()
                  return { labels = { got = type(got) .. ":" .. json.encode(got == nil and "nil" or got) } }
                end }
                \(more)
                """, app: Scene.forgetful, now: now ?? Scene().now, state: state
        ).answer()
    }

    private func got(_ answer: Scene.Answer) -> String? {
        answer.decision.labels.first { $0.name == "got" }?.value ?? answer.decision.errors.first?.message
    }

    @Test(
        "Every kind of value comes back as it was written",
        arguments: [
            ("1", "number:1"), ("1.5", "number:1.5"), (#""text""#, #"string:"text""#), ("true", "boolean:true"),
            ("false", "boolean:false"), ("{ 1, 2 }", "table:[1,2]"), ("{ a = { b = 1 } }", #"table:{"a":{"b":1}}"#), ("{}", "table:[]"),
        ])
    func roundTrip(value: String, expected: String) throws {
        for scope in ["state", "state.app"] {
            let answer = try run(#"\#(scope).set("k", \#(value)); return \#(scope).get("k")"#)
            #expect(got(answer) == expected)
            let later = try run(#"return \#(scope).get("k")"#, state: answer.state)
            #expect(got(later) == expected)
        }
    }

    @Test("A view can be stored")
    func view() throws {
        let answer = try run(#"state.set("m", msg.data); return state.get("m").chat_id"#)
        #expect(got(answer) == #"string:"r-1""#)
        #expect(answer.state.one.values["m"]?.json == Array(#"{"message_id":"m-1","chat_id":"r-1"}"#.utf8))
    }

    @Test("The recipient's state and the app's are two")
    func scopes() throws {
        let answer = try run(#"state.set("k", 1); state.app.set("k", 2); return state.get("k")"#)
        #expect(got(answer) == "number:1")
        #expect(answer.state.one.values["k"]?.json == Array("1".utf8))
        #expect(answer.state.shared["k"]?.json == Array("2".utf8))
    }

    @Test("Counting, deleting, asking and listing")
    func functions() throws {
        #expect(got(try run(#"return state.incr("n")"#)) == "number:1")
        #expect(got(try run(#"state.incr("n", 5); return state.incr("n", -2)"#)) == "number:3")
        #expect(got(try run(#"state.set("k", 1); state.delete("k"); return state.has("k")"#)) == "boolean:false")
        #expect(got(try run(#"return state.has("k")"#)) == "boolean:false")
        #expect(got(try run(#"return state.get("k")"#)) == #"nil:"nil""#)
        let keys = try run(
            #"state.set("b", 1); state.set("a2", 1); state.set("a1", 1); state.set("a3", 1); state.delete("a3"); return state.keys("a")"#)
        #expect(got(keys) == #"table:["a1","a2"]"#)
        #expect(got(try run("return state.keys()", state: keys.state)) == #"table:["a1","a2","b"]"#)
    }

    @Test(
        "What is wrong is an error that names the key",
        arguments: [
            (
                #"state.set("k", 1); state.set("k", "x")"#,
                "state.set: \"k\" holds a number, not a text; delete it before it changes its type"
            ),
            (
                #"state.set("k", {1}); state.set("k", {a=1})"#,
                "state.set: \"k\" holds a list, not a table; delete it before it changes its type"
            ),
            (#"state.set("k", "x"); state.incr("k")"#, "state.incr: \"k\" holds a text, not a whole number"),
            (#"state.set("k", 1.5); state.incr("k")"#, "state.incr: \"k\" holds a number, not a whole number"),
            (#"state.set("k", math.maxinteger); state.incr("k")"#, "state.incr: \"k\" would become too large"),
            (#"state.set("k", nil)"#, "state.set: the value of \"k\" is nil; use state.delete"),
            (#"state.get(7)"#, "state.get: a key must be a text"), (#"state.get()"#, "state.get: a key must be a text"),
            (#"state.get("")"#, "state.get: the key \"\" has 0 bytes; 1 to 128 are allowed"),
            (#"state.app.set("k", "x", { til = 1 })"#, "state.app.set: there is no option \"til\"; there is ttl"),
            (#"state.set("k", "x", { ttl = 0 })"#, "state.set: ttl must be seconds or a text such as \"1h30m\""),
        ])
    func faults(body: String, message: String) throws {
        let answer = try run(body)
        let error = try #require(answer.decision.errors.first)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.code == "rule_raised" && error.rule == "R" && error.file == "rules.lua" && error.line == 2)
        #expect(answer.effects.isEmpty)
    }

    @Test("A deleted key may change its type; an empty table is list and table")
    func newType() throws {
        #expect(got(try run(#"state.set("k", 1); state.delete("k"); state.set("k", "x"); return state.get("k")"#)) == #"string:"x""#)
        #expect(
            got(try run(#"state.set("k", {}); state.set("k", {a=1}); state.set("k", {}); state.set("k", {1}); return state.get("k")"#))
                == "table:[1]")
    }

    @Test("A key of 128 bytes is the longest")
    func keyLength() throws {
        #expect(try run(#"state.set(("k"):rep(128), 1)"#).effects.count == 1)
        #expect(try run(#"state.set(("k"):rep(129), 1)"#).decision.errors.first?.message.contains("has 129 bytes; 1 to 128") == true)
    }

    @Test("64 KiB a recipient, 1 MiB an app: the write that is too much names its key and its rule fails")
    func quota() throws {
        let fits = try run(#"state.set("k", ("x"):rep(65533)); return true"#)
        #expect(got(fits) == "boolean:true")
        let tooMuch = try run(#"state.set("k", ("x"):rep(65534))"#)
        #expect(
            tooMuch.decision.errors.first?.message.contains("with \"k\" the recipient would hold 65537 bytes; at most 65536 are kept")
                == true)
        #expect(tooMuch.effects.isEmpty)
        #expect(try run(#"state.set("j", 1)"#, state: fits.state).decision.errors.count == 1)
        #expect(try run(#"state.set("k", "short"); state.set("j", 1)"#, state: fits.state).decision.errors.isEmpty)
        #expect(try run(#"state.delete("k"); state.set("j", 1)"#, state: fits.state).decision.errors.isEmpty)
        var full = AppState()
        for place in 0..<16 { full.shared["k\(place)"] = StoredValue(json: [UInt8](repeating: 48, count: 65_533)) }
        #expect(
            try run(#"state.app.set("one more key", 1)"#, state: full).decision.errors.first?.message.contains("the app would hold") == true
        )
    }

    @Test("A value with a time to live is gone when its time is over, exactly then")
    func timeToLive() throws {
        let written = try run(#"state.set("k", 1, { ttl = "1h" }); state.set("s", 1, { ttl = 60 }); return state.get("k")"#)
        #expect(got(written) == "number:1")
        let start = Scene().now.milliseconds
        #expect(written.state.one.values["k"]?.expiresAt == Instant(milliseconds: start + 3_600_000))
        #expect(written.state.one.values["s"]?.expiresAt == Instant(milliseconds: start + 60_000))
        func later(_ milliseconds: Int64, _ body: String) throws -> String? {
            got(try run(body, state: written.state, now: Instant(milliseconds: start + milliseconds)))
        }
        #expect(try later(3_599_999, #"return state.get("k")"#) == "number:1")
        #expect(try later(3_600_000, #"return state.get("k")"#) == #"nil:"nil""#)
        #expect(try later(3_600_000, #"return state.keys()"#) == "table:[]")
        #expect(try later(3_600_000, #"state.set("k", "text"); return state.get("k")"#) == #"string:"text""#)
        #expect(try later(3_599_999, #"return state.incr("k")"#) == "number:2")
        #expect(try later(3_600_000, #"return state.incr("k")"#) == "number:1")
    }

    @Test("Later rules see what earlier ones wrote")
    func seenLater() throws {
        let answer = try run(
            #"state.set("k", 1)"#,
            more: #"rule "S" { on = "present", when = function() return state.get("k") == 1 end, decide = { title = "seen" } }"#)
        #expect(answer.decision.content.title == "seen")
    }

    @Test(
        "A rule that fails, or whose when says no, has written nothing",
        arguments: [
            #"decide = function() state.set("k", 1); settings.set("promo", false); error("x") end"#,
            #"decide = function() state.set("k", 1); return { nonsense = 1 } end"#,
            #"when = function() state.set("k", 1); return false end, decide = {}"#,
            #"when = function() state.set("k", 1); error("x") end, decide = {}"#,
        ])
    func nothingWritten(rule: String) throws {
        let answer = try Scene(
            rules: """
                rule "A" { on = "present", decide = function() state.set("a", 1) return {} end }
                rule "R" { on = "present", \(rule) }
                rule "S" { on = "present", decide = function() return { labels = { k = tostring(state.has("k")) } } end }
                """
        ).answer()
        #expect(answer.decision.labels.map(\.value) == ["false"])
        #expect(answer.effects == [.setValue(scope: .recipient, key: "a", value: StoredValue(json: [49]))])
    }

    @Test("Each recipient has its own state")
    func recipients() throws {
        var scene = Scene(
            rules: #"rule "R" { on = "present", decide = function() return { labels = { n = tostring(state.incr("n")) } } end }"#,
            app: Scene.forgetful)
        scene.state = try scene.answer().state
        scene.state = try scene.answer().state
        #expect(scene.state.one.values["n"]?.json == [50])
        scene.device = #"{"recipient":"u-2","state":"foreground"}"#
        #expect(try scene.answer().decision.labels.first?.value == "1")
    }

    @Test("Switches are read as the guards read them, set for the next time, and reset at once")
    func settings() throws {
        let app = #"return { api = 1, guards = { duplicate = false }, channels = { promo = { default = false }, chat = {} } }"#
        func run(_ body: String, device: String = "", state: AppState = AppState()) throws -> Scene.Answer {
            try Scene(
                rules: #"rule "R" { on = "receive", decide = function() \#(body) end }"#, app: app,
                device: #"{"recipient":"u-1"\#(device)}"#, event: #""receive""#, state: state
            ).answer()
        }
        func label(_ answer: Scene.Answer) -> String? { answer.decision.labels.first?.value ?? answer.decision.errors.first?.message }
        let get = #"return { labels = { on = tostring(settings.get("promo")) } }"#
        #expect(label(try run(get)) == "false")
        #expect(label(try run(get, device: #","channels":{"promo":true}"#)) == "true")
        let set = try run(#"settings.set("promo", true); \#(get)"#)
        #expect(label(set) == "true")
        #expect(set.state.one.channels == ["promo": true])
        #expect(label(try run(get, state: set.state)) == "true")
        let reset = try run(#"settings.set("chat", false); settings.reset(); \#(get)"#, state: set.state)
        #expect(label(reset) == "false")
        #expect(reset.state.one.channels.isEmpty)
        #expect(try run(#"settings.set("promo", "on")"#).decision.errors.count == 1)
    }
}
