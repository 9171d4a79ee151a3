// A matrix for people at a terminal: which inputs matter and which never do, then the table. Where the inputs need more room
// than there is, each row becomes a few lines.
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab

struct HumanMatrix {
    private static let columns = 100
    private static let gap = 2
    /// Of the last column at least.
    private static let answerColumns = 40
    /// An input's column is made narrower than its longest word only if that has more columns.
    private static let longestWord = 24
    /// More are in the other forms.
    private static let mostRows = 100

    private(set) var text = ""
    private let table: MatrixTable
    private let ink: Ink

    init(_ table: MatrixTable, _ ink: Ink) {
        self.table = table
        self.ink = ink
        heading()
        inputs()
        rows()
        warnings()
    }

    private mutating func line(_ line: String = "") { text += line + "\n" }

    private mutating func paragraph(_ paragraph: String, indent: Int = 0, _ tone: Ink.Tone? = nil) {
        let margin = String(repeating: " ", count: indent)
        for row in TextLines.wrap(paragraph.printable, columns: HumanMatrix.columns - indent) {
            line(margin + (tone.map { ink.paint(row, $0) } ?? row))
        }
    }

    private mutating func heading() {
        line("\(ink.paint(table.title.printable, .strong)) \(ink.paint("· \(table.moment)", .faint))")
        paragraph(table.headline, .strong)
        if !table.held.isEmpty { paragraph("held fast: \(table.held.joined(separator: ", "))", .faint) }
    }

    // MARK: inputs

    private mutating func inputs() {
        let width = (table.inputs + table.idle + table.single).map { TextWidth.of($0.name.printable) }.max() ?? 0
        if !table.inputs.isEmpty {
            line()
            line(ink.paint("what matters", .accent) + ink.paint(" · what stands between two bars acts alike", .faint))
            for input in table.inputs {
                entry(input.name, input.groups.map { $0.joined(separator: ", ") }.joined(separator: " │ "), width)
            }
        }
        if !table.idle.isEmpty {
            line()
            line(ink.paint("what never matters here", .accent))
            for input in table.idle { entry(input.name, input.groups.joined().joined(separator: ", "), width, .faint) }
        }
        if !table.single.isEmpty {
            line()
            line(ink.paint("what was tried with one value only", .accent))
            for input in table.single { entry(input.name, input.groups.joined().joined(separator: ", "), width, .faint) }
        }
    }

    private mutating func entry(_ name: String, _ words: String, _ width: Int, _ tone: Ink.Tone? = nil) {
        var head = "  \(HumanMatrix.padded(name.printable, to: width))  "
        for row in TextLines.wrap(words.printable, columns: HumanMatrix.columns - width - 4) {
            line(head + (tone.map { ink.paint(row, $0) } ?? row))
            head = String(repeating: " ", count: width + 4)
        }
    }

    // MARK: rows

    private mutating func rows() {
        let rows = table.rows
        if !table.common.isEmpty {
            line()
            line(ink.paint("what is always so", .accent))
            for line in table.common {
                paragraph(line.text + (line.speaker.map { " – \(RuleWords.name($0))" } ?? ""), indent: 2)
            }
        }
        line()
        if let widths = widths(of: rows) {
            grid(Array(rows.prefix(HumanMatrix.mostRows)), widths)
        } else {
            blocks(Array(rows.prefix(HumanMatrix.mostRows)))
        }
        let more = rows.count - HumanMatrix.mostRows
        if more > 0 {
            line()
            line(
                ink.paint(
                    "… and \(Figures.grouped(more)) more rows with --html FILE, --format csv or json; --vary with fewer values, or", .faint)
            )
            line(ink.paint("a flag that holds an input fast, makes the table shorter", .faint))
        }
    }

    /// Of the inputs' columns; nil: they do not fit beside each other.
    private func widths(of rows: [MatrixTable.Row]) -> [Int]? {
        var widths = table.inputs.enumerated().map { column, input in
            rows.reduce(TextWidth.of(input.name.printable)) { max($0, TextWidth.of($1.cells[column].words.printable)) }
        }
        let narrowest = table.inputs.indices.map { column in
            rows.reduce(HumanMatrix.word(table.inputs[column].name)) { max($0, HumanMatrix.word($1.cells[column].words)) }
        }
        let room = HumanMatrix.columns - HumanMatrix.answerColumns - HumanMatrix.gap * (widths.count + 1)
        while widths.reduce(0, +) > room {
            let wide = widths.indices.filter { widths[$0] > narrowest[$0] }
            guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] -= 1
        }
        return widths
    }

    private static func word(_ text: String) -> Int {
        min(longestWord, text.printable.split(separator: " ").map { TextWidth.of($0) }.max() ?? 0)
    }

    private mutating func grid(_ rows: [MatrixTable.Row], _ widths: [Int]) {
        let margin = String(repeating: " ", count: HumanMatrix.gap)
        let room = HumanMatrix.columns - widths.reduce(HumanMatrix.gap) { $0 + $1 + HumanMatrix.gap }
        if !widths.isEmpty {
            let names = zip(table.inputs, widths).map { HumanMatrix.padded($0.name.printable, to: $1) }
            line(ink.paint((margin + names.joined(separator: margin) + margin + "what happens").trimmedAtEnd, .accent))
        }
        for row in rows {
            let cells = zip(row.cells, widths).map { TextLines.wrap($0.words.printable, columns: $1) }
            let answer = sentences(of: row, columns: room)
            // A thin line between rows of several lines, so that the eye keeps its row.
            if !widths.isEmpty { line(ink.paint(margin + String(repeating: "─", count: HumanMatrix.columns - HumanMatrix.gap), .faint)) }
            for place in 0..<max(answer.count, cells.map(\.count).max() ?? 0) {
                var text = margin
                for (column, cell) in cells.enumerated() {
                    let word = HumanMatrix.padded(cell[safe: place] ?? "", to: widths[column])
                    text += (row.cells[column].isAny ? ink.paint(word, .faint) : word) + margin
                }
                line((text + (answer[safe: place] ?? "")).trimmedAtEnd)
            }
        }
    }

    private mutating func blocks(_ rows: [MatrixTable.Row]) {
        let width = table.inputs.map { TextWidth.of($0.name.printable) }.max() ?? 0
        for (place, row) in rows.enumerated() {
            if place > 0 { line() }
            line(ink.paint("\(place + 1) · \(Counted.of(row.count, "combination", "combinations"))", .faint))
            for (input, cell) in zip(table.inputs, row.cells) where !cell.isAny { entry(input.name, cell.words, width) }
            for sentence in sentences(of: row, columns: HumanMatrix.columns - 2) { line("  \(sentence)") }
        }
    }

    /// What the phone does, and who says so.
    private func sentences(of row: MatrixTable.Row, columns: Int) -> [String] {
        var rows: [String] = []
        let steps = table.lines(row.answer)
        if steps.isEmpty { rows.append(ink.paint("nothing happens: the message causes no event", .faint)) }
        for (event, lines) in steps {
            var head = ink.paint(HumanMatrix.padded(event.rawValue, to: 9), .accent)
            for sentence in lines {
                for text in TextLines.wrap(sentence.text.printable, columns: columns - 9) {
                    rows.append(head + (sentence.tone.map { ink.paint(text, $0) } ?? text))
                    head = String(repeating: " ", count: 9)
                }
                guard let speaker = sentence.speaker else { continue }
                let name = speaker.hasPrefix("guard:") ? RuleWords.name(speaker) : "“\(speaker)”"
                for text in TextLines.wrap(name.printable, columns: columns - 9) {
                    rows.append(head + ink.paint(text, .faint))
                }
            }
        }
        for error in row.answer.decisions.flatMap(\.errors) {
            let rule = error.rule.map { "“\($0)” " } ?? ""
            for text in TextLines.wrap("error: \(rule)\(error.message) [\(error.code)]".printable, columns: columns) {
                rows.append(ink.paint(text, .bad))
            }
        }
        return rows
    }

    private mutating func warnings() {
        guard !table.matrix.warnings.isEmpty else { return }
        line()
        for warning in table.matrix.warnings {
            var head = ink.paint("warning:", .caution) + " "
            for row in TextLines.wrap(warning.words.printable, columns: HumanMatrix.columns - 9) {
                line(head + row)
                head = String(repeating: " ", count: 9)
            }
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TextWidth.of(text)))
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
