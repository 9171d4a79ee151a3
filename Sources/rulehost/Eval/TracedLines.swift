// The lines that a rule's functions ran, as rows of a trace: the number and the source, and below them what the line read,
// wrote or returned.
import RuleEngine

struct TracedLines {
    private let rule: Trace.RuleLine

    init(of rule: Trace.RuleLine) { self.rule = rule }

    func rows(columns: Int, _ ink: Ink) -> [String] {
        var rows: [String] = []
        var call: Trace.RanLine.Call?
        var file = ""
        let digits = rule.lines.map { String($0.line).count }.max() ?? 1
        let indent = String(repeating: " ", count: digits + 2)
        for line in rule.lines {
            if call != line.call {
                call = line.call
                file = line.file
                rows.append(ink.paint("\(line.call.rawValue), in \(line.file.printable)", .faint))
            } else if file != line.file {
                file = line.file
                rows.append(ink.paint("in \(line.file.printable)", .faint))
            }
            rows += source(line, digits: digits, columns: columns, ink)
            for value in line.values {
                let text = TracedLines.words(value)
                for row in TextLines.wrap(text.printable, columns: columns - indent.count, most: 3) {
                    rows.append(indent + ink.paint(row, .faint))
                }
            }
            if line.valuesLeftOut > 0 {
                rows.append(indent + ink.paint("… and \(Counted.of(line.valuesLeftOut, "value", "values")) more", .faint))
            }
        }
        if rule.linesLeftOut > 0 {
            rows.append(ink.paint("… and \(Counted.of(rule.linesLeftOut, "line", "lines")) more", .faint))
        }
        return rows
    }

    private func source(_ line: Trace.RanLine, digits: Int, columns: Int, _ ink: Ink) -> [String] {
        let number = String(line.line)
        let padding = String(repeating: " ", count: digits - number.count)
        let times = line.times > 1 ? "  × \(Figures.grouped(line.times))" : ""
        let indent = String(repeating: " ", count: digits + 4)
        var rows = TextLines.wrap(line.source.printable, columns: columns - digits - 2 - TextWidth.of(times), most: 3)
        rows[0] = padding + ink.paint(number, .faint) + "  " + rows[0] + ink.paint(times, .faint)
        for place in rows.indices.dropFirst() { rows[place] = indent + rows[place] }
        return rows
    }

    /// `msg.data.room = "r-1"`, `returns true`.
    private static func words(_ value: Trace.RanLine.Value) -> String {
        let json = String(decoding: value.json, as: UTF8.self)
        let lua = json == "null" ? "nil" : json
        return value.path == "return" ? "returns \(lua)" : "\(value.path) = \(lua)"
    }
}
