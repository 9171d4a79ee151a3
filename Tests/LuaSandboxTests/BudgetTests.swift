// The budgets: fuel, memory, time, caught errors. An end is final, the same everywhere, and told from the machine's own
// flags.
import JSONDocument
@testable import LuaSandbox
import Testing

@Suite struct Budgets {
    private func stop(_ answer: Answer) -> ScriptFault? {
        guard case .fault(let fault) = answer else { return nil }
        return fault
    }

    @Test("A loop without end is stopped by fuel, with its place, and the machine is dead") func endless() throws {
        let loaded = try Loaded(decide: "\n while true do end")
        let fault = try #require(stop(try loaded.decide()))
        #expect(fault.code == .budgetFuel && fault.isFinal && fault.line == 2 && fault.file == "rules.lua")
        #expect(loaded.machine.isDead)
        guard case .failed(let after) = loaded.call() else { throw Unexpected() }
        #expect(after.code == .machineDead)
    }

    @Test(
        "No pcall swallows an end",
        arguments: [
            "while true do pcall(function() while true do end end) end",
            "pcall(function() pcall(function() while true do end end) return 1 end) return { display = 'show' }",
            "local s = 'x' while true do pcall(function() s = s .. s end) end",
            "for i = 1, 1e9 do pcall(error, i) end",
            "while true do pcall(string.rep, 'x', 1 << 40) end",
            "local t = {} while true do pcall(function() for i = 1, 1e9 do t[#t + 1] = { i } end end) end",
            "table.sort({ 3, 2, 1, 5, 4 }, function() while true do pcall(error) end end)",
            "('x'):gsub('.', function() while true do end end)",
            "pcall(stop) return { display = 'show' }",
        ])
    func swallowed(_ body: String) throws {
        let loaded = try Loaded(decide: body)
        let fault = try #require(stop(try loaded.decide()))
        #expect(fault.isFinal && [.budgetFuel, .budgetMemory, .budgetTime].contains(fault.code))
        #expect(loaded.machine.isDead)
    }

    @Test("Memory ends at the limits for one text, one table and all") func memory() throws {
        var limits = ScriptLimits()
        limits.callFuel = 100_000_000
        limits.callMilliseconds = 1_000
        for body in [
            "local s = ('x'):rep(200000) return { reason = s .. s }",
            "local t = {} for i = 1, 200000 do t[i] = i end",
            "local t = {} for i = 1, 60000 do t[i] = { i, {}, {} } end",
            "local function f(n) return 1 + f(n + 1) end return { n = f(1) }",
        ] {
            let loaded = try Loaded(decide: body, limits: limits)
            let fault = try #require(stop(try loaded.decide()), "\(body)")
            #expect(fault.code == .budgetMemory && fault.isFinal && fault.line == 1, "\(body): \(fault)")
            #expect(loaded.machine.usage.memoryPeak <= ScriptLimits().memory)
        }
    }

    @Test("A function that calls itself without end is told so") func recursion() throws {
        let loaded = try Loaded(decide: "local function f(n) return 1 + f(n + 1) end return { n = f(1) }")
        #expect(try loaded.decide().text.contains("calls itself without end"))
    }

    @Test("A caught error costs, and their number is limited") func caught() throws {
        var limits = ScriptLimits()
        limits.caughtErrors = 10
        let loaded = try Loaded(decide: "for i = 1, tonumber(msg.id) do pcall(error, 'x') end return { n = 1 }", limits: limits)
        #expect(try loaded.decide(message: #"{"id":"10"}"#).text == #"{"n":1}"#)
        #expect(try loaded.decide(message: #"{"id":"11"}"#).text.contains("caught more than 10 errors"))
    }

    @Test("Time is only the net, but it holds") func time() throws {
        var limits = ScriptLimits()
        limits.callFuel = .max / 8
        limits.callMilliseconds = 20
        let loaded = try Loaded(decide: "while true do end", limits: limits)
        let fault = try #require(stop(try loaded.decide()))
        #expect(fault.code == .budgetTime && fault.isFinal)
    }

    @Test("Fuel is the same on a fresh and on a warm machine, to the unit") func deterministicFuel() throws {
        let body = """
            local t = {}
            for i = 1, 50 do t[#t + 1] = 'k' .. i end
            for k, v in pairs({ a = 1, b = 2, c = msg.data.chat_id }) do t[#t + 1] = k end
            table.sort(t)
            return { s = table.concat(t, ','):gsub('k', '%0%0'), j = json.encode(msg.data) }
            """
        var seen: Set<Int64> = []
        for _ in 0..<3 {
            let loaded = try Loaded(decide: body)
            for _ in 0..<5 {
                try loaded.begin()
                guard case .value = loaded.call() else { throw Unexpected() }
                seen.insert(loaded.machine.end().fuel)
            }
        }
        #expect(seen.count == 1, "\(seen)")
    }

    @Test("A script stops at the same point everywhere") func deterministicStop() throws {
        var limits = ScriptLimits()
        limits.callFuel = 50_000
        var logs: Set<Int> = []
        for _ in 0..<3 {
            let loaded = try Loaded(decide: "while true do log('turn') end", limits: limits)
            #expect(stop(try loaded.decide())?.code == .budgetFuel)
            logs.insert(loaded.host.log.count)
        }
        #expect(logs.count == 1 && logs != [0])
    }

    @Test("Messages that fill memory with texts of different lengths, one after the other, leave nothing of it behind") func turns() throws
    {
        var limits = ScriptLimits()
        (limits.callFuel, limits.callMilliseconds) = (10_000_000, 60_000)
        let loaded = try Loaded(
            decide: "local base, t = ('x'):rep(tonumber(msg.id)), {} for i = 1, 15000 do t[i] = base .. i end return { n = #t }",
            limits: limits)
        for length in stride(from: 8, to: 300, by: 16) {
            #expect(try loaded.decide(message: "{\"id\":\"\(length)\"}").text == #"{"n":15000}"#, "\(length)")
            #expect(!loaded.machine.isWorn, "\(length)")
        }
    }

    /// Texts of some length fill memory; one of each page is kept, so that no page goes back.
    private static let pieces = """
        local keep = {}
        for length = 60, 60 + 16 * (tonumber(msg.id) - 1), 16 do
          local base, t = ('x'):rep(length), {}
          for i = 1, 5000000 // (length + 45) do t[i] = base .. i end
          for i = 1, #t, 4000 // (length + 45) do keep[#keep + 1] = t[i] end
        end
        return { n = #keep > 0 }
        """

    @Test(
        "A machine whose memory has fallen into pieces says so, and one that goes on all the same ends at its limit",
        .enabled(if: ScriptLimits.slowness == 1, "under a sanitizer every block is the system's, and there are no pages"))
    func worn() throws {
        var limits = ScriptLimits()
        (limits.callFuel, limits.callMilliseconds) = (1_000_000_000, 60_000)
        let loaded = try Loaded(decide: Budgets.pieces, limits: limits)
        #expect(try loaded.decide(message: #"{"id":"1"}"#).text == #"{"n":true}"#)
        let end = stop(try loaded.decide(message: #"{"id":"9"}"#))
        #expect(end?.code == .budgetMemory, "\(String(describing: end))")
    }

    @Test("A load has its own budget") func load() throws {
        var limits = ScriptLimits()
        limits.loadFuel = 20_000
        #expect(throws: ScriptFault.self) { try Loaded("while true do end", limits: limits) }
    }

    @Test("What earlier messages have left in memory changes no fuel", arguments: [0, 1, 300, 500])
    func garbage(before: Int) throws {
        // It keeps so much that what is made for one message has room only when what is left goes again and again.
        let keep = """
            local zz = ("z"):rep(1000)
            local keep = {}
            for i = 1, 12000 do keep[i] = { i } end
            """
        let body = """
            local list = {}
            for i = 1, tonumber(msg.id) do list[i] = zz:rep(4) .. i end
            local s
            for i = 1, 1000 do s = zz .. i end
            return { kept = #keep }
            """
        func answers(_ ids: [Int]) throws -> [String] {
            let loaded = try Loaded(decide: body, before: keep)
            return try ids.map { id in
                let answer = try loaded.decide(message: #"{"id":"\#(id)","data":{}}"#).text
                return "\(answer) \(loaded.machine.usage.fuel)"
            }
        }
        for id in stride(from: 560, through: 640, by: 8) {
            let alone = try answers([id])[0]
            #expect(try answers([before, id])[1] == alone, "\(id)")
        }
    }

    @Test("The files of a load have its time together") func loadTime() throws {
        var limits = ScriptLimits()
        (limits.loadMilliseconds, limits.loadFuel) = (10, .max / 8)
        let machine = try LuaMachine(limits: limits, functions: [])
        // At less than a nanosecond each, these instructions would still take twice the time.
        let fault = try #require(throws: ScriptFault.self) {
            for _ in 0..<200 { _ = try machine.run(file: "a.lua", source: Array("for i = 1, 100000 do end".utf8)) }
        }
        #expect(fault.code == .budgetTime && machine.isDead)
    }
}

struct Unexpected: Error {}
