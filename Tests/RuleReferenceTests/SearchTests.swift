// What somebody remembers of a name leads to it.
import Testing

@testable import RuleReference

struct SearchTests {
    private func names(_ word: String) -> [String] {
        switch Entry.search(word) {
        case .found(let entries, _), .mentioned(let entries): entries.map(\.name)
        case .nothing: []
        }
    }

    @Test("A whole name finds its entry alone")
    func whole() {
        #expect(names("text.truncate") == ["text.truncate"])
        #expect(names("rule.quiet.from") == ["rule.quiet.from"])
        #expect(names("Budget_Fuel") == ["budget_fuel"])
    }

    @Test("The last part of a name finds all entries that end so")
    func last() {
        #expect(names("truncate") == ["text.truncate"])
        #expect(names("badge").contains("decide.badge") && names("badge").contains("device.badge") && names("badge").contains("msg.badge"))
        #expect(names("is_showing") == ["device:is_showing"])
        #expect(names("os_options") == ["guard:os_options"])
    }

    @Test("A code that is an error and a warning is found as both")
    func both() {
        guard case .found(let entries, nil) = Entry.search("unknown_key") else {
            Issue.record("unknown_key is not found")
            return
        }
        #expect(entries.map(\.section) == [.errors, .warnings])
    }

    @Test("A section is found by its name, beside an entry of the same name")
    func section() {
        guard case .found(let entries, .rule?) = Entry.search("rule") else {
            Issue.record("rule is not found")
            return
        }
        #expect(entries.map(\.name) == ["rule"])
    }

    @Test("A word of the text finds the entries that mention it")
    func mentioned() {
        guard case .mentioned(let entries) = Entry.search("midnight") else {
            Issue.record("midnight is not found")
            return
        }
        #expect(entries.map(\.name).contains("time.between"))
    }

    @Test(
        "What nothing is like is found nowhere, with the nearest name",
        arguments: [("trunkate", "truncate"), ("chanels", "channels"), ("xyzzyq", nil)])
    func nothing(_ word: String, _ nearest: String?) {
        guard case .nothing(let found) = Entry.search(word) else {
            Issue.record("\(word) is found")
            return
        }
        #expect(found == nearest)
    }
}
