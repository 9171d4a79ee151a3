// The trace of lines: which rule ran them, and that everything else is as without it.
import Testing

@testable import RuleEngine

@Suite struct LineTraceTests {
    private static let rules = """
        rule "Told" {
          on = "present",
          when = function(msg, device) return msg.title ~= nil end,
          cap = { 3, key = function(msg) return "k-" .. msg.id end },
          decide = function(msg, device, event)
            state.set("last", msg.data.chat_id)
            return { display = "suppress", reason = event.name }
          end,
        }
        rule "Plain" { on = "present", decide = {} }
        rule "Fails" {
          on = "present",
          decide = function(msg)
            local a = msg.nosuch.b
          end,
        }
        """

    @Test("Each rule has the lines of its own functions, in the order in which they were called")
    func lines() throws {
        var scene = Scene(rules: Self.rules)
        scene.options = EvaluationOptions(tracesLines: true)
        let trace = try #require(try scene.answer().decision.trace)
        let told = trace.rules.map { rule in
            rule.lines.map { line in
                "\(line.call.rawValue) \(line.file):\(line.line) "
                    + line.values.map { "\($0.path)=\(String(decoding: $0.json, as: UTF8.self))" }.joined(separator: " ")
            }
        }
        #expect(
            told == [
                [
                    #"when rules.lua:3 msg.title="Mina" return=true"#, #"cap rules.lua:4 msg.id="m-1" return="k-m-1""#,
                    #"decide rules.lua:6 msg.data.chat_id="r-1" state.set("last")="r-1""#,
                    #"decide rules.lua:7 event.name="present" return={"display":"suppress","reason":"present"}"#,
                ], [], ["decide rules.lua:14 msg.nosuch=null"],
            ])
        #expect(trace.rules[0].lines[3].source == #"return { display = "suppress", reason = event.name }"#)
    }

    @Test("Without it no line is kept, and the answer is the same to the byte")
    func same() throws {
        var scene = Scene(rules: Self.rules)
        let plain = try scene.answer()
        scene.options = EvaluationOptions(tracesLines: true)
        var traced = try scene.answer()
        let json = traced.json
        #expect(json.contains(#""lines":[{"call":"when","file":"rules.lua","line":3,"source":"when = function"#))
        var decision = traced.decision
        decision.trace = nil
        #expect(String(decoding: DecisionWriter.bytes(of: decision), as: UTF8.self) == plain.json)
        #expect(traced.effects == plain.effects)
        scene.options = EvaluationOptions(tracesRules: true)
        traced = try scene.answer()
        #expect(traced.decision.trace?.rules.allSatisfy(\.lines.isEmpty) == true && !traced.json.contains("\"lines\""))
    }

    @Test("A decision keeps a bounded number of lines, and says how many there were more")
    func bounds() throws {
        let body = (0..<150).map { "local a\($0) = \($0)" }.joined(separator: "\n")
        let rules = (0..<5).map { "rule \"r\($0)\" { on = \"present\", decide = function()\n\(body)\nend }" }.joined(separator: "\n")
        var scene = Scene(rules: rules)
        scene.options = EvaluationOptions(tracesLines: true)
        let trace = try #require(try scene.answer().decision.trace)
        #expect(trace.rules.map(\.lines.count) == [151, 151, 98, 0, 0])
        #expect(trace.rules.map(\.linesLeftOut) == [0, 0, 53, 151, 151])
    }
}
