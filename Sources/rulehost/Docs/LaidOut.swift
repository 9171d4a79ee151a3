// Examples broken into lines that fit the page. What fits stays as it was written.
import RuleStore

enum LaidOut {
    /// - Parameter margin: columns before each line.
    static func json(_ text: String, margin: Int) -> String {
        if text.contains("\n") || TextWidth.of(text) + margin <= ReferencePage.columns { return text }
        return String(decoding: JSONLayout.document(Array(text.utf8), columns: ReferencePage.columns - margin).dropLast(), as: UTF8.self)
    }

    /// A table that is written on one line: `rule "…" { key = value, … }`, `return { … }`.
    static func lua(_ text: String, margin: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { spread($0, margin: margin) }.joined(separator: "\n")
    }

    private static func spread(_ line: Substring, margin: Int) -> String {
        guard TextWidth.of(line) + margin > ReferencePage.columns, line.hasPrefix("rule ") || line.hasPrefix("return "),
            line.hasSuffix(" }"),
            let open = line.firstRange(of: " { ")
        else { return String(line) }
        let parts = entries(line[open.upperBound...].dropLast(2))
        return line[..<open.lowerBound] + " {\n" + parts.map { "  \($0),\n" }.joined() + "}"
    }

    /// What stands between the commas that belong to the table itself.
    private static func entries(_ text: Substring) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        var isQuoted = false
        var before: Character = " "
        for character in text {
            if character == "\"", before != "\\" { isQuoted.toggle() }
            if !isQuoted {
                if "{([".contains(character) { depth += 1 }
                if "})]".contains(character) { depth -= 1 }
            }
            if character == ",", depth == 0, !isQuoted {
                parts.append(part)
                part = ""
            } else if !(part.isEmpty && character == " ") {
                part.append(character)
            }
            before = character
        }
        return parts + [part]
    }
}
