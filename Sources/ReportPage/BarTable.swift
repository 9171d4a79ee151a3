// Numbers that belong to names: a table whose rows have a bar. The table is the chart, so that nobody is left out who
// does not see the bars; these are drawn in parts of the width, so that they fit a phone as well as a wall.

public struct BarTable: Sendable {
    public struct Row: Sendable {
        let label: String
        let value: Int
        let tone: Tone
        /// Further cells, one for each further column.
        let cells: [String]

        public init(_ label: String, _ value: Int, _ tone: Tone = .plain, cells: [String] = []) {
            self.label = label
            self.value = value
            self.tone = tone
            self.cells = cells
        }
    }

    let caption: String
    /// Head of the names, of the numbers, and of further columns.
    let columns: [String]
    let rows: [Row]

    public init(caption: String, columns: [String], rows: [Row]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }
}

extension HTMLText {
    public mutating func bars(_ table: BarTable) {
        let largest = max(1, table.rows.map(\.value).max() ?? 1)
        element("table", ["class": "bars"]) { html in
            html.element("caption", text: table.caption)
            html.element("thead") { head in
                head.element("tr") { row in
                    for (place, column) in table.columns.enumerated() {
                        row.element("th", ["scope": "col", "class": place == 0 ? "name" : "number"], text: column)
                        // The bar stands between the name and the number and says nothing that the number does not.
                        if place == 0 { row.element("td", ["class": "bar"]) { _ in } }
                    }
                }
            }
            html.line()
            html.element("tbody") { body in
                for row in table.rows { body.bar(row, largest: largest) }
            }
        }
        line()
    }

    private mutating func bar(_ row: BarTable.Row, largest: Int) {
        element("tr") { html in
            html.element("th", ["scope": "row", "class": "name"], text: row.label)
            html.element("td", ["class": "bar", "aria-hidden": "true"]) { cell in
                cell.element("svg", ["width": "100%", "height": "14", "focusable": "false"]) { drawing in
                    // What is there at all is seen.
                    let part = row.value == 0 ? 0 : max(0.5, 100 * Double(row.value) / Double(largest))
                    drawing.shape(
                        "rect", ["width": Percent.text(part), "height": "14", "rx": "3", "class": row.tone.fill])
                }
            }
            html.element("td", ["class": "number"], text: Digits.grouped(row.value))
            for cell in row.cells { html.element("td", ["class": "number"], text: cell) }
        }
        line()
    }
}
