// A page of the documentation, taken apart: its title, its paragraphs and its blocks, with the marks of Markdown that a
// terminal does not need taken off. Only what the pages of errors and of warnings use is known.

struct PageText {
    enum Part: Equatable {
        case paragraph(String)
        /// What stands after the backticks, and the text without them.
        case block(kind: String, text: String)
    }

    let title: String
    let parts: [Part]

    init(_ bytes: [UInt8]) {
        var title = ""
        var parts: [Part] = []
        var paragraph = ""
        var block: (kind: String, lines: [Substring])?
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let open = block {
                    parts.append(.block(kind: open.kind, text: open.lines.joined(separator: "\n")))
                    block = nil
                } else {
                    PageText.end(&paragraph, in: &parts)
                    block = (String(line.dropFirst(3)), [])
                }
            } else if block != nil {
                block?.lines.append(line)
            } else if line.hasPrefix("# ") {
                title = String(line.dropFirst(2))
            } else if line.isEmpty {
                PageText.end(&paragraph, in: &parts)
            } else {
                paragraph += (paragraph.isEmpty ? "" : " ") + line
            }
        }
        PageText.end(&paragraph, in: &parts)
        self.title = title
        self.parts = parts
    }

    private static func end(_ paragraph: inout String, in parts: inout [Part]) {
        if !paragraph.isEmpty { parts.append(.paragraph(withoutLinks(paragraph))) }
        paragraph = ""
    }

    /// `[words](address)` becomes the words.
    static func withoutLinks(_ text: String) -> String {
        var out = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "["),
            let close = rest[open...].firstRange(of: "]("), let end = rest[close.upperBound...].firstIndex(of: ")")
        {
            out += rest[..<open] + rest[rest.index(after: open)..<close.lowerBound]
            rest = rest[rest.index(after: end)...]
        }
        return out + rest
    }
}
