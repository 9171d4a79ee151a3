// docs/warnings.md lists every warning there is, and each message in it has the warning that it stands for.
import Foundation
import Testing

@Suite("The page of warnings is true")
struct DocumentedWarnings {
    /// Code → a message, or nil where the page shows none.
    private static func rows() throws -> [(line: Int, code: String, message: String?)] {
        let page = try #require(try Page.all().first { $0.path == "docs/warnings.md" })
        return page.lines.enumerated().compactMap { index, line in
            guard let row = line.wholeMatch(of: /\| `([a-z_]+)` \|[^|]*\|(?: `(.*)` \| *|.*)/) else { return nil }
            return (index + 1, String(row.output.1), row.output.2.map(String.init))
        }
    }

    @Test("every code of the program stands in the page, and no other")
    func codes() throws {
        let source = try String(
            contentsOf: Repository.root.appendingPathComponent("Sources/PushMessage/WarningCode.swift"), encoding: .utf8)
        let codes = source.matches(of: /case \w+ = "([a-z_]+)"/).map { String($0.output.1) }
        #expect(codes.count > 30)
        #expect(try Self.rows().map(\.code).sorted() == codes.sorted())
    }

    @Test("each message of the page has its warning")
    func messages() throws {
        let rows = try Self.rows().filter { $0.message != nil }
        #expect(rows.count > 25)
        let desk = try Desk()
        let input = desk.folder.appendingPathComponent("warnings.ndjson")
        try (rows.compactMap(\.message).joined(separator: "\n") + "\n").write(to: input, atomically: true, encoding: .utf8)
        let answer = try #require(try desk.run(["rulehost inspect --format ndjson warnings.ndjson"]).first)
        let lines = answer.output.split(separator: "\n")
        #expect(lines.count == rows.count, "\(answer.output.prefix(500))")
        for (row, line) in zip(rows, lines) {
            #expect(line.contains("\"code\":\"\(row.code)\""), "docs/warnings.md:\(row.line): \(line)")
        }
    }
}
