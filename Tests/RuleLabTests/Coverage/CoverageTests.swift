// What cases have tried, compared with what was worked out on paper for an app made for it.
import PushMessage
import RuleEngine
import Testing

@testable import RuleLab

struct CoverageTests {
    /// Line by line:
    ///
    ///     2    runs the function of lib/words.lua:3 in the load, and nowhere else
    ///     4    begins a rule that cases A and D match
    ///     9    three cases come to its `when`: A, B and D; 10 no case does, 12 all three
    ///     15   only A comes to `decide`: D is within quiet hours
    ///     22   begins a rule that all four match; 24 is asleep and counts nowhere; 25 is asked at no event
    private static let rules = """
        local words = require "lib.words"
        local loud = words.upper("offers")

        rule "Offers at night wait" {
          on = "present",
          channel = "offers",
          quiet = { "22:00", "08:00", otherwise = "defer" },
          when = function(msg)
            if msg.silent then
              return false
            end
            return words.is_loud(msg.title, loud)
          end,
          decide = function(msg)
            if msg.badge then
              return show { "banner", badge = "clear" }
            end
            return suppress "no badge"
          end,
        }

        rule "Everybody" {
          on = "present", rollout = 100, decide = { labels = { a = "b" } } }
        rule "Asleep" { enabled = false, on = "present", decide = {} }
        rule "Never" { on = "open", decide = {} }
        """
    private static let words = """
        local words = {}
        function words.upper(text)
          return text:upper()
        end
        function words.is_loud(text, loud)
          return text == loud
        end
        function words.unused() return 1 end
        return words
        """

    private static func aCase(_ name: String, title: String, channel: String = "offers", now: String = "12:00", device: String = "")
        -> String
    {
        """
        {"name": "\(name)", "now": "2026-01-01T\(now):00Z", "event": "present",
          "message": {"message_id": "m-\(name)", "aps": {"alert": {"title": "\(title)", "body": "b"}}, "channel": "\(channel)"},
          "device": {"recipient": "u-1", "state": "foreground"\(device)}, "expect": {"event": "present"}}
        """
    }
    private static let cases =
        "["
        + [
            aCase("A", title: "OFFERS"), aCase("B", title: "x"),
            aCase("C", title: "OFFERS", channel: "news", device: #", "permission": "denied""#), aCase("D", title: "OFFERS", now: "23:00"),
        ].joined(separator: ",\n") + "]"

    private static let files = [
        SourceFile(path: "app.lua", bytes: Array("return { api = 1, guards = { link = false } }".utf8)),
        SourceFile(path: "lib/words.lua", bytes: Array(words.utf8)), SourceFile(path: "rules.lua", bytes: Array(rules.utf8)),
    ]

    private func measured(_ files: [SourceFile] = Self.files, cases: String = Self.cases) throws -> AppCoverage {
        let desk = CoverageDesk()
        guard case .ready(let evaluator) = desk.load("shop", files) else { throw CaseFault(message: "the app does not load") }
        let runner = CaseRunner(evaluator) {
            if case .ready(let fresh) = desk.load("shop", files) { fresh } else { nil }
        }
        let file = try CaseFile(path: "cases/a.json", source: Array(cases.utf8)) { _ throws(CaseFault) in [] }
        for result in runner.run(file) { #expect(result.outcome == .passed, "\(result)") }
        return try #require(desk.coverage(of: "shop"))
    }

    private func hits(_ file: FileCoverage) -> [Int: Int] {
        Dictionary(uniqueKeysWithValues: file.lines.compactMap { line in line.hits.map { (line.number, $0) } })
    }

    @Test("Lines are counted as on paper, each case once although it runs on two machines")
    func lines() throws {
        let app = try measured()
        #expect(app.files.map(\.path) == ["lib/words.lua", "rules.lua"])
        #expect(hits(app.files[0]) == [6: 3, 8: 0])
        #expect(hits(app.files[1]) == [4: 2, 9: 3, 10: 0, 12: 3, 15: 1, 16: 0, 18: 1, 22: 4, 25: 0])
        #expect(app.files[0].lines[2].kind == .load && app.files[1].lines[1].kind == .load && app.files[1].lines[2].kind == .nothing)
        #expect(app.files[1].lines[11].text == "    return words.is_loud(msg.title, loud)")
        #expect(app.lineCount == CoveredCount(7, of: 11))
        #expect(app.decisions == 4)
    }

    @Test("Rules and their ways are counted as on paper")
    func ways() throws {
        let app = try measured()
        let told = app.rules.map { file, rule in
            "\(file):\(rule.line) \(rule.name): \(rule.standing) \(rule.matched)/\(rule.asked) "
                + rule.branches.joined().map { "\($0.branch)=\($0.taken)" }.joined(separator: " ")
                + rule.outcomes.map { " (\($0.branch)=\($0.taken))" }.joined()
        }
        #expect(
            told == [
                "rules.lua:4 Offers at night wait: matched 2/4 conditionsHold=3 conditionsFail=1 whenYes=2 whenNo=1 "
                    + "insideQuiet=1 outsideQuiet=1 decided=1 (suppresses=1)",
                "rules.lua:22 Everybody: matched 4/4 insideRollout=4 outsideRollout=0 decided=4 (leavesDisplay=4)",
                "rules.lua:24 Asleep: disabled 0/0 ", "rules.lua:25 Never: neverAsked 0/0 decided=0",
            ])
        #expect(app.ruleCount == CoveredCount(2, of: 3) && app.branchCount == CoveredCount(9, of: 11))
        #expect(app.total == CoveredCount(16, of: 22))
    }

    @Test("Guards are all there, with the decisions in which they acted")
    func guards() throws {
        let app = try measured()
        #expect(app.guards.map(\.name) == GuardName.allCases && app.guards.count == 11)
        #expect(app.guards.filter { $0.acted > 0 }.map { "\($0.name) \($0.acted)" } == ["permission 1"])
        #expect(app.guards.filter(\.isOff).map(\.name) == [.link])
    }

    @Test("Every way of a rule is told: dates, shares, caps, failures, messages that wait")
    func others() throws {
        let rules = """
            rule "Dates" { on = "present", starts = "2026-01-01T13:00:00Z", expires = "2026-01-01T15:00:00Z", decide = {} }
            rule "Some" { on = "present", holdout = 100, decide = {} }
            rule "Cap" { on = { "present", "due" }, cap = { 1 }, decide = show { "list" } }
            rule "Wait" { on = "send", decide = defer("resume", "later") }
            rule "At dawn" { on = "due", decide = suppress "no" }
            rule "Fails" { on = "token", when = function() return nosuch.x end, decide = {} }
            rule "Last" { on = "account", final = true }
            rule "Behind" { on = "account", when = function() return true end, decide = {} }
            """
        let cases = """
            [{"name": "a", "now": "2026-01-01T12:00:00Z", "event": "present", "message": {"message_id": "m-1", "aps": {"alert": "x"}},
              "device": {"recipient": "u-1", "state": "foreground"}, "expect": {"event": "present"}, "then": [
               {"now": "2026-01-01T14:00:00Z", "message": {"message_id": "m-2", "aps": {"alert": "y"}}},
               {"now": "2026-01-01T16:00:00Z", "message": {"message_id": "m-3", "aps": {"alert": "z"}}},
               {"event": "send", "message": {"message_id": "m-4", "aps": {"alert": "z"}}, "device": {"recipient": "u-2"}},
               {"event": "resume", "message": null, "expect": {"deferred": [{"event": "due"}]}},
               {"event": {"name": "token", "kind": "apns", "value": "t"}, "expect": {"errors": [{"rule": "Fails"}]}},
               {"event": {"name": "account", "op": "login", "account": "a"}, "expect": {"event": "account"}}]}]
            """
        let app = try measured(
            [Self.files[0], SourceFile(path: "rules.lua", bytes: Array(rules.utf8))].map {
                $0.path == "app.lua" ? SourceFile(path: "app.lua", bytes: Array("return { api = 1, undefined = nil }".utf8)) : $0
            }, cases: cases)
        func ways(_ name: String) -> String {
            app.rules.first { $0.rule.name == name }.map { _, rule in
                "\(rule.standing) \(rule.matched)/\(rule.asked)/\(rule.failed) "
                    + rule.branches.joined().map { "\($0.branch)=\($0.taken)" }.joined(separator: " ")
            } ?? ""
        }
        #expect(ways("Dates") == "matched 1/3/0 notStarted=1 started=2 notExpired=1 expired=1 decided=1")
        #expect(ways("Some") == "neverMatched 0/3/0 insideHoldout=3 outsideHoldout=0 decided=0")
        #expect(ways("Cap") == "matched 4/4/0 capFree=2 capFull=2 decided=2")
        #expect(ways("Wait") == "matched 2/2/0 decided=1")
        #expect(ways("At dawn") == "matched 1/1/0 decided=1")
        #expect(ways("Fails") == "neverMatched 0/1/1 whenYes=0 whenNo=0 decided=0")
        #expect(ways("Last") == "matched 1/1/0 ")
        #expect(ways("Behind") == "neverAsked 0/0/0 whenYes=0 whenNo=0 decided=0")
    }

    @Test("Without a case nothing is covered, and of nothing there is enough")
    func nothing() throws {
        let app = try measured(cases: "[]")
        #expect(app.total == CoveredCount(0, of: 22) && app.decisions == 0 && app.total.isBelow(percent: 1))
        #expect(!CoveredCount().isBelow(percent: 100))
        #expect(try measured([Self.files[0]], cases: "[]").files.isEmpty)
    }

    @Test("A percentage is missed by one line in a thousand, and reached to the line")
    func below() {
        #expect(!CoveredCount(3, of: 4).isBelow(percent: 75) && CoveredCount(3, of: 4).isBelow(percent: 76))
        #expect(CoveredCount(999, of: 1000).isBelow(percent: 100) && !CoveredCount(999, of: 1000).isBelow(percent: 99))
        #expect(!CoveredCount(0, of: 5).isBelow(percent: 0))
    }

    @Test("Files of the shared folder count for no app, and for all of them together")
    func shared() throws {
        let module = SourceFile(
            path: "_shared/lib/words.lua",
            bytes: Array("local w = {}\nfunction w.one() return 1 end\nfunction w.two() return 2 end\nreturn w".utf8))
        func app(_ name: String, _ function: String) throws -> AppCoverage {
            let rules =
                "local w = require \"shared.words\"\nrule \"R\" { on = \"present\", when = function() return w.\(function)() end, decide = {} }"
            return try measured(
                [Self.files[0], module, SourceFile(path: "rules.lua", bytes: Array(rules.utf8))],
                cases: "[" + Self.aCase("A", title: "x") + "]")
        }
        let (one, two) = (try app("one", "one"), try app("two", "two"))
        #expect(one.lineCount == CoveredCount(1, of: 1) && one.files.map(\.path) == ["rules.lua", "_shared/lib/words.lua"])
        #expect(one.files[1].lineCount == CoveredCount(1, of: 2))
        let shared = [one, two, one].shared
        #expect(shared.map(\.path) == ["_shared/lib/words.lua"] && hits(shared[0]) == [2: 2, 3: 1])
    }

    @Test("A machine that is stopped and made anew counts on")
    func stopped() throws {
        let rules = """
            rule "Spins" { on = "present", when = function(msg)
              if msg.title == "x" then while true do end end
              return true
            end, decide = {} }
            """
        let spins = Self.aCase("B", title: "x").replacing(#"{"event": "present"}"#, with: #"{"errors": [{"code": "budget_fuel"}]}"#)
        let app = try measured(
            [Self.files[0], SourceFile(path: "rules.lua", bytes: Array(rules.utf8))],
            cases: "[" + [Self.aCase("A", title: "y"), spins, Self.aCase("C", title: "z")].joined(separator: ",") + "]")
        // Whether the endless loop counts as one line or as many is told by how often it came round.
        let counted = hits(app.files[0])
        #expect(counted[1] == 2 && counted[3] == 2 && (counted[2] ?? 0) > 1000)
    }
}
