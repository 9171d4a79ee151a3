// What check does must not grow faster than the app. Counted, not timed.
import Foundation
import PushMessage
import RuleEngine
import RuleStore
import Testing

@testable import RuleCheck

struct WorkTests {
    /// How rules of one app differ.
    enum Kind: String, CaseIterable { case channel, topic, when, categories }

    private func app(of count: Int, _ kind: Kind) throws -> CheckedApp {
        let rules = (0..<count).map { number in
            let condition =
                switch kind {
                case .channel: #"channel = "c\#(number)""#
                case .topic: #"topic = "t\#(number)", state = "background""#
                case .when: #"when = function(msg) return msg.title == "\#(number)" end"#
                case .categories: #"category = { "a\#(number)", "b\#(number)" }, channel = "all""#
                }
            return #"rule "R\#(number)" { on = "send", \#(condition), decide = { labels = { n = "\#(number)" } } }"#
        }
        let files = [
            SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8)),
            SourceFile(path: "rules.lua", bytes: Array(rules.joined(separator: "\n").utf8)),
        ]
        let outcome = RulesetLoader.load(app: "shop", files: files)
        let folder = RulesFolder(path: Fixture.house.appendingPathComponent("rules").path)
        let cases = try CheckedCases(of: "chat", in: folder, files: [], .failed([]))
        return CheckedApp(
            "shop", files: files, outcome: outcome, cases: cases, misplaced: [], luacheck: [], now: Instant(milliseconds: 0))
    }

    private func work(_ count: Int, _ kind: Kind) throws -> CheckedApp.Work {
        let app = try app(of: count, kind)
        #expect(app.rules.count == count)
        _ = AppCheck.run(Check.all, on: app)
        return app.work
    }

    @Test("Twice the rules are little more than twice the work", arguments: Kind.allCases)
    func nearLinear(_ kind: Kind) throws {
        let (one, two) = (try work(200, kind), try work(400, kind))
        #expect(two.pairs <= 2 * one.pairs && two.pairs <= 400, "\(one) \(two)")
        // Halving takes one step more.
        #expect(Double(two.spans) < 2.5 * Double(one.spans), "\(one) \(two)")
    }

    private func line(of count: Int) throws -> CheckedApp {
        let names = (0..<count).map { "v\($0 % 7)=g\($0 % 7)" }.joined(separator: " ")
        let files = [
            SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8)),
            SourceFile(
                path: "rules.lua",
                bytes: Array("rule \"R\" { on = \"open\", decide = function(msg) local x = msg.titel \(names) end }".utf8)),
        ]
        let folder = RulesFolder(path: Fixture.house.appendingPathComponent("rules").path)
        return CheckedApp(
            "shop", files: files, outcome: RulesetLoader.load(app: "shop", files: files),
            cases: try CheckedCases(of: "chat", in: folder, files: [], .failed([])), misplaced: [], luacheck: [],
            now: Instant(milliseconds: 0))
    }

    @Test("Of thousands of findings five hundred are told, errors first, and the last says how many more there are")
    func manyFindings() throws {
        let found = AppCheck.run(Check.all, on: try line(of: 2_000))
        #expect(found.count == Findings.most && found.allSatisfy { $0.severity == .error })
        #expect(found.last?.hint?.contains("more are not told") == true)
        #expect(found.dropLast().allSatisfy { $0.hint?.contains("not told") != true })
        let checks: [Check] = [.undefinedName, .globalWrite, .unknownField]
        let left = AppCheck.run(checks, on: try line(of: 2_000), ignored: ["undefined_name", "global_write"])
        #expect(left.map(\.code) == ["unknown_field"] && left[0].hint?.contains("not told") == false)
    }

    @Test("Columns of one long line are found without counting it again for each finding")
    func columns() throws {
        func steps(_ count: Int) throws -> Int {
            let app = try line(of: count)
            _ = AppCheck.run(Check.all, on: app)
            return app.files.reduce(0) { $0 + $1.placeSteps }
        }
        let (one, two) = (try steps(1_000), try steps(2_000))
        #expect(two < 3 * one, "\(one) \(two)")
    }

    @Test("Rules that may meet are still held against each other")
    func meeting() throws {
        let rules = [
            #"rule "All" { on = "send", decide = suppress "a" }"#,
            #"rule "One" { on = "send", channel = "x", decide = show {} }"#,
            #"local same = function(msg) return msg.title == "x" end"#,
            #"rule "Same" { on = "open", when = same, category = { "a", "b" }, decide = { labels = { a = "1" } } }"#,
            #"rule "Same again" { on = "open", when = same, category = "b", decide = { labels = { a = "2" } } }"#,
        ]
        let files = [
            SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8)),
            SourceFile(path: "rules.lua", bytes: Array(rules.joined(separator: "\n").utf8)),
        ]
        let folder = RulesFolder(path: Fixture.house.appendingPathComponent("rules").path)
        let app = CheckedApp(
            "shop", files: files, outcome: RulesetLoader.load(app: "shop", files: files),
            cases: try CheckedCases(of: "chat", in: folder, files: [], .failed([])), misplaced: [], luacheck: [],
            now: Instant(milliseconds: 0))
        let found = AppCheck.run([.shadowedRule], on: app)
        #expect(found.map(\.rule) == ["One", "Same again"], "\(found)")
    }
}
