// docs/threat-model.md names a test for each of its claims; here each of them is looked for.
import Foundation
import Testing

@Suite struct NamedTests {
    @Test("Every claim of the threat model names tests, and each of them exists")
    func exist() throws {
        let page = try String(contentsOf: Repository.root.appendingPathComponent("docs/threat-model.md"), encoding: .utf8)
        let part = try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix("What counts as a vulnerability") })
        let claims = part.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.contains("| held by |") }
        #expect(claims.count > 25)
        let place = /`([A-Za-z]+Tests\/[A-Za-z\/]+\.swift)`: "([^"]+)"/
        for claim in claims {
            let named = claim.matches(of: place)
            #expect(!named.isEmpty, "no test holds: \(claim)")
            for one in named {
                let file = Repository.root.appendingPathComponent("Tests/\(one.1)")
                let source = try String(contentsOf: file, encoding: .utf8)
                let title = NSRegularExpression.escapedPattern(for: String(one.2))
                #expect(
                    source.range(of: "@Test\\(\\s*\"\(title)\"", options: .regularExpression) != nil, "\(one.1) has no test \"\(one.2)\"")
            }
        }
    }

    @Test("The totals of hostile scripts stand in the threat model, for as many scripts as there are")
    func totals() throws {
        let page = try String(contentsOf: Repository.root.appendingPathComponent("docs/threat-model.md"), encoding: .utf8)
        let scripts = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appendingPathComponent("Tests/Cases/attacks").path
        )
        .filter { $0.hasSuffix(".lua") }.count
        var runs = 0
        for line in page.split(separator: "\n") where line.contains(" | load ") || line.contains(" | decide ") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
            runs += Int(cells[4]) ?? 0
        }
        #expect(runs == 4 * scripts, "run `make attacks` and put its table into docs/threat-model.md")
    }
}
