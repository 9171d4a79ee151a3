// A rule that brings a message near one of its limits is named, before a larger message goes beyond it.
import LuaSandbox
import Testing

@testable import RuleEngine

@Suite("Near a limit") struct StrainTests {
    private let light = #"rule "Light" { on = "present", decide = function(msg) return { labels = { a = msg.title:upper() } } end }"#

    private func heavy(_ turns: Int) -> String {
        #"rule "Heavy" { on = "present", decide = function() local n = 0 for i = 1, \#(turns) do n = n + i % 7 end return { badge = 3 } end }"#
    }

    @Test("From half of the fuel on the rule with the largest part is named, with its place; the decision stays as it is")
    func fuel() throws {
        let answer = try Scene(rules: light + "\n" + heavy(180_000) + "\n" + light.replacing("Light", with: "Last")).answer()
        let strain = try #require(answer.decision.usage.strains.first)
        #expect(answer.decision.usage.strains.count == 1)
        #expect(strain.limit == .fuel && strain.rule == "Heavy" && strain.file == "rules.lua" && strain.line == 2)
        #expect(strain.used == answer.decision.usage.fuel && strain.allowed == 1_000_000)
        #expect(strain.warning.message.contains("\"Heavy\"") && strain.warning.message.contains("1000000 units of fuel"))
        #expect(answer.decision.errors.isEmpty && answer.decision.warnings.isEmpty)
        #expect(answer.decision.badge?.value == 3 && !answer.json.contains("strain"))
    }

    @Test("Below half nothing is said, and the limit is the one that the app has chosen")
    func below() throws {
        #expect(try Scene(rules: light + heavy(100_000)).answer().decision.usage.strains.isEmpty)
        let own = Scene(rules: light + heavy(10_000), app: "return { api = 1, limits = { fuel = 60000 } }")
        #expect(try own.answer().decision.usage.strains.map(\.allowed) == [60_000])
    }

    @Test("From half of the memory on the rule that took it is named")
    func memory() throws {
        let large =
            #"rule "Large" { on = "present", decide = function() local t, s = {}, ("x"):rep(60000) for i = 1, 80 do t[i] = s .. i end return { badge = #t } end }"#
        let strains = try Scene(rules: light + "\n" + large + "\n" + light.replacing("Light", with: "Last")).answer().decision.usage.strains
        #expect(strains.map(\.limit) == [.memory] && strains.map(\.rule) == ["Large"])
    }

    @Test("What was stopped has its error, and no warning beside it")
    func stopped() throws {
        let answer = try Scene(rules: heavy(10_000_000)).answer()
        #expect(answer.decision.errors.map(\.code) == ["budget_fuel"] && answer.decision.usage.strains.isEmpty)
    }

    @Test("A load from half of its limits on is a warning that names the file")
    func load() throws {
        let table = "local t = {} for i = 1, 1000000 do t[1] = i % 7 end\n"
        var scene = Scene(rules: table + light)
        scene.limits.script.loadMilliseconds = 20_000
        let warnings = try scene.load().warnings
        #expect(warnings.count == 1 && warnings[0].file == "rules.lua" && warnings[0].message.contains("units of fuel"), "\(warnings)")
        #expect(try Scene(rules: light).load().warnings.isEmpty)
    }

    @Test("It crosses to and from a process of its own")
    func crosses() throws {
        let scene = Scene(rules: heavy(180_000))
        let evaluator = Evaluator(try scene.load())
        try scene.asked(evaluator) { request in
            let evaluation = evaluator.evaluate(request)
            let read = try evaluation.crossing.withUnsafeBytes { bytes in
                try Evaluation(crossing: bytes, to: Question(request, windows: DedupeWindows()), of: evaluator.ruleset)
            }
            #expect(read.decision.usage.strains == evaluation.decision.usage.strains && read.decision.usage.strains.count == 1)
        }
    }
}

@Suite("What a host function does costs fuel") struct HostWorkTests {
    private func fuel(_ body: String, _ state: AppState = AppState()) throws -> Int {
        var scene = Scene(rules: #"rule "R" { on = "present", decide = function() \#(body) return nil end }"#)
        scene.state = state
        let answer = try scene.answer()
        #expect(answer.decision.errors.isEmpty, "\(answer.decision.errors)")
        return answer.decision.usage.fuel
    }

    @Test("Listing keys costs by the keys that there are, not by those that are listed")
    func keys() throws {
        var state = AppState()
        for number in 0..<1_000 { state.one.values["k\(number)"] = StoredValue(json: [49]) }
        #expect(try fuel(#"state.keys("none")"#, state) - fuel(#"state.keys("none")"#) >= 20_000)
    }

    @Test("A long value that is read costs by its length, also when it is only compared")
    func reading() throws {
        var state = AppState()
        state.one.values["long"] = StoredValue(json: [34] + [UInt8](repeating: 120, count: 40_000) + [34])
        #expect(try fuel(#"pcall(state.incr, "long")"#, state) - fuel(#"pcall(state.incr, "none")"#) >= 10_000)
    }

    @Test("Texts that are cut or filled cost by their length", arguments: ["text.truncate(s, 10)", "text.fill(s, {})"])
    func texts(call: String) throws {
        #expect(try fuel(#"local s = ("x"):rep(10000) \#(call)"#) - fuel(#"local s = ("x"):rep(10) \#(call)"#) >= 40_000)
    }

    @Test(
        "A loop over a dear host function ends by fuel",
        arguments: [
            #"state.keys("none")"#, #"pcall(state.incr, "long")"#, #"text.truncate(("x"):rep(60000), 50000)"#,
            #"text.fill(("{"):rep(60000), {})"#,
        ])
    func loops(call: String) throws {
        var scene = Scene(rules: #"rule "R" { on = "present", decide = function() while true do \#(call) end end }"#)
        scene.limits.script.callMilliseconds = 20_000
        for number in 0..<3_000 { scene.state.one.values["k\(number)"] = StoredValue(json: [49]) }
        scene.state.one.values["long"] = StoredValue(json: [34] + [UInt8](repeating: 120, count: 30_000) + [34])
        #expect(try scene.answer().decision.errors.map(\.code) == ["budget_fuel"])
    }

    @Test("A machine whose memory has fallen into pieces is made anew, and nobody notices")
    func pieces() throws {
        var scene = Scene(
            rules:
                #"rule "R" { on = "present", decide = function(msg) local base, t = ("x"):rep(tonumber(msg.title)), {} for i = 1, 15000 do t[i] = base .. i end return { badge = #t } end }"#
        )
        scene.limits.script.callMilliseconds = 20_000
        let evaluator = Evaluator(try scene.load())
        for length in stride(from: 8, to: 300, by: 16) {
            scene.message = "{\"message_id\":\"m-\(length)\",\"aps\":{\"alert\":{\"title\":\"\(length)\"}}}"
            let answer = try scene.answer(from: evaluator)
            #expect(answer.decision.errors.isEmpty && answer.decision.badge?.value == 15_000, "\(length): \(answer.decision.errors)")
            #expect(try scene.answer().json == answer.json)
        }
    }

    @Test("Rules keep at most 256 switches of one recipient; those that are there can always be changed")
    func switches() throws {
        var scene = Scene(
            rules: #"rule "R" { on = "present", decide = function() for i = 1, 300 do settings.set("c" .. i, true) end end }"#)
        let answer = try scene.answer()
        #expect(answer.decision.errors.map(\.code) == ["rule_raised"] && answer.effects.isEmpty)
        #expect(answer.decision.errors.first?.message.contains("256 switches") == true)
        for number in 1...300 { scene.state.one.channels["c\(number)"] = false }
        #expect(try scene.answer().state.one.channels["c300"] == true)
    }
}
