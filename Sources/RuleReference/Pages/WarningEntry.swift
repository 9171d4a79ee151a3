// The codes of warnings, from the tables of docs/warnings.md, which is built into the program. A message of the table is
// the example; warnings that come while rules run have theirs here, because a table has no room for rules.
public import PushMessage

public struct WarningEntry: Sendable {
    public let code: WarningCode
    /// What is wrong, as the page says it.
    public let summary: String
    public let example: Example

    /// In the order of the codes; one whose row is missing has no summary.
    public static let all: [WarningEntry] = {
        let rows = WarningEntry.rows(of: ErrorPages.warnings)
        return WarningCode.allCases.map { code in
            let row = rows[code.rawValue]
            return WarningEntry(
                code: code, summary: row?.summary ?? "", example: row?.message.map(Example.message) ?? RunningWarnings.example(of: code))
        }
    }()

    /// Code → what is wrong, and a message that has it.
    static func rows(of page: [UInt8]) -> [String: (summary: String, message: String?)] {
        var rows: [String: (summary: String, message: String?)] = [:]
        for line in String(decoding: page, as: UTF8.self).split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.dropFirst(2).split(separator: " | ", maxSplits: 2, omittingEmptySubsequences: false)
            guard cells.count >= 2 else { continue }
            let code = String(cells[0].filter { $0 != "`" })
            var message: String?
            if cells.count == 3, let first = cells[2].firstIndex(of: "`"), let last = cells[2].lastIndex(of: "`"), first < last {
                message = String(cells[2][cells[2].index(after: first)..<last])
            }
            var summary = PageText.withoutLinks(String(cells[1]))
            if summary.hasSuffix(" |") { summary.removeLast(2) }
            rows[code] = (summary, message)
        }
        return rows
    }
}
