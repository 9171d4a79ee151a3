// What a script can reach, what it cannot change, and that nothing of it stays behind.
import CLuaGuard
import Foundation
import JSONDocument
import LuaSandbox
import Testing

@Suite struct Walls {
    static var allowed: [String] {
        var names: [String] = []
        while let entry = unsafe lg_allowed_name(names.count) { unsafe names.append(String(cString: entry.pointee.name)) }
        return names
    }

    @Test("What a script finds is the allow-list and the host's functions, nothing else") func reachable() throws {
        let loaded = try Loaded(
            decide: """
                local found = {}
                local function walk(t, prefix)
                  for k, v in pairs(t) do
                    if type(v) == 'table' then walk(v, prefix .. k .. '.') else found[#found + 1] = prefix .. k end
                  end
                end
                walk(_ENV, '')
                return { found = found }
                """)
        try loaded.begin()
        guard case .value(let value) = loaded.call(), let found = value["found"] else { throw Unexpected() }
        let names = found.children.compactMap { $0.text?.string }
        #expect(Set(names) == Set(Walls.allowed + TestHost.functions.map(\.name)))
        #expect(names.count == Walls.allowed.count + TestHost.functions.count)
    }

    @Test(
        "What could lead out is not there",
        arguments: [
            "setmetatable", "getmetatable", "rawget", "rawset", "rawequal", "rawlen", "coroutine", "xpcall", "load", "loadstring",
            "dofile",
            "loadfile", "collectgarbage", "print", "warn", "debug", "io", "os", "package", "_G", "string.dump", "string.pack",
            "string.unpack",
            "math.randomseed", "utf8.nosuch",
        ])
    func absent(_ name: String) throws {
        #expect(try Loaded(decide: "return { there = \(name) ~= nil }").decide().text == #"{"there":false}"#)
    }

    @Test(
        "Libraries, their tables and the environment cannot be changed",
        arguments: [
            "string.format = nil", "string.x = 1", "_ENV.string = {}", "_ENV.x = 1", "math.pi = 3", "state.app.get = nil",
            "table.insert(string, 1)",
            "table.sort(table)", "('x').y = 1", "utf8.char = nil", "table.move({ 1 }, 1, 1, 1, math)", "string, table = 1, 2",
            "json.encode = 1",
        ])
    func readOnly(_ statement: String) throws {
        let loaded = try Loaded(decide: "\(statement) return { display = 'show' }")
        guard case .fault(let fault) = try loaded.decide() else { throw Unexpected() }
        #expect(fault.code == .ruleRaised)
        #expect(try Loaded(decide: "return { s = ('%d'):format(7) }").decide().text == #"{"s":"7"}"#)
    }

    @Test(
        "A variable of the file cannot carry anything to the next message",
        arguments: [
            "local n = 0 rule 'r' { decide = function() n = n + 1 return { n = n } end }",
            "local n = 0 local function add() n = n + 1 end rule 'r' { decide = function() add() return { n = n } end }",
            "local n rule 'r' { decide = function() local function f() local g = function() n = 1 end g() end f() return { n = n } end }",
            "local n = 0 rule 'r' { decide = function() pcall(function() n = n + 1 error() end) return { n = n } end }",
            "local n = 0 rule 'r' { decide = function() n = n + 1 error('x') end }",
            "local function counter() local n = 0 return function() n = n + 1 return n end end local c = counter() rule 'r' { decide = function() return { n = c() } end }",
            "local c do local n = 0 c = function() n = n + 1 return n end end rule 'r' { decide = function() return { n = c() } end }",
            "local n rule 'r' { decide = function() for i = 1, 3 do n = i end return { n = n } end }",
            "local a, b = 0, 0 rule 'r' { decide = function() a, b = b, a + 1 return { n = a } end }",
        ])
    func hiddenVariable(_ source: String) throws {
        let loaded = try Loaded(source)
        let first = try loaded.decide()
        guard case .fault = first else { throw Unexpected() }
        #expect(try loaded.decide() == first)
        #expect(first.text.contains("use state") || first.text.hasSuffix(": x"))
    }

    @Test(
        "A loop that was begun at load cannot go on while messages are decided",
        arguments: [
            "local next_word = ('a b c'):gmatch('%a') rule 'r' { decide = function() return { w = next_word() } end }",
            "local step, t = pairs({ a = 1, b = 2 }) rule 'r' { decide = function() return { w = step(t) } end }",
            "local step, t, at = pairs({ a = 1, b = 2 }) step(t, at) rule 'r' { decide = function() local k = step(t) return { w = k } end }",
        ])
    func hiddenLoop(_ source: String) throws {
        let loaded = try Loaded(source)
        let first = try loaded.decide()
        guard case .fault(let fault) = first else { throw Unexpected() }
        #expect(fault.message.contains("began in an earlier evaluation"), "\(fault.message)")
        #expect(try loaded.decide() == first)
    }

    @Test(
        "A table made at load cannot carry anything to the next message",
        arguments: [
            "local t = {} rule 'r' { decide = function() t.n = 1 return t end }",
            "local t = { 1 } rule 'r' { decide = function() t[#t + 1] = 2 return t end }",
            "local t = { { x = 1 } } rule 'r' { decide = function() t[1].x = 2 return t end }",
            "local t = {} local function add() table.insert(t, 1) end rule 'r' { decide = function() add() return t end }",
            "local t = { 2, 1 } rule 'r' { decide = function() table.sort(t) return t end }",
            "local lib = require 'lib.counter' rule 'r' { decide = function() lib.n = lib.n + 1 return { n = lib.n } end }",
            "local lib = require 'lib.counter' rule 'r' { decide = function() return { n = lib.add() } end }",
            "rule 'r' { decide = function() local lib = require 'lib.counter' return { n = lib.add() } end }",
        ])
    func hiddenTable(_ source: String) throws {
        let loaded = try Loaded(
            source, modules: ["lib.counter": "local m = { n = 0 } function m.add() m.n = m.n + 1 return m.n end return m"])
        let first = try loaded.decide()
        guard case .fault(let fault) = first else { throw Unexpected() }
        #expect(fault.message.contains("read-only"), "\(fault.message)")
        #expect(try loaded.decide() == first)
    }

    @Test("Tables made at load read as before: length, loops, values, sorting a copy") func frozenReads() throws {
        let loaded = try Loaded(
            """
            local names = { 'b', 'a', 'c' }
            local map = { x = { 1, 2 }, y = 'z' }
            rule 'r' { decide = function()
              local out = {}
              for i, n in ipairs(names) do out[#out + 1] = i .. n end
              for k, v in pairs(map) do out[#out + 1] = k .. type(v) end
              local copy = { table.unpack(names) }
              table.sort(copy)
              return { out = out, n = #names, copy = copy, whole = map, first = next(names), joined = table.concat(names, '+'), show = names }
            end }
            """)
        #expect(
            try loaded.decide().text
                == #"{"copy":["a","b","c"],"first":1,"joined":"b+a+c","n":3,"out":["1b","2a","3c","xtable","ystring"],"show":["b","a","c"],"whole":{"x":[1,2],"y":"z"}}"#
        )
    }

    @Test("Random numbers come from the seed and from nothing else") func random() throws {
        let loaded = try Loaded(
            decide: "return { a = math.random(1000), b = math.random(), c = math.random(5, 6), d = math.random(0) }")
        func draw(_ seed: UInt64) throws -> String {
            try loaded.begin(seed: seed)
            defer { loaded.machine.end() }
            guard case .value(let value) = loaded.call() else { throw Unexpected() }
            var writer = JSONWriter(reserving: 64)
            writer.value(value)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        #expect(try draw(1) == draw(1))
        #expect(try draw(1) != draw(2))
    }

    @Test("A thousand failing host calls leak nothing: no Swift frame is jumped over") func noLeaks() throws {
        final class Counted {
            nonisolated(unsafe) static var alive = 0
            init() { Counted.alive += 1 }
            deinit { Counted.alive -= 1 }
        }
        final class Failing: ScriptHost {
            func call(_ function: Int, arguments: JSONValue, result: JSONBuilder) -> HostAnswer {
                let counted = Counted()
                defer { withExtendedLifetime(counted) {} }
                return .failure("no \(Counted.alive)")
            }
        }
        let loaded = try Loaded(
            decide: "local n = 0 for i = 1, 1000 do if not pcall(fail) then n = n + 1 end end return { n = n }")
        try loaded.message.read("{}")
        let root = try #require(loaded.message.root)
        loaded.machine.begin(message: root, device: root, event: root, host: Failing())
        guard case .value(let value) = loaded.call() else { throw Unexpected() }
        #expect(value["n"]?.integer == 1000)
        loaded.machine.end()
        #expect(Counted.alive == 0)
    }

    @Test("What the host is given and gives is a copy") func aliasing() throws {
        let loaded = try Loaded(
            decide:
                "local t = { 1 } state.set('k', t) t[1] = 'changed' local a, b = state.get('k'), state.get('k') a[1] = 'too' return { a = a, b = b, same = a == b }"
        )
        #expect(try loaded.decide().text == #"{"a":["too"],"b":[1],"same":false}"#)
    }

    @Test("A value that cannot cross is an error of the call, which names it and can be caught") func badArgument() throws {
        let loaded = try Loaded(decide: "local ok, why = pcall(state.set, 'k', { f = pairs }) return { ok = ok, why = why }")
        #expect(
            try loaded.decide().text
                == #"{"ok":false,"why":"state.set: 'f' is a function; only values can be kept or returned"}"#)
    }
}

@Suite struct SandboxPage {
    @Test("docs/sandbox.md lists every name of the allow-list with its reason, and no other") func names() throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/sandbox.md")
                .standardized,
            encoding: .utf8)
        var listed: [String] = []
        var expected: [String] = []
        for line in page.split(separator: "\n") where line.hasPrefix("| `") && line.contains("` | ") && !line.contains("`,") {
            listed.append(String(line))
        }
        var index = 0
        while let entry = unsafe lg_allowed_name(index) {
            unsafe expected.append("| `\(String(cString: entry.pointee.name))` | \(String(cString: entry.pointee.reason)) |")
            index += 1
        }
        #expect(listed.prefix(expected.count) == expected[...])
        #expect(!expected.isEmpty)
    }
}
