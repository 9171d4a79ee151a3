// A row of a table with a bar, for a terminal: the name cut to its column, the bar in halves of a column, the number.

enum BarText {
    static let columns = 24

    /// Never nothing for something.
    static func bar(_ count: Int, of most: Int, _ ink: Ink, _ tone: Ink.Tone = .accent) -> String {
        let halves = count == 0 ? 0 : max(1, (count * columns * 2 + most / 2) / max(1, most))
        let bar = String(repeating: "█", count: halves / 2) + (halves % 2 == 1 ? "▌" : "")
        return ink.paint(bar, tone) + String(repeating: " ", count: columns - (halves + 1) / 2)
    }

    static func figure(_ count: Int) -> String {
        let text = Figures.grouped(count)
        return String(repeating: " ", count: max(0, 7 - text.count)) + text
    }

    /// Exactly `width` columns, one of them empty at least.
    static func padded(_ name: String, to width: Int) -> String {
        let name = name.printable
        let cut = TextWidth.of(name) < width ? name : TextWidth.prefix(name, columns: width - 2) + "…"
        return cut + String(repeating: " ", count: max(0, width - TextWidth.of(cut)))
    }

    /// A column for each of 24 hours, with their names below.
    static func hours(_ counts: [Int], _ ink: Ink) -> String {
        let most = max(1, counts.max() ?? 1)
        let steps = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        // Two columns an hour, so that the names have room.
        let row = counts.map { count -> String in
            guard count > 0 else { return ink.paint("··", .faint) }
            let step = steps[min(7, (count * 8 - 1) / most)]
            return ink.paint(step + step, .accent)
        }
        let names = counts.indices.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: " ")
        return "  \(row.joined(separator: " "))\n" + ink.paint("  " + names, .faint) + "\n"
    }
}
