// What --update writes: it holds of the answer, has the shape of what was expected, and changes nothing else.
import Foundation
import JSONDocument
import RuleEngine
import RuleStore
import Testing

@testable import RuleLab

struct CaseUpdateTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-\(UUID().uuidString)")
    private var folder: RulesFolder { RulesFolder(path: root.appendingPathComponent("rules").path) }
    private static let house = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..").standardized

    private static func load(_ app: String, _ files: [SourceFile]) -> EvaluatorOutcome {
        EvaluatorOutcome(RulesetLoader.load(app: app, files: files))
    }

    private func plan(_ app: String) throws -> [CaseUpdate] {
        guard case .updates(let updates) = try CaseUpdate.plan(app, in: folder, loading: Self.load) else {
            Issue.record("\(app) does not load")
            return []
        }
        return updates
    }

    private func results(_ app: String) throws -> [CaseResult] {
        guard case .ran(let results, _) = try AppCases.run(app, in: folder) else { return [] }
        return results
    }

    private static func rewritten(_ expected: String, for got: String) throws -> (text: String, changes: [ExpectationChange]) {
        let (one, other) = (JSONDocument(), JSONDocument())
        try one.read(expected)
        try other.read(got)
        var rewriter = ExpectationRewriter(source: Array(expected.utf8))
        let text = rewriter.rewritten(try #require(one.root), for: other.root, .root)
        let new = JSONDocument()
        try new.read(text)
        #expect(Subset.holds(try #require(new.root), of: other.root), "\(expected) for \(got)")
        return (String(decoding: text, as: UTF8.self), rewriter.changes)
    }

    @Test(
        "An expectation keeps its shape",
        arguments: [
            // What is right stays to the byte, white space and escapes too.
            (
                #"{ "a":  1.0, "b" : "\u00fc", "c": 3 }"#, #"{"a": 1.0, "b": "ü", "c": 4, "d": 5}"#,
                #"{ "a":  1.0, "b" : "\u00fc", "c": 4 }"#
            ),
            (#"{"a": 1, "b": 2}"#, #"{"b": 2}"#, #"{"a": null, "b": 2}"#),
            (#"{"a": null}"#, #"{"a": {"b": [1, 2]}}"#, #"{"a": {"b": [1, 2]}}"#),
            // Who is behind an unexpected part, and why, is not taken over.
            (
                #"{"display": null}"#, #"{"display": {"action": "suppress", "reason": "x", "rule": "y"}}"#,
                #"{"display": {"action": "suppress"}}"#
            ),
            (#"{"badge": null}"#, #"{"badge": {"value": 1, "change": 1}}"#, #"{"badge": {"value": 1}}"#),
            (#"{"badge": null}"#, #"{"badge": 3}"#, #"{"badge": 3}"#),
            (#"{"a": {"b": 1}}"#, #"{"a": 7}"#, #"{"a": 7}"#),
            (#"["x", "y"]"#, #"["y"]"#, #"["y"]"#),
            (#"{"a": [{"b": 1}, {"c": 2}]}"#, #"{"a": [{"b": 1, "z": 0}, {"c": 3, "z": 0}]}"#, #"{"a": [{"b": 1}, {"c": 3}]}"#),
            (
                #"[{"event": "open", "n": 1}]"#, #"[{"event": "send", "n": 2, "m": 3}, {"event": "open", "n": 1}]"#,
                #"[{"event": "send", "n": 2}, {"event": "open", "n": 1}]"#
            ),
            (
                #"[{"event": "send", "n": 1}, {"event": "open", "m": 1}]"#, #"[{"event": "open", "n": 5, "m": 2}]"#,
                #"[{"event": "open", "m": 2}]"#
            ),
            (
                #"[]"#, #"[{"app": "a", "event": "send", "display": {"action": "show", "options": []}}]"#,
                #"[{"event": "send", "display": {"action": "show"}}]"#
            ),
            (#"{"topics": []}"#, #"{"topics": [{"op": "subscribe", "topic": "t"}]}"#, #"{"topics": [{"op": "subscribe", "topic": "t"}]}"#),
            (
                #"{"errors": [{"code": "a"}]}"#, #"{"errors": [{"code": "b", "line": 1}, {"code": "c", "line": 2}]}"#,
                #"{"errors": [{"code": "b"}, {"code": "c"}]}"#
            ),
        ])
    func shapes(_ expected: String, _ got: String, _ text: String) throws {
        #expect(try Self.rewritten(expected, for: got).text == text)
    }

    @Test("A change names its place, and both values on one line")
    func changes() throws {
        let expected = "{\n  \"display\": {\n    \"action\": \"show\",\n    \"options\": [\n\"banner\"]}}"
        let changes = try Self.rewritten(expected, for: #"{"display":{"action":"suppress","options":["list","sound"]}}"#).changes
        #expect(
            changes == [
                ExpectationChange(path: "display.action", line: 3, old: "\"show\"", new: "\"suppress\""),
                ExpectationChange(path: "display.options", line: 4, old: "[\"banner\"]", new: "[\"list\", \"sound\"]"),
            ])
    }

    /// Each app without one of its files of rules.
    private static let crippled: [(app: String, file: String)] = {
        let rules = RulesFolder(path: house.appendingPathComponent("rules").path)
        return ((try? rules.apps()) ?? []).flatMap { app in
            ((try? rules.files(of: app)) ?? []).map(\.path).filter { !$0.hasPrefix("_shared") && !$0.hasPrefix("lib") && $0 != "app.lua" }
                .map { (app, $0) }
        }
    }()

    @Test("Cases of an app that has lost rules pass afterwards, and the others stand as they stood", arguments: crippled)
    func lostRules(_ app: String, _ file: String) throws {
        for name in ["rules", "examples"] {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: Self.house.appendingPathComponent(name), to: root.appendingPathComponent(name))
        }
        defer {
            do { try FileManager.default.removeItem(at: root) } catch { print("left behind: \(root.path)") }
        }
        try FileManager.default.removeItem(at: root.appendingPathComponent("rules/\(app)/\(file)"))
        let before = try results(app)
        let updates = try plan(app)
        #expect(before.contains { $0.outcome != .passed } == !updates.isEmpty)
        for update in updates {
            let untouched = before.filter { result in
                result.file == update.file && !update.changed.contains { $0.line == result.line }
            }
            let isLaidOut = JSONLayout.document(update.source) == update.source
            #expect(!isLaidOut || JSONLayout.document(update.text) == update.text)
            let (old, new) = (try Self.cases(in: update.source), try Self.cases(in: update.text))
            #expect(old.count == new.count)
            for (place, one) in old.enumerated() {
                let isChanged = update.changed.contains { $0.line == one.line }
                #expect((one.text != new[place].text) == isChanged, "\(update.file): \(one.text)")
            }
            #expect(untouched.count + update.changed.count == old.count)
            try Data(update.text).write(to: root.appendingPathComponent("rules/\(app)/\(update.file)"))
        }
        let left = Set(updates.flatMap { update in update.left.map { "\(update.file) \($0.name ?? "")" } })
        for result in try results(app) {
            #expect((result.outcome == .passed) == !left.contains("\(result.file) \(result.name)"), "\(result.name): \(result.outcome)")
        }
    }

    private static func cases(in text: [UInt8]) throws -> [(line: Int, text: String)] {
        let document = JSONDocument()
        try document.read(text, limit: 1 << 24)
        return try #require(document.root).children.map { value in
            (
                TextPlace(of: value.offset, in: text).line,
                String(decoding: text[value.offset..<(value.offset + value.sourceLength)], as: UTF8.self)
            )
        }
    }
}
