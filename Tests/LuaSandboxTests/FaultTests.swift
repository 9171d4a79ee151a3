// Where a fault is shown and what it says.
import JSONDocument
import LuaSandbox
import Testing

@Suite struct Faults {
    @Test(
        "A fault while deciding names file, line and cause",
        arguments: [
            ("\nreturn msg.data.x.y", "rule_raised rules.lua:2: attempt to index a nil value (field 'x')"),
            ("\n\nerror('on purpose')", "rule_raised rules.lua:3: on purpose"),
            ("error('no place', 0)", "rule_raised rules.lua:1: no place"),
            ("error({ code = 1 })", "rule_raised rules.lua:1: raised a table; only a text can be shown"),
            ("error('')", "rule_raised rules.lua:1: raised an error without a text; say what is wrong: error(\"…\")"),
            ("error(' \\n ')", "rule_raised rules.lua:1: raised an error without a text; say what is wrong: error(\"…\")"),
            (
                "local _ENV = {} tostring(1)",
                "rule_raised rules.lua:1: 'tostring' is not in the table that stands in for the environment here (a local _ENV)"
            ),
            ("\nerror()", "rule_raised rules.lua:2: raised a nil; only a text can be shown"),
            ("\nassert(false)", "rule_raised rules.lua:2: assertion failed!"),
            ("\nassert(nil, 'because')", "rule_raised rules.lua:2: because"),
            ("\nreturn supress('x')", "rule_raised rules.lua:2: 'supress' is not defined; did you mean 'suppress'?"),
            (
                "\nreturn frobnicate()",
                "rule_raised rules.lua:2: 'frobnicate' is not defined; a text stands in quotes, and what another file makes comes with require"
            ),
            ("\nprint('x')", "rule_raised rules.lua:2: 'print' is not defined; use log, inside a function"),
            ("\nreturn io.read()", "rule_raised rules.lua:2: 'io' is not defined; it is not available to rules"),
            (
                "\nlocal text = {} return text.plural(1)",
                "rule_raised rules.lua:2: attempt to call a nil value (field 'plural'); text.plural is not part of this version"
            ),
            ("\nstring.format('%d', 'x')", "rule_raised rules.lua:2: string.format: argument 2 must be a number, not string"),
            ("\nfail()", "rule_raised rules.lua:2: failed on purpose"),
            ("\ncount = 1", "rule_raised rules.lua:2: 'count' is not a local variable: declare it local, or keep it with state"),
            ("\npairs = 1", "rule_raised rules.lua:2: 'pairs' cannot be changed; choose another name for a local variable"),
            ("return 'text'", "bad_value rules.lua:1: decide must return a table or nothing, not a string"),
            ("return 7", "bad_value rules.lua:1: decide must return a table or nothing, not a number"),
            ("return function() end", "bad_value rules.lua:1: decide must return a table or nothing, not a function"),
            (
                "return { a = { b = print, c = pairs } }",
                "bad_value rules.lua:1: what decide returns: 'a.c' is a function; only values can be kept or returned"
            ),
            ("local t = {} t.a = { t } return t", "bad_value rules.lua:1: what decide returns: 'a[1]' contains itself"),
            ("return { x = 0/0 }", "bad_value rules.lua:1: what decide returns: 'x' is not a number (0/0)"),
            ("return { x = 1/0 }", "bad_value rules.lua:1: what decide returns: 'x' is infinite"),
            ("return { x = '\\xff' }", "bad_value rules.lua:1: what decide returns: 'x' is not valid UTF-8"),
            (
                "return { x = { 1, 2, y = 3 } }",
                "bad_value rules.lua:1: what decide returns: 'x' has list entries and also the key 'y'"
            ),
            (
                "return { x = { 1, nil, 3 } }",
                "bad_value rules.lua:1: what decide returns: 'x[2]' is missing: a list must not have holes"
            ),
            (
                "return { [true] = 1 }",
                "bad_value rules.lua:1: what decide returns: the value has a key that is a boolean; keys must be text"
            ),
            (
                "return { x = ('x'):rep(70000) }",
                "bad_value rules.lua:1: what decide returns: 'x' goes over the limit of bytes for one value"
            ),
            (
                "local t = {} for i = 1, 1001 do t[i] = i end return t",
                "bad_value rules.lua:1: what decide returns: the value goes over the limit of entries for one value"
            ),
            (
                "local t = {} for i = 1, 40 do t = { t, t } end return t",
                "bad_value rules.lua:1: what decide returns: '[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]' is nested too deep"
            ),
        ])
    func deciding(_ body: String, _ expected: String) throws {
        #expect(try Loaded(decide: body).decide().text == expected)
    }

    @Test("A message is one clean line of at most a kibibyte") func clean() throws {
        let loaded = try Loaded(decide: #"error("a\0b\n\27[31mc\xff\u{202e}d" .. ("x"):rep(5000), 0)"#)
        guard case .fault(let fault) = try loaded.decide() else { throw Unexpected() }
        #expect(fault.message.hasPrefix("a?b ?[31mc??d") && fault.message.utf8.count <= 1024)
        #expect(fault.message.hasSuffix("…"))
    }

    @Test("A message of wide letters is cut before its room ends, wherever the cut falls", arguments: 0..<8)
    func cut(_ before: Int) throws {
        for letter in ["ä", "한", "😀"] {
            let loaded = try Loaded(decide: "error(('x'):rep(\(before)) .. ('\(letter)'):rep(1000))")
            guard case .fault(let fault) = try loaded.decide() else {
                Issue.record("it does not raise")
                return
            }
            #expect(fault.message.utf8.count <= 1_024 && fault.message.hasSuffix("\(letter)…"), "\(fault.message.utf8.count)")
        }
    }

    @Test("What a function forgot to take is told with how it is taken", arguments: ["msg", "device", "event"])
    func parameter(name: String) throws {
        let loaded = try Loaded("rule \"r\" { decide = function() return \(name).x end }")
        #expect(
            try loaded.decide().text
                == "rule_raised rules.lua:1: '\(name)' is not defined; a function is given it: write function(msg, device, event)")
    }

    @Test("The key of a cap that is too long is told as such") func capKey() throws {
        let loaded = try Loaded(decide: "return ('x'):rep(70000)")
        try loaded.begin()
        guard case .failed(let fault) = loaded.call(expecting: .text) else { throw Unexpected() }
        #expect(fault.message == "the key of a cap: the value goes over the limit of bytes for one value")
    }

    @Test("A script cannot pretend another file or an end of budget") func pretended() throws {
        let loaded = try Loaded(decide: "error('other.lua:7: the fuel is used up', 0)")
        guard case .fault(let fault) = try loaded.decide() else { throw Unexpected() }
        #expect(fault.code == .ruleRaised && fault.file == "rules.lua" && !fault.isFinal)
    }

    @Test(
        "A place that a script writes before its text counts only where an error was that it has caught",
        arguments: [
            ("\nerror('rules.lua:7: x', 0)", "rule_raised rules.lua:2: rules.lua:7: x"),
            ("\nassert(false, 'rules.lua:7: x')", "rule_raised rules.lua:2: rules.lua:7: x"),
            ("pcall(error, 'rules.lua:7: x', 0)\nerror('rules.lua:7: x', 0)", "rule_raised rules.lua:2: rules.lua:7: x"),
            ("pcall(error, 'y')\nerror('rules.lua:1: x', 0)", "rule_raised rules.lua:2: rules.lua:1: x"),
            (
                "local _, why = pcall(function() return nil .. 'x' end)\n\nerror(why, 0)",
                "rule_raised rules.lua:1: attempt to concatenate a nil value"
            ),
            ("local _, why = pcall(function() error('boo') end)\n\nerror(why, 0)", "rule_raised rules.lua:1: boo"),
            ("local _, why = pcall(function() error('boo') end)\n\nassert(nil, why)", "rule_raised rules.lua:1: boo"),
            ("local function f() error('boo', 2) end\nf()", "rule_raised rules.lua:2: boo"),
        ])
    func placed(_ body: String, _ expected: String) throws {
        #expect(try Loaded(decide: body).decide().text == expected)
    }

    struct Broken: Sendable {
        let source: String, code: FaultCode, line: Int, column: Int, says: String
    }

    @Test(
        "A text that is no rule file is refused with its place",
        arguments: [
            Broken(source: "local x = = 1", code: .luaSyntax, line: 1, column: 0, says: "unexpected symbol near '='"),
            Broken(
                source: "rule \"a\" {\n  on = \"present\"\n  decide = 1\n}", code: .luaSyntax, line: 3, column: 3,
                says: "expected"),
            Broken(source: "local function f()\n  return 1", code: .luaSyntax, line: 2, column: 11, says: "<eof>"),
            Broken(source: "local s = 'no end\n", code: .luaSyntax, line: 1, column: 11, says: "unfinished string"),
            Broken(source: "goto nowhere", code: .luaSyntax, line: 1, column: 0, says: "nowhere"),
            Broken(
                source: "local a\nlocal b = 'x\u{202e}y'", code: .sourceRefused, line: 2, column: 13, says: "reading direction"),
            Broken(source: "local f <close> = nil", code: .sourceRefused, line: 1, column: 10, says: "<close>"),
            Broken(source: "local t = {}\nreturn t[1 < 2]", code: .sourceRefused, line: 2, column: 9, says: "comparison"),
            Broken(source: "return 1 ~ (2 or 3)", code: .sourceRefused, line: 1, column: 13, says: "compiled wrongly"),
            Broken(
                source: "return " + String(repeating: "(", count: 150) + "1", code: .sourceRefused, line: 1, column: 108,
                says: "nested"),
            Broken(
                source: "local a = {} return a" + String(repeating: ".b", count: 100), code: .sourceRefused, line: 1, column: 150,
                says: "chain"),
            Broken(source: "x = 1", code: .ruleRaised, line: 1, column: 0, says: "'x' is not a local variable"),
            Broken(source: "rule { decide = show }", code: .ruleRaised, line: 1, column: 0, says: "a rule needs a name"),
            Broken(source: "rule(7, {})", code: .ruleRaised, line: 1, column: 0, says: "must be text, not number"),
            Broken(source: "rule \"\" {}", code: .ruleRaised, line: 1, column: 0, says: "must not be empty"),
            Broken(source: "\nrule \"a\" \"b\"", code: .ruleRaised, line: 2, column: 0, says: "needs a table after its name"),
            Broken(source: "rule(\"a\", 7)", code: .ruleRaised, line: 1, column: 0, says: "needs a table, not number"),
            Broken(source: "require 'lib.nothing'", code: .ruleRaised, line: 1, column: 0, says: "no such module"),
            Broken(source: "state.get('x')", code: .ruleRaised, line: 1, column: 0, says: "only while a message is decided"),
        ])
    func loading(_ broken: Broken) throws {
        let machine = try LuaMachine(limits: ScriptLimits(), functions: TestHost.functions)
        let fault = try #require(throws: ScriptFault.self) {
            try machine.run(file: "app/rules.lua", source: Array(broken.source.utf8))
        }
        #expect(fault.code == broken.code && fault.line == broken.line && fault.file == "app/rules.lua", "\(fault)")
        #expect(fault.column == broken.column, "\(fault)")
        #expect(fault.message.contains(broken.says), "\(fault.message)")
        #expect(!fault.isFinal && !machine.isDead)
    }

    @Test("Bytes that are no UTF-8, compiled code and too long files are refused") func bytes() throws {
        let machine = try LuaMachine(limits: ScriptLimits(), functions: [])
        func code(_ source: [UInt8]) throws -> ScriptFault {
            try #require(throws: ScriptFault.self) { try machine.run(file: "a.lua", source: source) }
        }
        let invalid = try code(Array("local a\n--".utf8) + [0xff])
        #expect(invalid.code == .sourceRefused && invalid.line == 2 && invalid.column == 3)
        #expect(try code(Array("\u{1b}Lua".utf8)).code == .sourceRefused)
        #expect(try code(Array(repeating: 32, count: 65_537)).code == .sourceTooLarge)
        #expect(try machine.run(file: "a.lua", source: [0xef, 0xbb, 0xbf] + Array("return { api = 1 }".utf8)) != nil)
        #expect(try machine.run(file: "a.lua", source: []) == nil)
    }

    @Test("What reads like the refused forms but is sound is accepted") func sound() throws {
        let machine = try LuaMachine(limits: ScriptLimits(), functions: [])
        for source in [
            "local t, n = { 1, 2, 3 }, 5 return t[n > 3 and 3 or n]", "local t = { [1 < 2] = 1 } return t[true]",
            "local f = function(a) return a end return f(1 < 2)",
            "local a = 1 if a == 1 or a == 2 then return 3 end", "local t = { {} } return t[#t][1 + 1]",
            "local close <const> = 1 return close < 2",
            "-- \u{e9}\u{e8}\n--[==[ ]] ]==] return [[a]b]] .. 'it\\'s' .. \"\\z\n  x\"", "return 0x1p4 + 1e-2 + .5 + 3. .. ''",
            "for i = 1, 2 do goto continue ::continue:: end", "return ('x'):rep(3):upper():lower()",
        ] {
            #expect(throws: Never.self, "\(source)") { try machine.run(file: "a.lua", source: Array(source.utf8)) }
        }
    }
}
