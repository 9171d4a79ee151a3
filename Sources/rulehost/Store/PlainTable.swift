// Rows of words in columns, for the lists of `versions` and `audit`; the same rows as JSON.
import JSONDocument
import RuleStore

struct PlainTable {
    private var rows: [[String]] = []
    private var widths: [Int]

    init(columns: Int) { widths = [Int](repeating: 0, count: columns) }

    mutating func add(_ words: [String]) {
        let words = words.map(\.printable)
        for (column, word) in words.enumerated() { widths[column] = max(widths[column], TextWidth.of(word)) }
        rows.append(words)
    }

    /// Columns in which nothing stands are left out.
    var text: String {
        var text = ""
        for row in rows {
            var line = ""
            for (word, width) in zip(row, widths) where width > 0 {
                line += word + String(repeating: " ", count: width - TextWidth.of(word) + 2)
            }
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text
    }
}

enum JSONRows {
    static func document<Row>(of rows: [Row], _ write: (Row, inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for row in rows { write(row, &writer) }
        writer.endArray()
        return JSONLayout.document(writer.bytes)
    }
}
