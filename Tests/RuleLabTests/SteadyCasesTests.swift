// An answer must be the same on a machine that has run other cases before and on a new one; what it costs need not be.
import RuleEngine
import Testing

@testable import RuleLab

struct SteadyCasesTests {
    private func load(_ rule: String) throws -> Evaluator {
        let files = [
            SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8)), SourceFile(path: "a.lua", bytes: Array(rule.utf8)),
        ]
        guard case .loaded(let app) = RulesetLoader.load(app: "chat", files: files) else { throw NotLoaded() }
        return Evaluator(app)
    }

    private struct NotLoaded: Error {}

    private func cases(_ count: Int) throws -> CaseFile {
        let one =
            #"{"name": "n", "message": {"aps": {"alert": "Hello"}}, "device": {}, "event": "present", "expect": {"display": {"action": "show"}}}"#
        let text = "[" + Array(repeating: one, count: count).joined(separator: ",") + "]"
        return try CaseFile(path: "cases/a.json", source: Array(text.utf8), lookup: { _ in [] })
    }

    @Test("Tables that are keys, of which some are removed, fail no case")
    func tablesAsKeys() throws {
        let rule = """
            rule "r" { on = "present", decide = function(msg)
              local t = {}
              for i = 1, 40 do local k = {} t[k] = i if i % 3 == 0 then t[k] = nil end end
              return { display = "show" }
            end }
            """
        let runner = CaseRunner(try load(rule), reload: { try? load(rule) })
        let results = runner.run(try cases(100))
        #expect(results.map(\.outcome) == Array(repeating: .passed, count: 100))
    }

    /// Answers as its rules do, and says how often it has been asked.
    private final class Counting: RuleEvaluating {
        let inner: Evaluator
        var count = 0

        init(_ inner: Evaluator) { self.inner = inner }

        var ruleset: Ruleset { inner.ruleset }
        var warnings: [RuleWarning] { inner.warnings }

        func evaluate(_ request: consuming EvaluationRequest) -> Evaluation {
            count += 1
            var evaluation = inner.evaluate(request)
            evaluation.decision.content.title = String(count)
            return evaluation
        }
    }

    @Test("An answer that another machine gives otherwise fails its case")
    func unsteady() throws {
        let rule = #"rule "r" { on = "present", decide = { display = "show" } }"#
        let runner = CaseRunner(Counting(try load(rule)), reload: { (try? load(rule)).map(Counting.init) })
        let results = runner.run(try cases(2))
        #expect(results.first?.outcome == .passed)
        guard case .failed(let misses) = try #require(results.last).outcome else {
            Issue.record("it did not fail")
            return
        }
        #expect(misses.first?.remarks.first?.hasPrefix("the answer depends on what was evaluated before") == true)
    }
}
