// Walks docs/scenarios.md: every report has a row, and what a row names is there - an example that is run, a test, or a
// place in a page. An example alone is not enough: two neighbours with the same note must stand beside it.
import Foundation
import Testing

@Suite("The table of what people reported")
struct ScenarioTableTests {
    private struct Row {
        let report: String
        /// `path` “name”.
        let named: [(path: String, name: String)]
        /// [words](page#anchor)
        let places: [String]
    }

    private struct Example: Decodable {
        let name: String
        let note: String?
        let proves: [String]?
    }

    private static let house = ShippedCasesTests.repository

    private static func text(_ path: String) throws -> String { try String(contentsOfFile: "\(house)/\(path)", encoding: .utf8) }

    private static func rows() throws -> [Row] {
        try text("docs/scenarios.md").split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| report |") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 3, "\(line)")
            return Row(
                report: cells[0],
                named: cells[2].matches(of: /`([^`]+)` “([^”]+)”/).map { (String($0.1), String($0.2)) },
                places: cells[2].matches(of: /\]\(([^)]+)\)/).map { String($0.1) })
        }
    }

    /// Every case of a folder whose cases other tests run, by its path from the top.
    private static func examples() throws -> [String: [Example]] {
        var found: [String: [Example]] = [:]
        for root in ["rules", "Tests/Cases/apps", "Tests/Cases/chat-by-room"] {
            for path in try FileManager.default.subpathsOfDirectory(atPath: "\(house)/\(root)") where path.hasSuffix(".json") {
                guard path.contains("/cases/") || root.hasSuffix("chat-by-room") else { continue }
                // Messages that cases name are objects, not lists.
                let data = Data(try text("\(root)/\(path)").utf8)
                guard try JSONSerialization.jsonObject(with: data) is [Any] else { continue }
                found["\(root)/\(path)"] = try JSONDecoder().decode([Example].self, from: data)
            }
        }
        return found
    }

    @Test("No report is left out, and none is made up")
    func reports() throws {
        let listed = try Self.text("Tests/Cases/reports.txt").split(separator: "\n").map(String.init)
        #expect(try Self.rows().map(\.report) == listed)
        #expect(listed.count == 82 && Set(listed).count == 82)
    }

    @Test("What a row names is there")
    func named() throws {
        let examples = try Self.examples()
        for row in try Self.rows() {
            #expect(!row.named.isEmpty || !row.places.isEmpty, "\(row.report) names nothing")
            for (path, name) in row.named {
                if path.hasSuffix(".json") {
                    #expect(examples[path]?.contains { $0.name == name } ?? false, "\(path) has no “\(name)”")
                } else if path.hasSuffix(".test") {
                    #expect(try Self.text(path).split(separator: "\n").contains { $0 == "## \(name)" }, "\(path) has no “\(name)”")
                } else {
                    let tests = try Self.text(path).replacing("@Test(\n        ", with: "@Test(")
                    #expect(path.hasSuffix("Tests.swift") && tests.contains("@Test(\"\(name)\""), "\(path) has no “\(name)”")
                }
            }
            for place in row.places { #expect(try Self.exists(place), "\(place) is not there") }
        }
    }

    @Test("Each example has two neighbours, and says what part of a rule it is about")
    func neighbours() throws {
        let examples = try Self.examples().values.joined()
        let byReport = Dictionary(grouping: examples.filter { $0.note != nil }, by: { $0.note ?? "" })
        for row in try Self.rows() where row.named.contains(where: { $0.path.hasSuffix(".json") }) {
            let kind = byReport[row.report] ?? []
            #expect(kind.count >= 3, "\(row.report) has \(kind.count) examples")
            #expect(kind.contains { !($0.proves ?? []).isEmpty }, "\(row.report) does not say what it proves")
        }
    }

    @Test("Every example that speaks of a report has a row")
    func noted() throws {
        let reports = Set(try Self.rows().map(\.report))
        for (path, cases) in try Self.examples() where path.contains("/reported-") {
            for example in cases { #expect(reports.contains(example.note ?? ""), "\(path): “\(example.name)”") }
        }
    }

    /// A heading of a page under docs, as links write it: small letters, hyphens for spaces, nothing else.
    private static func exists(_ place: String) throws -> Bool {
        let parts = place.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return false }
        return try text("docs/\(parts[0].isEmpty ? "scenarios.md" : parts[0])").split(separator: "\n").contains { line in
            guard line.hasPrefix("#") else { return false }
            let heading = line.drop { $0 == "#" || $0 == " " }.lowercased()
            return heading.replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" } == parts[1]
        }
    }
}
