// Where a key stands in the text that somebody wrote.
import Testing

@testable import RuleEngine

struct SourcePlacesTests {
    private func place(_ path: [PathStep], rule name: String, line: Int = 1, in text: String) -> String {
        let place = SourcePlaces(Array(text.utf8)).place(of: path, inRule: name, declaredOn: line)
        return "\(place.line):\(place.column)"
    }

    private let text = """
        -- rule "Quiet" { on = "x" }
        rule "Quiet" {
          on = "present", channel = "chat",
          when = function(msg) local a, b = 1, 2; if a then return b end return { on = 1, decide = 2 } end,
          ["note"] = "decide = 1",
          decide = { display = { "list",
            "baner" }, labels = { ["odd name"] = 1 } }, --[[ final = 1 ]] final = 2,
        } rule "Second" { on = "open" }
        """

    @Test(
        "A key is found in its own table, past functions, texts and comments",
        arguments: [
            ([.key("on")], "3:3"), ([.key("channel")], "3:19"), ([.key("note")], "5:3"), ([.key("decide")], "6:3"),
            ([.key("decide"), .key("display")], "6:14"), ([.key("decide"), .key("display"), .place(2)], "7:5"),
            ([.key("decide"), .key("labels"), .key("odd name")], "7:27"), ([.key("final")], "7:67"), ([], "2:1"),
            ([.key("nowhere")], "2:1"), ([.key("decide"), .key("nowhere")], "6:3"),
        ] as [([PathStep], String)])
    func keys(path: [PathStep], expected: String) {
        #expect(place(path, rule: "Quiet", line: 2, in: text) == expected)
    }

    @Test("Of two rules on a line the named one is meant")
    func sameLine() {
        #expect(place([.key("on")], rule: "Second", line: 8, in: text) == "8:19")
    }

    @Test("Columns count characters, not bytes")
    func scalars() {
        #expect(place([.key("decide")], rule: "Über 😀", in: #"rule "Über 😀" { decide = 1 }"#) == "1:17")
    }

    @Test("A table in a call stands for the call's value")
    func call() {
        #expect(place([.key("decide"), .key("badge")], rule: "A", in: #"rule "A" { decide = show { "list", badge = true } }"#) == "1:36")
    }

    @Test("A manifest's key is found in the table that is returned last")
    func manifest() {
        let text = "local function f() return { tabs = 1 } end\nreturn {\n  tabs = f(),\n}\n"
        let place = SourcePlaces(Array(text.utf8)).place(ofManifest: [.key("tabs")])
        #expect(place == SourcePlaces.Place(line: 3, column: 3))
    }

    @Test(
        "Text that is not Lua gives some place and no crash",
        arguments: ["", "rule", "rule \"x", "rule \"x\" {", "[[", "--[==[", "return {", "{{{{[[[[", "rule \"x\" { [", "'\\", "return"])
    func broken(text: String) {
        let places = SourcePlaces(Array(text.utf8))
        #expect(places.place(of: [.key("on"), .place(3)], inRule: "x", declaredOn: 1).line >= 1)
        #expect(places.place(ofManifest: [.key("api")]).line >= 1)
        #expect(places.place(onLine: 1, near: "x").line >= 1)
    }
}
