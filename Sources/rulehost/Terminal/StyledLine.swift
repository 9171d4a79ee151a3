// One line of a picture: pieces of text, each with a tone, whose columns are counted while the line is put together. Whatever
// a text holds, nothing of it reaches the terminal as a command.

struct StyledLine {
    private var pieces: [(text: String, tone: Ink.Tone?)] = []
    private(set) var columns = 0
    /// Drawn right across the frame and joined to it.
    private(set) var isRule = false

    static var rule: StyledLine {
        var line = StyledLine()
        line.isRule = true
        return line
    }

    init() {}

    init(_ text: String, _ tone: Ink.Tone? = nil) { add(text, tone) }

    mutating func add(_ text: String, _ tone: Ink.Tone? = nil) {
        let text = text.printable
        guard !text.isEmpty else { return }
        pieces.append((text, tone))
        columns += TextWidth.of(text)
    }

    mutating func add(_ line: StyledLine) {
        pieces += line.pieces
        columns += line.columns
    }

    mutating func pad(to width: Int) {
        if columns < width { add(String(repeating: " ", count: width - columns)) }
    }

    func centred(in width: Int) -> StyledLine {
        var line = StyledLine(String(repeating: " ", count: max(0, (width - columns) / 2)))
        line.add(self)
        line.pad(to: width)
        return line
    }

    /// `self` at the left edge and `right` at the right one.
    func spread(_ right: StyledLine, in width: Int) -> StyledLine {
        var line = self
        line.pad(to: width - right.columns)
        line.add(right)
        return line
    }

    func text(_ ink: Ink) -> String {
        pieces.map { piece in piece.tone.map { ink.paint(piece.text, $0) } ?? piece.text }.joined()
    }
}

extension [StyledLine] {
    /// The lines in a frame with round corners; every line comes out `width` columns wide.
    func framed(width: Int, tone: Ink.Tone) -> [StyledLine] {
        let bar = String(repeating: "─", count: width - 2)
        var lines = [StyledLine("╭\(bar)╮", tone)]
        for var line in self {
            if line.isRule {
                lines.append(StyledLine("├\(bar)┤", tone))
                continue
            }
            line.pad(to: width - 2)
            var framed = StyledLine("│", tone)
            framed.add(line)
            framed.add("│", tone)
            lines.append(framed)
        }
        lines.append(StyledLine("╰\(bar)╯", tone))
        return lines
    }
}
