// What docs/operations.md says of metrics and alerts is what there is.
import Foundation
import Testing

@testable import HostTelemetry

struct OperationsPageTests {
    private static let page = Scene.house.appendingPathComponent("docs/operations.md")
    private static let (begin, end) = ("<!-- metrics -->\n", "<!-- end of metrics -->")

    private static var table: String {
        "\n| metric | kind | labels | what |\n|---|---|---|---|\n"
            + MetricTable.all.map { family in
                "| `\(family.name)` | \(family.kind.rawValue) | \(family.labels.map { "`\($0)`" }.joined(separator: ", ")) | \(family.help) |\n"
            }.joined() + "\n"
    }

    @Test("The table of metrics is that of the program")
    func metrics() throws {
        var text = try String(contentsOf: Self.page, encoding: .utf8)
        let start = try #require(text.range(of: Self.begin)?.upperBound)
        let end = try #require(text.range(of: Self.end)?.lowerBound)
        if ProcessInfo.processInfo.environment["RULEHOST_UPDATE"] != nil {
            text.replaceSubrange(start..<end, with: Self.table)
            try text.write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(text[start..<end] == Self.table)
        }
    }

    @Test("Names follow the conventions of Prometheus, and each says what it is in a sentence without a full stop")
    func names() {
        #expect(Set(MetricTable.all.map(\.name)).count == MetricTable.all.count)
        for family in MetricTable.all {
            #expect(family.name.wholeMatch(of: /(rulehost|process)_[a-z_]+/) != nil)
            #expect(family.name.hasSuffix("_total") == (family.kind == .counter), "\(family.name)")
            let isAge = ["stale", "oldest", "timestamp"].contains { family.name.contains($0) }
            #expect((family.kind == .histogram) == (family.name.hasPrefix("rulehost") && family.name.hasSuffix("_seconds") && !isAge))
            #expect(
                !family.help.isEmpty && !family.help.hasSuffix(".")
                    && family.labels.allSatisfy { $0.wholeMatch(of: /[a-z]+/) != nil && $0 != "le" })
        }
    }

    @Test("Each alert has its line, and no other has")
    func alerts() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let told = text.matches(of: /\n\| `(Rulehost[A-Za-z]+)` \((page|ticket)\)/).map { "\($0.output.1) \($0.output.2)" }
        let rules = try String(contentsOf: Scene.house.appendingPathComponent("deploy/prometheus/rulehost.rules.yml"), encoding: .utf8)
        let there = rules.matches(of: /alert: (Rulehost[A-Za-z]+)\n(?:.*\n)*?        labels: \{severity: (page|ticket)\}/).map {
            "\($0.output.1) \($0.output.2)"
        }
        #expect(there.count == 18)
        #expect(told == there)
    }

    @Test("Each word that the journal says has its line")
    func journal() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let folder = Scene.house.appendingPathComponent("Sources").path
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }.filter {
            $0.hasSuffix(".swift")
        }
        var words: Set<String> = []
        for file in files {
            let source = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            for match in source.matches(of: /\.log\(\s*\.(?:info|warning|error), "([a-z_]+)"/) { words.insert(String(match.output.1)) }
        }
        #expect(words.count >= 8)
        for word in words { #expect(text.contains("`\(word)`"), "\(word)") }
    }
}
