// The words a rule is written with, and modules.
import JSONDocument
import LuaSandbox
import Testing

@Suite struct Rules {
    private func json(_ value: JSONValue) -> String {
        var writer = JSONWriter(reserving: 256)
        func write(_ value: JSONValue) {
            if value.isObject {
                writer.beginObject()
                for member in value.children {
                    writer.key(member.key)
                    write(member)
                }
                writer.endObject()
            } else if value.isArray {
                writer.beginArray()
                for element in value.children { write(element) }
                writer.endArray()
            } else if value.kind == .function {
                writer.string("function" as StaticString)
            } else {
                writer.value(value)
            }
        }
        write(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("A rule is declared with its name, file, line and table, in order") func declared() throws {
        let loaded = try Loaded(
            """
            rule "Chat: quiet" {
              on = { "send", "present" },
              quiet = { "21:00", "08:00", otherwise = "defer" }, cap = { 3, per = "day" },
              when = function(msg) return true end,
              decide = show { "list" },
            }

            rule("second", { decide = suppress })
            """)
        let rules = loaded.machine.declarations
        #expect(rules.map(\.name) == ["Chat: quiet", "second"])
        #expect(rules.map(\.line) == [1, 8])
        #expect(rules.map(\.file) == ["rules.lua", "rules.lua"])
        #expect(
            json(rules[0].definition)
                == #"{"cap":{"1":3,"per":"day"},"decide":{"display":["list"]},"on":["send","present"],"quiet":{"1":"21:00","2":"08:00","otherwise":"defer"},"when":"function"}"#
        )
        #expect(json(rules[1].definition) == #"{"decide":"function"}"#)
    }

    @Test(
        "The helpers give plain tables",
        arguments: [
            ("suppress 'why'", #"{"display":"suppress","reason":"why"}"#), ("suppress()", #"{"display":"suppress"}"#),
            ("show()", #"{"display":"show"}"#),
            ("show {}", #"{"display":"show"}"#),
            ("show { 'banner', 'list', badge = '+1' }", #"{"badge":"+1","display":["banner","list"]}"#),
            ("show { badge = 3 }", #"{"badge":3,"display":"show"}"#), ("show 'list'", #"{"display":["list"]}"#),
            ("defer('resume', 'busy')", #"{"display":"defer","hold_until":"resume","reason":"busy"}"#),
            ("defer(60)", #"{"display":"defer","hold_until":60}"#),
            ("route 'app://x'", #"{"route":"app://x"}"#),
            ("route { tab = 'chat', path = { 'a' } }", #"{"route":{"path":["a"],"tab":"chat"}}"#),
            ("route(false)", #"{"route":false}"#),
        ])
    func helpers(_ expression: String, _ expected: String) throws {
        #expect(try Loaded(decide: "return \(expression)").decide().text == expected)
    }

    @Test(
        "A helper's wrong use says what it needs",
        arguments: [
            ("suppress(7)", "suppress: the reason must be text, not number"),
            ("suppress(msg)", "suppress: the reason must be text, not table"),
            ("show(7)", "show: expected a table or an option's name, not number"),
            ("show('banner', 'list')", "show takes one table; write show{\"banner\", \"list\"}, with braces"),
            ("route()", "route: expected a URL, a table or false, not nil"),
            ("show { display = 'x' }", "show: 'display' is what show sets; leave it out"),
            ("defer(show)", "defer: the time must be text or a number, not function"),
        ])
    func wrongUse(_ expression: String, _ message: String) throws {
        #expect(try Loaded(decide: "return \(expression)").decide().text == "rule_raised rules.lua:1: \(message)")
    }

    @Test(
        "A helper stands for decide itself",
        arguments: [("suppress", #"{"display":"suppress"}"#), ("show", #"{"display":"show"}"#)])
    func helperAsDecide(_ name: String, _ expected: String) throws {
        #expect(try Loaded("rule 'r' { decide = \(name) }").decide().text == expected)
    }

    @Test("when gives Lua's truth") func truth() throws {
        let loaded = try Loaded(
            "rule 'a' { when = function() return nil end } rule 'b' { when = function() return 0 end } rule 'c' { when = function(msg, device, event) return event.name == 'present' end } rule 'd' { when = function() error('x') end }"
        )
        try loaded.begin()
        let outcomes = (0..<4).map { loaded.call("when", of: $0, expecting: .truth) }
        guard case .truth(false) = outcomes[0], case .truth(true) = outcomes[1], case .truth(true) = outcomes[2],
            case .failed = outcomes[3]
        else { throw Unexpected() }
    }

    @Test("A rule cannot be declared while a message is decided") func late() throws {
        #expect(try Loaded(decide: "rule 'x' {}").decide().text.contains("declared when a file is loaded"))
    }

    @Test("More rules than the limit are an error") func tooMany() throws {
        var limits = ScriptLimits()
        limits.rules = 3
        #expect(throws: ScriptFault.self) { try Loaded("for i = 1, 4 do rule('r' .. i, { decide = show }) end", limits: limits) }
    }

    @Test("A module is run once, and what it gives is shared and read-only") func modules() throws {
        let loaded = try Loaded(
            "local a, b = require 'lib.names', require 'lib.names' rule 'r' { decide = function() return { same = a == b, n = a.list[1], up = require('lib.names').up('x') } end }",
            modules: ["lib.names": "return { list = { 'one' }, up = function(s) return s:upper() end }"])
        #expect(try loaded.decide().text == #"{"n":"one","same":true,"up":"X"}"#)
    }

    @Test("A module's faults name its own file; one that requires itself is told so") func moduleFaults() throws {
        func fault(_ text: String) throws -> ScriptFault {
            try #require(throws: ScriptFault.self) { try Loaded("require 'lib.m'", modules: ["lib.m": text]) }
        }
        let syntax = try fault("\nreturn ==")
        #expect(syntax.code == .luaSyntax && syntax.file == "lib/m.lua" && syntax.line == 2)
        let raised = try fault("\n\nerror 'broken'")
        #expect(raised.code == .ruleRaised && raised.file == "lib/m.lua" && raised.line == 3 && raised.message == "broken")
        #expect(try fault("require 'lib.m'").message.contains("requires itself"))
    }

    @Test("A module that only a function requires is there, and its fault comes when it is required") func lateModules() throws {
        let loaded = try Loaded(
            "rule 'r' { decide = function() local ok, why = pcall(require, 'lib.bad') return { good = require('lib.good').x, ok = ok, why = why } end }",
            modules: ["lib.good": "return { x = 1 }", "lib.bad": "error 'broken'"])
        let first = try loaded.decide()
        #expect(
            first.text
                == #"{"good":1,"ok":false,"why":"require \"lib.bad\": the module could not be loaded: lib/bad.lua:1: broken"}"#)
        #expect(try loaded.decide() == first)
    }

    @Test("What a file returns comes as a value; keys by position beside names become \"1\", \"2\"") func returned() throws {
        let machine = try LuaMachine(limits: ScriptLimits(), functions: [])
        let value = try #require(
            try machine.run(
                file: "app.lua", source: Array("return { api = 1, tabs = { 'a', 'b' }, dedupe = { 5, window = '1d' } }".utf8)))
        #expect(json(value) == #"{"api":1,"dedupe":{"1":5,"window":"1d"},"tabs":["a","b"]}"#)
    }
}
