// Versions are compared part by part as numbers.
import JSONDocument
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct VersionNumberTests {
    @Test(
        "A requirement is met by the versions it means",
        arguments: [
            (">=3.2", "3.2", true), (">=3.2", "3.2.0", true), (">=3.2", "3.10", true), (">=3.2", "3.1.9", false),
            (">=3.2", "4", true), ("<4", "3.99", true), ("<4", "4.0", false), ("3.2", "3.2.0", true),
            ("3.2", "3.2.1", false), ("= 3.2", "3.2", true), (">3.2", "3.2", false), (">3.2", "3.2.0.1", true),
            ("<=3.2", "3.2.0", true), (">=3.2", "beta", false), (">=3.2", "", false), (">=3.2", "3.2-beta", true),
            (">=3.2", "99999999999999999999999999", true),
        ])
    func requirement(wanted: String, version: String, isMet: Bool) throws {
        let requirement = try #require(VersionRequirement(wanted))
        var version = version
        version.withUTF8 { #expect(requirement.isMet(by: JSONText(start: $0.baseAddress, count: $0.count)) == isMet) }
    }

    @Test("Text without a number is no version", arguments: ["", "beta", ">=", ">= x", ".1"])
    func noVersion(text: String) {
        #expect(VersionRequirement(text) == nil)
    }
}
