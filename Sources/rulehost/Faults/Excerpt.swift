// One line of a text with a caret below the place that is meant. Tabs become spaces, wide characters count as two,
// what cannot be printed is shown as a dot, and a long line is cut around the place.

struct Excerpt {
    static let widest = 96

    let line: Int
    /// The line as it is shown, and the columns before and under the caret.
    let shown: String
    let indent: Int
    let width: Int

    /// `column` counts scalars from 1; 0 means that only the line is known. `numbered` is the number to show, when the
    /// text is itself a part of something longer. nil when the text has no such line.
    init?(of text: [UInt8], line: Int, column: Int, length: Int = 1, numbered: Int? = nil) {
        guard line > 0, let bytes = Excerpt.line(line, of: text), !bytes.isEmpty else { return nil }
        var before = ""
        var under = ""
        var after = ""
        var count = 0
        // Far from the place nothing is looked at, so that a line of ten megabytes costs no more than its bytes.
        let first = max(0, column - 1 - Excerpt.widest)
        let last = max(column, 1) - 1 + Excerpt.widest
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            defer { count += 1 }
            guard count <= last else { break }
            guard count >= first else { continue }
            let visible = scalar == "\t" ? "    " : String(scalar).printable
            if count < column - 1 || column == 0 {
                before += visible
            } else if count < column - 1 + max(length, 1) {
                under += visible
            } else {
                after += visible
            }
        }
        let room = Excerpt.widest - 24
        let cutsStart = first > 0 || TextWidth.of(before) > room && column > 0
        let cutBefore = cutsStart ? "…" + TextWidth.suffix(before, columns: room / 2) : before
        let tail = TextWidth.prefix(under + after, columns: Excerpt.widest - TextWidth.of(cutBefore))
        let cutsEnd = tail.utf8.count < (under + after).utf8.count || count > last + 1
        let head = column == 0 ? TextWidth.prefix(cutBefore, columns: Excerpt.widest) : cutBefore
        self.line = numbered ?? line
        shown = head + tail + (cutsEnd || head.utf8.count < cutBefore.utf8.count ? "…" : "")
        indent = TextWidth.of(cutBefore)
        width = column == 0 ? 0 : max(1, TextWidth.of(under))
    }

    /// Of a file that has just been read by somebody else. Without the file there is no excerpt, and no harm.
    init?(ofFile path: String, line: Int, column: Int) {
        guard line > 0 else { return nil }
        do throws(CommandFault) {
            self.init(of: try InputSource.file(path).bytes(limit: 1 << 20), line: line, column: column)
        } catch {
            return nil
        }
    }

    func text(_ ink: Ink) -> String {
        let number = String(line)
        let gutter = String(repeating: " ", count: max(0, 5 - number.count))
        var text = ink.paint("\(gutter)\(number) |", .faint) + " \(shown)\n"
        if width > 0 {
            text += ink.paint("\(String(repeating: " ", count: max(5, number.count))) |", .faint)
            text += " " + String(repeating: " ", count: indent)
            text += ink.paint(String(repeating: "^", count: min(width, Excerpt.widest)), .bad) + "\n"
        }
        return text
    }

    /// The bytes of a line, counted from 1, without its end.
    private static func line(_ wanted: Int, of text: [UInt8]) -> ArraySlice<UInt8>? {
        var start = 0
        var number = 1
        while number < wanted {
            guard let end = text[start...].firstIndex(of: 0x0A) else { return nil }
            start = end + 1
            number += 1
        }
        var end = text[start...].firstIndex(of: 0x0A) ?? text.count
        if end > start, text[end - 1] == 0x0D { end -= 1 }
        return text[start..<end]
    }
}
