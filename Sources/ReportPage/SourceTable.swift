// A file with something beside each of its lines: how often it ran. The mark stands as a word in a column of its own, so that
// nothing is said by colour alone, and the text can be copied without it.

public struct SourceTable: Sendable {
    public struct Row: Sendable {
        let number: Int
        /// "3×", or "" where there is nothing to say.
        let mark: String
        let text: String
        /// nil: nothing to judge.
        let tone: Tone?

        public init(_ number: Int, _ mark: String, _ text: String, _ tone: Tone? = nil) {
            self.number = number
            self.mark = mark
            self.text = text
            self.tone = tone
        }
    }

    /// Heads of the number, the mark and the text.
    let columns: [String]
    let rows: [Row]

    public init(columns: [String], rows: [Row]) {
        self.columns = columns
        self.rows = rows
    }
}

extension HTMLText {
    public mutating func source(_ table: SourceTable) {
        element("table", ["class": "source"]) { html in
            html.element("thead") { head in
                head.element("tr") { row in
                    for column in table.columns { row.element("th", ["scope": "col"], text: column) }
                }
            }
            html.line()
            html.element("tbody") { body in
                for row in table.rows {
                    body.element("tr", ["class": row.tone.map { "line-\($0.rawValue)" } ?? ""]) { html in
                        html.element("th", ["scope": "row"], text: String(row.number))
                        html.element("td", ["class": row.tone?.ink ?? ""], text: row.mark)
                        html.element("td") { cell in cell.element("code", text: row.text) }
                    }
                    body.line()
                }
            }
        }
        line()
    }
}
