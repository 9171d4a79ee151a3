// Every folder in Tests/Cases/check is an app with one mistake, and says what must be found: which code, where, and a part
// of the cure. A check that is taken away must be missed by one of them.
import Foundation
import JSONDocument
import PushMessage
import RuleStore
import Testing

@testable import RuleCheck

struct Fixture: Sendable, CustomTestStringConvertible {
    struct Expected: Decodable, Sendable {
        let code: String
        let file: String
        let line: Int
        let column: Int?
        /// Parts of the sentence and of the hint.
        let message: String?
        let hint: String
    }
    private struct Told: Decodable { let findings: [Expected] }

    let name: String
    let expected: [Expected]
    var testDescription: String { name }

    static let house = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let folder = RulesFolder(path: house.appendingPathComponent("Tests/Cases/check").path)
    static let now = Instant("2026-06-01T12:00:00Z") ?? Instant(milliseconds: 0)

    static let all: [Fixture] = {
        guard let names = try? folder.apps() else { return [] }
        return names.compactMap { name in
            guard let bytes = try? folder.read("\(name)/expect.json", limit: 1 << 16),
                let told = try? JSONDecoder().decode(Told.self, from: Data(bytes))
            else { return nil }
            return Fixture(name: name, expected: told.findings)
        }
    }()

    /// What luacheck says of all of them.
    static let luacheck: [String: [LuacheckRemark]] = {
        guard case .ran(let remarks)? = try? Luacheck.run(on: all.map(\.name), in: folder) else { return [:] }
        return remarks
    }()

    /// Apps with one mistake have no cases for all of their rules: that is told only of those that are about it.
    func findings(without left: String? = nil) throws -> [Finding] {
        let ofCases = ["cases_missing", "rule_without_case"].filter { code in !expected.contains { $0.code == code } }
        let checks = Check.all.filter { $0.name != left && !ofCases.contains($0.name) }
        return try AppCheck.run(name, in: Fixture.folder, checks: checks, luacheck: Fixture.luacheck[name] ?? [], now: Fixture.now)
    }

    func isMet(by finding: Finding, _ expected: Expected) -> Bool {
        finding.code == expected.code && finding.file == expected.file && finding.line == expected.line
            && expected.column.map { $0 == finding.column } ?? true && expected.message.map(finding.message.contains) ?? true
            && (expected.hint.isEmpty || (finding.hint ?? "").contains(expected.hint))
    }
}

extension [Finding] {
    /// One a line, for whoever reads why a test failed.
    var shown: String {
        map { "\($0.code) \($0.file):\($0.line):\($0.column) \($0.severity.rawValue): \($0.message) | \($0.hint ?? "-")" }
            .joined(separator: "\n")
    }
}

struct FixtureTests {
    @Test("At least fifty mistakes are kept as folders")
    func enough() throws {
        #expect(Fixture.all.count >= 50)
        #expect(Fixture.all.count == (try Fixture.folder.apps().count))
    }

    @Test("Each mistake is found at its place with its cure, and nothing else", arguments: Fixture.all)
    func found(_ fixture: Fixture) throws {
        let findings = try fixture.findings()
        let seen = findings.shown
        #expect(findings.count == fixture.expected.count, "\(seen)")
        for expected in fixture.expected {
            #expect(findings.contains { fixture.isMet(by: $0, expected) }, "\(expected) is not among\n\(seen)")
        }
        for finding in findings {
            #expect(!finding.message.hasSuffix(".") && !finding.message.isEmpty, "\(seen)")
            #expect(finding.hint?.hasSuffix(".") != true, "\(seen)")
        }
    }

    @Test("Taking a check away is noticed: one of its mistakes is not found any more", arguments: Check.all.map(\.name))
    func needed(name: String) throws {
        let check = try #require(Check.all.first { $0.name == name })
        let fixtures = Fixture.all.filter { $0.expected.contains { check.codes.contains($0.code) } }
        let missed = try fixtures.contains { fixture in
            let findings = try fixture.findings(without: check.name)
            return !fixture.expected.allSatisfy { expected in findings.contains { fixture.isMet(by: $0, expected) } }
        }
        #expect(missed, "no mistake in Tests/Cases/check needs the check \(check.name)")
    }

    @Test(
        "Every code of a check has a mistake that it is told of, but for those of loading, which have folders of their own",
        arguments: Check.all.map(\.name))
    func codes(name: String) throws {
        let check = try #require(Check.all.first { $0.name == name })
        guard check.name != "loading" else { return }
        for code in check.codes {
            #expect(Fixture.all.contains { $0.expected.contains { $0.code == code } } || code == "case_file_not_a_list", "\(code)")
        }
    }
}
