// The trace, the JSON of a decision, and that both are the same every time.
import JSONDocument
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct TraceTests {
    @Test("The trace names every rule that was looked at, what it set and to whom it lost")
    func trace() throws {
        var scene = Scene(
            rules: """
                rule "Off" { on = "present", enabled = false, decide = {} }
                rule "Elsewhere" { on = "present", tab = { "home", "chat" }, decide = {} }
                rule "Asked" { on = "present", when = function() return false end, decide = {} }
                rule "First" { on = "present", decide = { title = "a", display = { "list" }, badge = "+1", route = { tab = "home" } } }
                rule "Second" { on = "present", decide = function() log("hi ", 1) return { title = "b", body = "c", display = "suppress", reason = "r" } end }
                rule "Broken" { on = "present", decide = function() error("x") end }
                rule "End" { on = "present", final = true }
                rule "Late" { on = "present", decide = {} }
                """)
        scene.options.tracesRules = true
        let trace = try #require(try scene.answer().decision.trace)
        #expect(trace.rules.map(\.rule) == ["Off", "Elsewhere", "Asked", "First", "Second", "Broken", "End", "Late"])
        #expect(trace.rules.map(\.outcome) == [.disabled, .noMatch, .noMatch, .matched, .matched, .error, .matched, .notRun])
        #expect(trace.rules.map(\.line) == Array(1...8))
        #expect(trace.rules[1].because == #"tab: wanted "home" or "chat", but it is not known"#)
        #expect(trace.rules[2].because == "`when` said no")
        #expect(trace.rules[7].because == #"the rule "End" is final"#)
        func set(_ place: Int) -> [String] {
            trace.rules[place].set.map { "\($0.field)=\(String(decoding: $0.json, as: UTF8.self))" }
        }
        #expect(set(3) == [#"title="a""#, #"badge="+1""#, #"route={"tab":"home"}"#])
        #expect(trace.rules[3].lost.map { "\($0.field):\($0.winner)" } == ["display:Second"])
        #expect(set(4) == [#"display="suppress""#, #"reason="r""#, #"body="c""#])
        #expect(trace.rules[4].lost.map { "\($0.field):\($0.winner)" } == ["title:First"])
        #expect(trace.log == ["hi "])
        #expect(trace.notes == ["the badge is not counted: the message is not shown"])
    }

    @Test("Guards say in the trace what they did")
    func guards() throws {
        var scene = Scene(device: #"{"recipient":"u-1","state":"foreground","permission":"denied"}"#)
        scene.options.tracesRules = true
        let answer = try scene.answer()
        #expect(answer.decision.trace?.guards.map(\.guard) == [.permission])
        #expect(
            answer.json.contains(
                #""trace":{"rules":[],"guards":[{"guard":"permission","effect":"the phone's settings do not allow notifications"}]}"#))
    }

    @Test("A log is held to four kilobytes a decision")
    func logLimit() throws {
        var scene = Scene(
            rules: #"rule "R" { on = "present", decide = function() for i = 1, 100 do log(("x"):rep(1000)) end return {} end }"#)
        scene.options.tracesRules = true
        let log = try #require(try scene.answer().decision.trace?.log)
        #expect(log.count == 5)
        #expect(log.last == "(the log is full: 4096 bytes a decision)")
    }

    @Test("A decision is written with its keys in one order, absent where there is nothing")
    func json() throws {
        let answer = try Scene(
            rules: #"""
                rule "Everything" { on = "present", decide = { display = { "list", "banner" }, reason = "why", title = "t", subtitle = "s",
                  body = "b", sound = "x", category = "c", thread = "th", interruption_level = "passive", relevance = 0.5,
                  attachments = { { url = "https://x.com/a.png", type = "image/png" } }, badge = "+2",
                  route = { tab = "chat", path = { "a", "b" }, mode = "push", account = "u-1" },
                  topics = { subscribe = { "n" } }, inbox = { k = 1 }, labels = { l = "v" } } }
                """#
        ).answer()
        let hash = answer.decision.ruleset
        #expect(hash.utf8.count == 12)
        #expect(
            answer.json.withoutFuel == #"{"app":"test","ruleset":"\#(hash)","event":"present","message_id":"m-1","recipient":"u-1","#
                + #""display":{"action":"show","options":["banner","list"],"reason":"why","rule":"Everything"},"#
                + #""content":{"title":"t","subtitle":"s","body":"b","sound":"x","category":"c","thread":"th","interruption_level":"passive","relevance":0.5,"attachments":[{"url":"https://x.com/a.png","type":"image/png","extension":"png","max_bytes":10485760}]},"#
                + #""badge":{"value":2,"change":2,"absolute":false,"reason":"+2: shown","rule":"Everything"},"#
                + #""route":{"tab":"chat","path":["a","b"],"mode":"push","account":"u-1","reason":"why","rule":"Everything"},"#
                + #""topics":[{"op":"subscribe","topic":"n"}],"inbox":{"k":1},"labels":{"l":"v"},"usage":{"fuel":0}}"#)
        let document = JSONDocument()
        try document.read(answer.json)
        #expect(document.root?.isObject == true)
    }

    @Test("A deferred message says until when")
    func until() throws {
        func until(_ hold: String, device: String = "", app: String = "return { api = 1 }") throws -> String? {
            let answer = try Scene(
                rules: #"rule "R" { on = "present", decide = defer(\#(hold), "later") }"#, app: app,
                device: #"{"recipient":"u-1","state":"foreground"\#(device)}"#
            ).answer()
            return answer.json.split(separator: #""until":"#).dropFirst().first.map { String($0.prefix { $0 != "}" && $0 != "," }) }
        }
        #expect(try until(#""resume""#) == #""resume""#)
        #expect(try until(#""90m""#) == #"{"at":"2026-01-01T13:30:00Z""#)
        #expect(try until(#""2026-02-01T00:00:00+09:00""#) == #"{"at":"2026-01-31T15:00:00Z""#)
    }

    @Test("The same request gives the same bytes, on a used machine and on a new one")
    func determinism() throws {
        var scene = Scene(
            rules: #"""
                rule "R" { on = "present", decide = function(msg, device)
                  local names = {}
                  for k, v in pairs(msg.data) do names[#names + 1] = k .. "=" .. tostring(v) end
                  for _, k in ipairs(state.keys()) do names[#names + 1] = k end
                  return { labels = { names = table.concat(names, ","), n = tostring(math.random(1000000)) }, badge = "+1" }
                end }
                """#, message: #"{"message_id":"m","aps":{"alert":"x"},"z":1,"a":2,"b":"c"}"#)
        scene.options.tracesRules = true
        for key in ["q", "a", "z", "b"] { scene.state.one.values[key] = StoredValue(json: [49]) }
        let evaluator = Evaluator(try scene.load())
        let first = try scene.answer(from: evaluator)
        #expect(first.decision.errors.isEmpty, "\(first.decision.errors)")
        for _ in 0..<3 {
            let again = try scene.answer(from: evaluator)
            #expect(again.json == first.json)
            #expect(again.effects == first.effects)
        }
        #expect(try scene.answer().json == first.json)
        #expect(first.decision.labels.first { $0.name == "names" }?.value == "message_id=m,z=1,a=2,b=c,a,b,q,z")
    }
}

extension String {
    /// Fuel depends on the scripts' every instruction; whoever compares texts leaves it out.
    fileprivate var withoutFuel: String {
        guard let start = range(of: #""usage":{"fuel":"#) else { return self }
        return self[..<start.upperBound] + "0}}"
    }

    private func range(of text: String) -> Range<String.Index>? {
        var place = startIndex
        while place < endIndex {
            if self[place...].hasPrefix(text) { return place..<index(place, offsetBy: text.count) }
            place = index(after: place)
        }
        return nil
    }
}
