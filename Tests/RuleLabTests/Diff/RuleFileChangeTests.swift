// What was changed in the files of an app, line by line.
import RuleEngine
import Testing

@testable import RuleLab

struct RuleFileChangeTests {
    private static func ruleset(_ files: [(String, String)]) throws -> Ruleset {
        let all = [("app.lua", "return { api = 1 }\n")] + files
        switch RulesetLoader.load(app: "app", files: all.map { SourceFile(path: $0.0, bytes: Array($0.1.utf8)) }) {
        case .loaded(let app): return app.ruleset
        case .failed(let faults): throw LoadedRules.DoesNotLoad(faults: faults)
        }
    }

    private static func words(_ changes: [RuleFileChange]) -> [String] {
        changes.flatMap { change in
            ["\(change.path) \(change.kind)"] + change.lines.map { "\($0.isNew ? "+" : "-")\($0.number) \($0.text)" }
        }
    }

    /// Compared line by line they would take gigabytes.
    @Test("Of files that have hardly a line in common all between the first and the last common one is replaced")
    func replaced() throws {
        let (old, new) = ((0..<8_000).map { "-- a\($0)" }, (0..<8_000).map { "-- b\($0)" })
        let files = [old, new].map {
            [SourceFile(path: "a.lua", bytes: Array((["-- first"] + $0 + ["-- last"]).joined(separator: "\n").utf8))]
        }
        let lines = try #require(RuleFileChange.between(files[0], files[1]).first?.lines)
        #expect(lines.map(\.text) == old + new && lines.first?.number == 2 && lines.last?.number == 8_001)
    }

    @Test("A line that was changed stands there as it was and as it is, with its number")
    func line() throws {
        let old = "rule \"A\" {\n  on = \"send\",\n  enabled = true,\n  decide = suppress \"a\",\n}\n"
        let new = old.replacing("true", with: "false")
        #expect(
            Self.words(.between(try Self.ruleset([("a.lua", old)]), try Self.ruleset([("a.lua", new)])))
                == ["a.lua changed", "-3   enabled = true,", "+3   enabled = false,"])
    }

    @Test("Lines that come and go keep the numbers of their own files; files too")
    func several() throws {
        let old = "-- one\n-- two\n-- three\n-- four\n"
        let new = "-- zero\n-- one\n-- three\n-- 4\n-- five\n"
        #expect(
            Self.words(
                .between(
                    try Self.ruleset([("a.lua", old), ("gone.lua", "-- x\n")]),
                    try Self.ruleset([("a.lua", new), ("new.lua", "-- y\n-- z")])))
                == [
                    "a.lua changed", "+1 -- zero", "-2 -- two", "-4 -- four", "+4 -- 4", "+5 -- five", "gone.lua removed", "-1 -- x",
                    "new.lua added", "+1 -- y", "+2 -- z",
                ])
    }

    @Test("The same files are no change")
    func nothing() throws {
        let ruleset = try Self.ruleset([("a.lua", "-- one\n")])
        #expect(RuleFileChange.between(ruleset, ruleset).isEmpty)
    }
}

extension [RuleFileChange] {
    fileprivate static func between(_ old: Ruleset, _ new: Ruleset) -> [RuleFileChange] { RuleFileChange.between(old, new) }
}
