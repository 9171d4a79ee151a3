// Fuel ends a hostile script, not the clock, and always at the same point: twice in a row, and on a machine that has
// decided other messages before.
import JSONDocument
@testable import LuaSandbox
import Testing

@Suite(.serialized) struct AttackFuel {
    /// Time enough that only fuel or memory can end a script, however slow this build and this machine are.
    private var patient: ScriptLimits {
        var limits = ScriptLimits()
        limits.loadMilliseconds = 20_000
        limits.callMilliseconds = 10_000
        return limits
    }

    /// How a script ended, with all that an observer could tell.
    private struct End: Equatable {
        var answer: String
        var fuel: Int64
        var log: [String]
        var state: [String: String]
    }

    private func load(_ attack: Attack) throws -> End {
        let machine = try LuaMachine(limits: patient, functions: TestHost.functions)
        var answer = "returned"
        do { _ = try machine.run(file: attack.name, source: attack.source) } catch {
            answer = Answer.fault(error).text
            #expect(error.code != .budgetTime, "\(answer)")
        }
        return End(answer: answer, fuel: machine.usage.fuel, log: [], state: [:])
    }

    /// The script in decide; nil when its text is refused. Before, the machine answers other messages `turns` times.
    private func decide(_ attack: Attack, after turns: Int) throws -> End? {
        let usual = """
            \nrule "usual" { decide = function(msg)
              local seen, words = {}, {}
              for i = 1, 300 do seen["k" .. i] = i words[#words + 1] = "w" .. i .. msg.id end
              for i = 1, 300, 2 do seen["k" .. i] = nil end
              for key in pairs(seen) do words[#words + 1] = key:upper() end
              return { reason = table.concat(words, " "):sub(1, 100) }
            end }
            """
        let loaded: Loaded
        do {
            loaded = try Loaded(String(decoding: attack.asDecide + Array(usual.utf8), as: UTF8.self), file: attack.name, limits: patient)
        } catch is ScriptFault { return nil }
        for turn in 0..<turns {
            try loaded.begin(message: #"{"id":"m-\#(turn)","data":{}}"#)
            if case .failed(let fault) = loaded.call(of: 1) { throw fault }
            loaded.machine.end()
        }
        loaded.host.state = [:]
        let answer = try loaded.decide()
        // One script calls all that it finds, the test host's `stop` too.
        if case .fault(let fault) = answer { #expect(fault.code != .budgetTime || fault.message.hasPrefix("the host"), "\(answer.text)") }
        return End(answer: answer.text, fuel: loaded.machine.usage.fuel, log: loaded.host.log, state: loaded.host.state)
    }

    @Test("At load every script ends by fuel, memory or itself, twice at the same point", arguments: Attack.all)
    func atLoad(_ attack: Attack) throws { #expect(try load(attack) == load(attack)) }

    @Test(
        "Inside decide every script ends by fuel, memory or itself, at the same point on a fresh and a warm machine", arguments: Attack.all)
    func insideDecide(_ attack: Attack) throws {
        let fresh = try decide(attack, after: 0)
        #expect(try decide(attack, after: 0) == fresh)
        #expect(try decide(attack, after: 25) == fresh)
    }

    @Test(
        "Work that Lua does behind one instruction costs fuel",
        arguments: [
            ("local a, b = ('x'):rep(200000), ('x'):rep(200000)", "local c = a == b", 3_000),
            ("local a = ('x'):rep(200000)", "local c = a < a", 10_000),
            ("local t, a = {}, ('x'):rep(200000)", "t[a] = 1", 20_000),
            ("local x = 1.5", "local c = x .. ''", 80),
            ("local x = 15", "local c = x .. ''", 20),
            ("local x = 'ab'", "local c = x .. 'c'", 10),
            (
                "local t = {} for i = 1, 200 do t[i] = i end local function f(...) local n = select('#', ...) local g = { ... } return n end",
                "f(table.unpack(t))", 250
            ),
            ("local t = {} for i = 1, 1024 do t['k' .. i] = i end", "t.one_more = 1", 10_000),
            ("local t = {} for i = 1, 1000 do t['k' .. i] = 1 end for i = 1, 1000 do t['k' .. i] = nil end", "next(t)", 250),
            ("local a = ('\\0'):rep(20000) local b = a .. 'x'", "local c = a < b", 30_000),
            ("local t = {} for i = 1, 60000 do t[i] = i end t.a, t.b, t.c, t.d = 1, 1, 1, 1", "t.e = 1", 3_000),
            (
                "local t = {} for i = 1, 60000 do t[i] = i end t[-1], t[-2], t[-3], t[-4] = 1, 1, 1, 1", "table.move({ 1 }, 1, 1, -9, t)",
                3_000
            ),
            ("local s = '{' .. ('\"k\":1,'):rep(2000) .. '\"k\":1}'", "json.decode(s)", 25_000),
            ("local s = ('\\1'):rep(5000)", "string.format('%q', s)", 40_000),
            ("local t = {} for i = 1, 500 do t[i * 511] = 1 end", "for i = 1, 100 do local c = t[511] end", 20_000),
        ])
    func charged(_ before: String, _ work: String, _ atLeast: Int64) throws {
        func fuel(_ body: String) throws -> Int64 {
            let loaded = try Loaded(decide: body)
            let answer = try loaded.decide()
            #expect(answer == .json("nil"), "\(answer.text)")
            return loaded.machine.usage.fuel
        }
        let cost = try fuel("\(before) \(work)") - fuel(before)
        #expect(cost >= atLeast && cost < 20 * atLeast, "\(work) costs \(cost)")
    }

    @Test("A long text of the script costs the same as a key whether it has been one before") func longKeys() throws {
        let key = String(repeating: "long ", count: 40)
        let loaded = try Loaded(decide: "local t = {} t['\(key)'] = 1 return { reason = 'x' .. t['\(key)'] }")
        var fuels: Set<Int64> = []
        for _ in 0..<3 {
            guard case .json = try loaded.decide() else { Issue.record("no answer"); return }
            fuels.insert(loaded.machine.usage.fuel)
        }
        #expect(fuels.count == 1, "\(fuels)")
    }

    @Test("Keys that collide beside keys that are tables cost the same on every machine") func besideTables() throws {
        let body = """
            local t = {}
            for i = 1, 40 do t[{}] = i t[function() return i end] = i end
            for i = 1, 20 do t[i * 127] = i t[i * 65535] = i end
            for i = 1, 20 do t["k" .. i] = t[i * 127] end
            return { n = t[127] }
            """
        var fuels: Set<Int64> = []
        for _ in 0..<20 {
            let loaded = try Loaded(decide: body)
            for _ in 0..<3 {
                #expect(try loaded.decide() == .json(#"{"n":1}"#))
                fuels.insert(loaded.machine.usage.fuel)
            }
        }
        #expect(fuels.count == 1, "\(fuels)")
    }

    @Test("A nil beside long texts costs the same on every machine, though the compiler keeps it under a table") func nilBesideLongTexts()
        throws
    {
        let texts = (1...60).map { "'\(String(repeating: "long ", count: 9))\($0)'" }
        for count in [3, 7, 15, 31, 60] {
            let source = "local t = { \(texts.prefix(count).joined(separator: ", ")) } return t[1] ~= nil"
            let fuels = Set(try (0..<40).map { _ in try Loaded(source).machine.usage.fuel })
            #expect(fuels.count == 1, "\(count): \(fuels)")
        }
    }

    @Test("A key that is none leaves the next ones their price") func noKeys() throws {
        func fuel(_ before: String) throws -> Int64 {
            let loaded = try Loaded(
                decide: "local t = {} \(before) local a = string.rep('x', 50000) for i = 1, 9 do t[a .. i] = i end return nil")
            #expect(try loaded.decide() == .json("nil"))
            return loaded.machine.usage.fuel
        }
        for key in ["nil", "0/0"] {
            let difference = try fuel("pcall(function() t[\(key)] = 1 end)") - fuel("pcall(function() t[1] = 1 end)")
            // The error costs some hundreds; the nine keys 56,000.
            #expect(abs(difference) < 2_000, "\(key): \(difference)")
        }
    }

    @Test("A name that nothing has costs fuel at each reading of a load") func missingNames() throws {
        func fuel(_ source: String) throws -> Int64 { try Loaded(source).machine.usage.fuel }
        #expect(try fuel("for i = 1, 1000 do local x = no_such_name end") - fuel("for i = 1, 1000 do local x = pairs end") > 25_000)
    }

    @Test("Removing and setting keys again costs the same on every machine") func rebuilt() throws {
        var fuels: Set<Int64> = []
        for _ in 0..<5 {
            let loaded = try Loaded(
                decide: "local t = {} for i = 1, 3000 do t['k' .. i] = i if i > 900 then t['k' .. i - 900] = nil end end")
            for _ in 0..<3 {
                #expect(try loaded.decide() == .json("nil"))
                fuels.insert(loaded.machine.usage.fuel)
            }
        }
        #expect(fuels.count == 1, "\(fuels)")
    }
}
