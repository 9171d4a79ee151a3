// A table for reading: words in every cell, sentences in some. On a phone each row becomes a small card, its cells below each
// other with their heads in front.

public struct RowTable: Sendable {
    public struct Sentence: Sendable {
        let text: String
        let tone: Tone?
        /// Smaller, behind the text: who says so.
        let remark: String?

        public init(_ text: String, _ tone: Tone? = nil, remark: String? = nil) {
            self.text = text
            self.tone = tone
            self.remark = remark
        }
    }

    public struct Row: Sendable {
        /// One cell for each column.
        let cells: [[Sentence]]

        public init(_ cells: [[Sentence]]) { self.cells = cells }
    }

    let caption: String
    let columns: [String]
    let rows: [Row]

    public init(caption: String, columns: [String], rows: [Row]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }
}

extension HTMLText {
    public mutating func rows(_ table: RowTable) {
        element("table", ["class": "rows"]) { html in
            html.element("caption", text: table.caption)
            html.element("thead") { head in
                head.element("tr") { row in
                    for column in table.columns { row.element("th", ["scope": "col"], text: column) }
                }
            }
            html.line()
            html.element("tbody") { body in
                for row in table.rows {
                    body.element("tr") { html in
                        for (column, cell) in zip(table.columns, row.cells) {
                            html.element("td", ["data-head": column]) { $0.sentences(cell) }
                        }
                    }
                    body.line()
                }
            }
        }
        line()
    }

    private mutating func sentences(_ cell: [RowTable.Sentence]) {
        // Around all of them, because a cell on a phone has two parts: its head, and this.
        element("div") { html in
            for sentence in cell {
                html.element("p", ["class": sentence.tone?.ink ?? ""]) { text in
                    text.text(sentence.text)
                    if let remark = sentence.remark { text.element("small", text: " – \(remark)") }
                }
            }
        }
    }
}
