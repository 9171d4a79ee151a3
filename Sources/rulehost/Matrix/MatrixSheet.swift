// The merged table for a spreadsheet: RFC 4180, one row a line. A text that a spreadsheet would take for a formula gets an
// apostrophe in front, and what a terminal would take for a command is left out, because texts of messages and rules stand in here.
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab

struct MatrixSheet {
    private let table: MatrixTable

    init(_ table: MatrixTable) { self.table = table }

    var text: String {
        var text = row(
            table.inputs.map(\.name) + ["combinations", "events", "display", "options", "reason", "decided by", "badge", "route", "answer"])
        for line in table.rows { text += row(cells(line)) }
        return text
    }

    /// Of several events each cell has one part for each, behind each other.
    private func cells(_ row: MatrixTable.Row) -> [String] {
        let decisions = row.answer.decisions
        func each(_ cell: (Decision) -> String?) -> String {
            let cells = decisions.map { cell($0) ?? "" }
            return cells.allSatisfy(\.isEmpty) ? "" : cells.joined(separator: "; ")
        }
        let answer = table.lines(row.answer).map { event, lines in
            "\(event.rawValue): " + lines.map(\.text).joined(separator: ", ")
        }
        return row.cells.map(\.words) + [
            "\(row.count)", each { $0.event.rawValue }, each { $0.display?.action.rawValue },
            each { $0.display.map { DisplayOptions.words($0.options) } }, each { $0.display?.reason }, each { $0.display?.rule },
            each { $0.badge.map { "\($0.value)" } }, each { $0.route.map(RouteWords.target) },
            answer.isEmpty ? "nothing happens" : answer.joined(separator: "; "),
        ]
    }

    private func row(_ cells: [String]) -> String { cells.map(MatrixSheet.quoted).joined(separator: ",") + "\r\n" }

    private static func quoted(_ cell: String) -> String {
        var cell = cell.printableLines
        if let first = cell.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) { cell = "'" + cell }
        guard cell.utf8.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) else { return cell }
        return "\"" + cell.replacing("\"", with: "\"\"") + "\""
    }
}

extension DisplayOptions {
    /// "banner list sound"
    fileprivate static func words(_ options: DisplayOptions) -> String {
        zip([DisplayOptions.banner, .list, .sound, .badge, .alert], DisplayOptions.names).filter { options.contains($0.0) }.map(\.1)
            .joined(separator: " ")
    }
}
