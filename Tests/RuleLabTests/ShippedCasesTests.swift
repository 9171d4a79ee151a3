// Every case that stands beside the rules we ship holds; and a case that does not hold is told so that one can act.
import Foundation
import RuleEngine
import RuleStore
import Testing

@testable import RuleLab

struct ShippedCasesTests {
    static let repository = URL(fileURLWithPath: #filePath).pathComponents.dropLast(3).dropFirst()
        .reduce("") { $0 + "/" + $1 }
    private static let folder = RulesFolder(path: "\(repository)/rules")
    private static let apps: [String] = {
        do throws(StoreFault) { return try folder.apps() } catch { return [] }
    }()

    @Test("There are apps with cases")
    func areThere() {
        #expect(Self.apps.contains("chat") && Self.apps.contains("topics"))
    }

    @Test("Every case of a shipped app passes", arguments: apps)
    func pass(app: String) throws {
        guard case .ran(let results, let broken) = try AppCases.run(app, in: Self.folder) else {
            Issue.record("\(app) does not load or has no cases")
            return
        }
        for file in broken { Issue.record("\(app)/\(file.file):\(file.fault.line): \(file.fault.message)") }
        #expect(results.count > 3)
        for result in results where result.outcome != .passed {
            Issue.record("\(app)/\(result.file):\(result.line) \(result.name): \(result.outcome)")
        }
    }
}

struct ShippedLayoutTests {
    @Test("The cases that we ship, and the traffic, are laid out as `rulehost fmt` does")
    func laidOut() throws {
        let folder = RulesFolder(path: "\(ShippedCasesTests.repository)/rules")
        let files = try folder.caseFiles() + JSONFiles.all(in: "\(ShippedCasesTests.repository)/examples/traffic")
        #expect(files.count > 20)
        for file in files {
            #expect(try FileLayout.lay(out: file, writing: false) == .same, "\(file): run `rulehost fmt`")
        }
    }
}

struct CaseFaultTests {
    @Test("Each code has a page", arguments: CaseFault.Code.allCases)
    func pages(code: CaseFault.Code) throws {
        let page = try String(contentsOfFile: "\(ShippedCasesTests.repository)/docs/errors/\(code.rawValue).md", encoding: .utf8)
        #expect(page.hasPrefix("# \(code.rawValue)\n"))
    }
}

struct CaseRunnerTests {
    private func run(rules: String, app: String = "return { api = 1, channels = { chat = {} } }", cases: String) throws -> [CaseOutcome] {
        let files = [
            SourceFile(path: "app.lua", bytes: Array(app.utf8)), SourceFile(path: "rules.lua", bytes: Array(rules.utf8)),
        ]
        let load = { () -> (any RuleEvaluating)? in
            if case .loaded(let app) = RulesetLoader.load(app: "chat", files: files) { Evaluator(app) } else { nil }
        }
        let file = try CaseFile(path: "cases/a.json", source: Array(cases.utf8)) { name throws(CaseFault) in
            throw CaseFault(code: .caseFileMissing, message: name)
        }
        return CaseRunner(try #require(load()), reload: load).run(file).map(\.outcome)
    }

    @Test("A rule that comes near a limit in a case is told of once, with the largest figure")
    func nearLimits() throws {
        let rules =
            #"rule "Heavy" { on = "present", decide = function(msg) for i = 1, 100000 + 100000 * #msg.body do local n = i % 7 end end }"#
        let files = [
            SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8)), SourceFile(path: "rules.lua", bytes: Array(rules.utf8)),
        ]
        let load = { () -> (any RuleEvaluating)? in
            if case .loaded(let app) = RulesetLoader.load(app: "chat", files: files) { Evaluator(app) } else { nil }
        }
        let one = { (id: String, body: String) in
            #"{"name": "\#(id)", "message": {"message_id": "\#(id)", "aps": {"alert": {"body": "\#(body)"}}}, "event": "present", "device": {"recipient": "u-1"}, "expect": {}}"#
        }
        let cases = "[" + [one("a", "1"), one("b", "12"), one("c", "")].joined(separator: ",") + "]"
        let file = try CaseFile(path: "cases/a.json", source: Array(cases.utf8)) { name throws(CaseFault) in
            throw CaseFault(code: .caseFileMissing, message: name)
        }
        let runner = CaseRunner(try #require(load()), reload: load)
        _ = runner.run(file)
        #expect(runner.warnings.count == 1 && runner.warnings[0].file == "rules.lua" && runner.warnings[0].line == 1, "\(runner.warnings)")
        #expect(runner.warnings[0].message.contains("\"Heavy\""))
    }

    private let message =
        #""message": {"message_id": "m-1", "aps": {"alert": "Hello"}, "channel": "chat"}, "device": {"recipient": "u-1", "state": "foreground"}"#

    @Test("A case that misses says where, what was expected and what came")
    func miss() throws {
        let outcomes = try run(
            rules: #"rule "Quiet" { on = "present", decide = suppress "the chat tab is on screen" }"#,
            cases: #"[{"name": "n", \#(message), "event": "present", "expect": {"display": {"action": "show", "reason": null}}}]"#)
        #expect(
            outcomes == [
                .failed([
                    StepMiss(
                        step: 1, line: 1,
                        differences: [
                            Difference(path: "display.action", expected: "\"show\"", got: "\"suppress\""),
                            Difference(path: "display.reason", expected: nil, got: "\"the chat tab is on screen\""),
                        ], remarks: [])
                ])
            ])
    }

    @Test("Steps share a state, and the state afterwards can be expected")
    func state() throws {
        let outcomes = try run(
            rules:
                #"rule "Count" { on = "present", decide = function() state.incr("n", 2) state.app.set("last", "x") return { badge = "+1" } end }"#,
            cases: #"""
                [{"name": "n", \#(message), "event": "present", "state": {"badge": 4, "recipient": {"n": 1}, "settings": {"chat": true}},
                  "expect": {"badge": {"value": 5, "change": 1}},
                  "expect_state": {"badge": 5, "recipient": {"n": 3}, "app": {"last": "x"}, "settings": {"chat": true}},
                  "then": [{"message": {"message_id": "m-2", "aps": {"alert": "Hello"}, "channel": "chat"}, "expect_state": {"badge": 6, "recipient": {"n": 5}, "inbox": null}}]}]
                """#)
        #expect(outcomes == [.passed])
    }

    @Test("Without an event the whole journey is expected as a list")
    func journey() throws {
        let outcomes = try run(
            rules: #"rule "Tap" { on = "open", decide = route "shop://cart" }"#,
            cases: #"""
                [{"name": "right", "message": {"message_id": "m-1", "aps": {"alert": "Hello"}, "channel": "chat"},
                  "device": {"state": "background", "tap": true}, "expect": [{"event": "send"}, {"event": "open", "route": {"url": "shop://cart"}}]},
                 {"name": "too short", \#(message), "expect": []}]
                """#)
        #expect(outcomes.first == .passed)
        guard case .failed(let misses) = outcomes.last else {
            Issue.record("a journey of another length passes")
            return
        }
        #expect(misses.first?.differences.first?.expected == "[]")
    }

    @Test("A rule that fails and a field that does not exist never pass unseen")
    func remarks() throws {
        let outcomes = try run(
            rules: """
                rule "Raises" { on = "present", decide = function(msg) error("no luck") end }
                rule "Slip" { on = "open", when = function(msg) return msg.tittle end, decide = {} }
                """,
            cases: #"""
                [{"name": "a", \#(message), "event": "present", "expect": {"event": "present"}},
                 {"name": "b", \#(message), "event": "open", "expect": {"event": "open"}},
                 {"name": "c", \#(message), "event": "present", "expect": {"errors": [{"rule": "Raises"}]}}]
                """#)
        guard case .failed(let raised) = outcomes[0], case .failed(let slip) = outcomes[1] else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(raised.first?.remarks.first?.contains("no luck") ?? false)
        #expect(slip.first?.remarks.first?.contains("tittle") ?? false)
        #expect(outcomes[2] == .passed)
    }

    @Test("A case without a message and an event, or with a bad device or state, is broken, not failed")
    func broken() throws {
        let outcomes = try run(
            rules: "",
            cases: #"""
                [{"name": "a", "expect": []}, {"name": "b", \#(message), "state": {"bagde": 1}, "expect": []},
                 {"name": "c", "message": {"aps": {"alert": "x"}}, "device": {"state": "asleep"}, "expect": []},
                 {"name": "d", \#(message), "event": "presents", "expect": {}}]
                """#)
        for outcome in outcomes {
            guard case .broken(let fault) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(!fault.message.isEmpty && fault.line > 0)
        }
    }
}
