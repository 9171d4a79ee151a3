// Rules that fail: what they cost, what they do not cost.
import LuaSandbox
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct RuleErrorTests {
    private static let endless = #"rule "Endless" { on = "present", decide = function() state.set("e", 1) while true do end end }"#

    @Test(
        "A rule that fails loses its contribution, the others count, the error has its place",
        arguments: [
            (#"function() error("oh no") end"#, "rule_raised", "oh no"),
            (#"function() local t = nil; return t.x end"#, "rule_raised", "nil"),
            (#"function() return 5 end"#, "bad_value", ""),
            (#"function() return { dispaly = "show" } end"#, "bad_value", "display"),
            (#"function() return { display = { "baner" } } end"#, "bad_value", "banner"),
            (#"function() return { badge = "many" } end"#, "bad_value", "badge"),
            (#"function() return function() end end"#, "bad_value", ""),
            (#"function() return { inbox = print } end"#, "rule_raised", ""),
        ])
    func costsOneRule(decide: String, code: String, word: String) throws {
        let answer = try Scene(
            rules: """
                rule "A" { on = "present", decide = { title = "a" } }
                rule "B" {
                  on = "present",
                  decide = \(decide) }
                rule "C" { on = "present", decide = { body = "c" } }
                """
        ).answer()
        if decide.contains("print") {
            // A name that is not there is nil or an error; either way nothing is kept.
            #expect(answer.decision.inbox == nil)
        } else {
            let error = try #require(answer.decision.errors.first)
            #expect(answer.decision.errors.count == 1)
            #expect(error.code == code, "\(error)")
            #expect(error.rule == "B" && error.file == "rules.lua" && (2...4).contains(error.line))
            #expect(error.message.contains(word), "\(error.message)")
        }
        #expect(answer.decision.content.title == "a" && answer.decision.content.body == "c")
        #expect(answer.decision.display?.action == .show)
    }

    @Test("A when that raises is a rule error")
    func whenRaises() throws {
        let answer = try Scene(
            rules: #"rule "A" { on = "present", when = function() error("x") end, decide = suppress "a" }"#
        ).answer()
        #expect(answer.decision.errors.first?.code == "rule_raised")
        #expect(answer.decision.display?.action == .show)
    }

    @Test("on_error decides what is shown when nothing else did")
    func onError() throws {
        let failing = #"rule "Broken" { on = "present", decide = function() error("x") end }"#
        let app = #"return { api = 1, on_error = "suppress" }"#
        let suppressed = try Scene(rules: failing, app: app).answer().decision.display
        #expect(suppressed?.action == .suppress && suppressed?.rule == "Broken" && suppressed?.reason != nil)
        #expect(try Scene(rules: failing).answer().decision.display?.action == .show)
        let other = failing + #" rule "Other" { on = "present", decide = show { "list" } }"#
        #expect(try Scene(rules: other, app: app).answer().decision.display?.options == .list)
        #expect(try Scene(rules: "", app: app).answer().decision.display?.action == .show)
    }

    @Test("Out of fuel ends the evaluation: earlier rules count, the running one is dropped, later ones do not run")
    func outOfFuel() throws {
        var scene = Scene(
            rules: """
                rule "A" { on = "present", decide = function() state.set("a", 1) return { title = "a" } end }
                \(RuleErrorTests.endless)
                rule "Z" { on = "present", decide = { body = "z" } }
                """)
        scene.options.tracesRules = true
        let answer = try scene.answer()
        #expect(answer.decision.content.title == "a")
        #expect(answer.decision.content.body == nil)
        #expect(answer.decision.errors.map(\.code) == ["budget_fuel"])
        #expect(answer.decision.errors.first?.rule == "Endless")
        #expect(answer.effects == [.setValue(scope: .recipient, key: "a", value: StoredValue(json: [49]))])
        #expect(answer.decision.trace?.rules.map(\.outcome) == [.matched, .error, .notRun])
        #expect(answer.decision.display?.action == .show)
    }

    @Test("No pcall keeps a stopped rule alive")
    func uncatchable() throws {
        let answer = try Scene(
            rules: #"rule "R" { on = "present", decide = function() while true do pcall(function() while true do end end) end end }"#
        ).answer()
        #expect(answer.decision.errors.map(\.code) == ["budget_fuel"])
    }

    @Test("Out of memory is as final")
    func outOfMemory() throws {
        let answer = try Scene(
            rules: #"""
                rule "R" { on = "present", decide = function() local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(100000) .. i end end }
                rule "Z" { on = "present", decide = { body = "z" } }
                """#
        ).answer()
        #expect(answer.decision.errors.map(\.code) == ["budget_memory"] || answer.decision.errors.map(\.code) == ["budget_fuel"])
        #expect(answer.decision.content.body == nil)
    }

    @Test("After a stop the next message is answered as by a new evaluator")
    func rebuilt() throws {
        let rules = #"""
            rule "Maybe" { on = "present", when = function(msg) return msg.title == "stop" end, decide = function() while true do end end }
            rule "Other" { on = "present", decide = function(msg) return { badge = "+1", labels = { title = msg.title } } end }
            """#
        var scene = Scene(rules: rules)
        let fresh = try scene.answer().json
        let evaluator = Evaluator(try scene.load())
        #expect(try scene.answer(from: evaluator).json == fresh)
        scene.message = #"{"message_id":"m","aps":{"alert":{"title":"stop"}}}"#
        #expect(try scene.answer(from: evaluator).decision.errors.map(\.code) == ["budget_fuel"])
        scene.message = Scene.alert
        #expect(try scene.answer(from: evaluator).json == fresh)
        #expect(try scene.answer(from: evaluator).json == fresh)
    }

    @Test(
        "What a function gave is told with what is wanted; numbers are shown, texts are not",
        arguments: [
            ("badge = -5", "`badge` is -5, but an absolute badge must lie from 0 to 2147483647"),
            ("title = 7", "`title` must be text, but it is 7; put the number in quotes, or make it text with tostring"),
            ("title = true", "`title` must be text, but it is true; write it in quotes, such as \"hello\""),
            ("relevance = 75", "`relevance` is 75, but it must lie from 0 to 1; write a number such as 0.5"),
            ("badge = \"many\"", "`badge` = (text) is not a badge change; write a whole number, \"+1\", \"-1\" or \"clear\""),
        ])
    func values(field: String, says: String) throws {
        let answer = try Scene(rules: "rule \"R\" { on = \"present\", decide = function() return { \(field) } end }").answer()
        let message = try #require(answer.decision.errors.first?.message)
        #expect(message.hasPrefix(says), "\(message)")
    }

    @Test("An unknown field of a table with a fixed shape is told like one of the top")
    func unknownFieldBelow() throws {
        var scene = Scene(
            rules:
                #"rule "R" { on = "present", when = function(msg, device) return device.screen.tabb == nil and msg.sound.nam == nil and device.os.nam == nil and msg.data.x == nil end, decide = suppress "s" }"#
        )
        scene.device = #"{"recipient":"u-1","state":"foreground","screen":{"tab":"chat"}}"#
        let warnings = try scene.answer().decision.warnings
        #expect(warnings.map(\.code) == [.unknownField, .unknownField, .unknownField])
        #expect(warnings.map(\.path) == ["device.screen.tabb", "msg.sound.nam", "device.os.nam"])
        #expect(warnings.map(\.hint) == ["did you mean `tab`?", "did you mean `name`?", "did you mean `name`?"])
    }

    @Test("A name asked of _ENV as a text is nil and no fault; read as a name it is one")
    func undefinedName() throws {
        let asked = #"local g = "cart" rule "R" { on = "present", tab = _ENV[g], decide = suppress "s" }"#
        #expect(try Scene(rules: asked).answer().decision.display?.action == .suppress)
        #expect(throws: Unloadable.self) {
            try Scene(rules: #"rule "R" { on = "present", tab = cart, decide = suppress "s" }"#).answer()
        }
        let later = #"rule "R" { on = "present", when = function() return cart == nil end, decide = suppress "s" }"#
        #expect(try Scene(rules: later).answer().decision.display?.action == .suppress)
    }

    @Test("An unknown field is nil with a warning that guesses")
    func unknownField() throws {
        let answer = try Scene(
            rules:
                #"rule "R" { on = "present", when = function(msg, device) return msg.tittle == nil and device.stat == nil end, decide = suppress "s" }"#
        ).answer()
        #expect(answer.decision.display?.action == .suppress)
        #expect(answer.decision.warnings.map(\.code) == [.unknownField, .unknownField])
        #expect(answer.decision.warnings.map(\.path) == ["msg.tittle", "device.stat"])
        #expect(answer.decision.warnings.map(\.hint) == ["did you mean `title`?", "did you mean `state`?"])
    }
}
