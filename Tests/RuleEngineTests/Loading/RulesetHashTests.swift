// A ruleset is named by its content, and by nothing else.
import Testing

@testable import RuleEngine

struct RulesetHashTests {
    private func file(_ path: String, _ text: String) -> SourceFile { SourceFile(path: path, bytes: Array(text.utf8)) }

    @Test("The order in which files are given does not matter")
    func order() {
        let a = file("app.lua", "return { api = 1 }")
        let b = file("b.lua", "")
        #expect(RulesetHash.full(of: [a, b]) == RulesetHash.full(of: [b, a]))
    }

    @Test("A byte, a name and a moved boundary each change it")
    func changes() {
        let base = RulesetHash.full(of: [file("a.lua", "xy"), file("b.lua", "z")])
        #expect(RulesetHash.full(of: [file("a.lua", "xY"), file("b.lua", "z")]) != base)
        #expect(RulesetHash.full(of: [file("a.lua", "xy"), file("c.lua", "z")]) != base)
        #expect(RulesetHash.full(of: [file("a.lua", "x"), file("b.lua", "yz")]) != base)
        #expect(RulesetHash.full(of: [file("a.lua", "xy")]) != base)
    }

    @Test("The short form is the first 12 of 64 hex digits of a known SHA-256")
    func known() {
        // Of no files at all: the SHA-256 of nothing.
        #expect(RulesetHash.full(of: []) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(RulesetHash.short(of: []) == "e3b0c44298fc")
    }
}
