// What a case expects of an answer, and how a miss is told.
import JSONDocument
import Testing

@testable import RuleLab

struct SubsetTests {
    private func differences(_ expected: String, _ got: String) throws -> [Difference] {
        let expectedDocument = JSONDocument()
        let gotDocument = JSONDocument()
        try expectedDocument.read(expected)
        try gotDocument.read(got)
        return Subset.differences(expected: try #require(expectedDocument.root), got: try #require(gotDocument.root))
    }

    @Test(
        "What is left out may be anything",
        arguments: [
            ("{}", #"{"a": 1}"#), (#"{"a": {"b": 1}}"#, #"{"a": {"b": 1, "c": 2}, "d": 3}"#), (#"{"a": null}"#, "{}"),
            (#"{"a": null}"#, #"{"a": null}"#), (#"[{"a": 1}, {}]"#, #"[{"a": 1, "b": 2}, {"c": 3}]"#), ("[1, \"x\"]", "[1,\"x\"]"),
            ("1.50", "1.5"), ("18446744073709551616", "18446744073709551616"),
        ])
    func matches(expected: String, got: String) throws {
        #expect(try differences(expected, got) == [])
    }

    @Test(
        "Scalars keep their type, lists their length and order",
        arguments: [
            ("1", "\"1\""), ("1", "1.0"), ("true", "1"), ("false", "null"), ("[1, 2]", "[2, 1]"), ("[1]", "[1, 2]"), ("[]", "[1]"),
            ("[]", "{}"), ("{}", "[]"), ("18446744073709551616", "18446744073709551617"), ("\"a\"", "\"A\""),
        ])
    func misses(expected: String, got: String) throws {
        #expect(try differences(expected, got).count == 1)
    }

    @Test("Each miss names its path and both sides")
    func paths() throws {
        let found = try differences(
            #"{"display": {"action": "show", "options": ["banner"]}, "route": {"path": ["a"]}, "odd key": 1, "badge": null}"#,
            #"{"display": {"action": "suppress", "options": []}, "badge": {"value": 1}}"#)
        #expect(
            found == [
                Difference(path: "display.action", expected: "\"show\"", got: "\"suppress\""),
                Difference(path: "display.options", expected: "[\"banner\"]", got: "[]"),
                Difference(path: "route", expected: #"{"path":["a"]}"#, got: nil),
                Difference(path: "[\"odd key\"]", expected: "1", got: nil),
                Difference(path: "badge", expected: nil, got: #"{"value":1}"#),
            ])
    }

    @Test("Lists of other lengths and other shapes are told as such")
    func shapes() throws {
        let lists = try differences(#"[{"event": "send"}]"#, #"[{"event": "send"}, {"event": "open"}]"#)
        #expect(lists.map(\.shape) == [.length(expected: 1, got: 2, events: ["send", "open"])])
        let kinds = try differences(#"{"a": [], "b": {}}"#, #"{"a": {"x": 1}, "b": [1]}"#)
        #expect(kinds.map(\.shape) == [.kind(expectsList: true), .kind(expectsList: false)])
    }

    @Test("An answer that is wrong everywhere is told in a few lines")
    func many() throws {
        let expected = "{" + (0..<100).map { "\"k\($0)\": 1" }.joined(separator: ",") + "}"
        #expect(try differences(expected, "{}").count == 20)
    }
}
