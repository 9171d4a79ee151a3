// Facts under their names: what a report was made from.

extension HTMLText {
    /// Each a name and what it is.
    public mutating func facts(_ rows: [(String, String)]) {
        element("table", ["class": "facts"]) { table in
            table.element("tbody") { body in
                for (name, value) in rows {
                    body.element("tr") { row in
                        row.element("th", ["scope": "row"], text: name)
                        row.element("td", text: value)
                    }
                }
            }
        }
    }
}
