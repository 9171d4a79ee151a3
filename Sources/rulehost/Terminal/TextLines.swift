// Text broken into lines of so many columns, at spaces where there are some, and between wide letters elsewhere.

enum TextLines {
    /// Never empty; a newline in the text begins a new line. With `most`, what is left over is cut and ends with "…".
    static func wrap(_ text: String, columns: Int, most: Int = .max) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            add(paragraph, columns: max(columns, 2), to: &lines)
            if lines.count > most { break }
        }
        guard lines.count > most else { return lines }
        lines.removeLast(lines.count - most)
        lines[most - 1] = TextWidth.prefix(lines[most - 1], columns: columns - 1) + "…"
        return lines
    }

    private static func add(_ paragraph: Substring, columns: Int, to lines: inout [String]) {
        var line = ""
        var width = 0
        for word in paragraph.split(separator: " ") {
            var word = String(word)
            var length = TextWidth.of(word)
            if width > 0, width + 1 + length <= columns {
                line += " " + word
                width += 1 + length
                continue
            }
            if width > 0 {
                // A word that fits on no line, or one of wide letters, fills up the line it begins on.
                if length > columns, width + 3 < columns {
                    let head = TextWidth.prefix(word, columns: columns - width - 1)
                    if !head.isEmpty {
                        line += " " + head
                        word.removeFirst(head.count)
                        length = TextWidth.of(word)
                    }
                }
                lines.append(line)
            }
            while length > columns {
                let head = TextWidth.prefix(word, columns: columns)
                // A letter that is wider than the line cannot be split further.
                let taken = head.isEmpty ? 1 : head.count
                lines.append(String(word.prefix(taken)))
                word.removeFirst(taken)
                length = TextWidth.of(word)
            }
            line = word
            width = length
        }
        lines.append(line)
    }
}
