// What `rulehost help` prints: of one verb, or of the program. Made from the verbs and their flags.

struct HelpPage {
    static let columns = 88
    let text: String

    init(of verb: Verb?, _ ink: Ink) {
        var page = Page(ink: ink)
        if let verb {
            page.title("rulehost \(verb.name)", verb.summary)
            page.heading("Usage")
            page.line("  rulehost \(verb.name) [flags]\(verb.operands.isEmpty ? "" : " \(verb.operands)")")
            for paragraph in verb.details {
                page.line("")
                page.wrapped(paragraph, indent: 2)
            }
            if !verb.flags.isEmpty {
                page.heading("Flags")
                page.flags(verb.flags)
            }
            page.heading("Flags of every verb")
            page.flags(Flag.global(for: verb))
            page.heading("Examples")
            for example in verb.examples {
                page.wrapped("# \(example.meaning)", indent: 2, tone: .faint)
                page.line("  \(example.command)")
            }
        } else {
            page.title("rulehost \(Program.version)", "decides what a push message does")
            page.heading("Usage")
            page.line("  rulehost VERB [flags] [operands]")
            page.heading("Verbs")
            let width = Program.verbs.map { TextWidth.of($0.name) }.max() ?? 0
            for verb in Program.verbs {
                let gap = String(repeating: " ", count: width - TextWidth.of(verb.name) + 2)
                page.line("  \(ink.paint(verb.name, .accent))\(gap)\(verb.summary)")
            }
            page.heading("Flags of every verb")
            page.flags(Flag.global(for: nil))
            page.heading("Exit codes")
            for code in ExitCode.allCases {
                let number = String(code.rawValue)
                page.line("  \(String(repeating: " ", count: 2 - number.count))\(number)  \(code.meaning)")
            }
            page.line("")
            page.line("`rulehost help VERB` tells more, with examples.")
        }
        text = page.text
    }
}

/// The page as it grows.
private struct Page {
    let ink: Ink
    var text = ""

    mutating func title(_ name: String, _ summary: String) {
        line("\(ink.paint(name, .strong)) – \(summary)")
    }

    mutating func heading(_ name: String) {
        line("")
        line(ink.paint(name, .strong))
    }

    mutating func line(_ line: String) { text += line + "\n" }

    mutating func wrapped(_ paragraph: String, indent: Int, tone: Ink.Tone? = nil) {
        let margin = String(repeating: " ", count: indent)
        for line in TextLines.wrap(paragraph, columns: HelpPage.columns - indent) {
            self.line(margin + (tone.map { ink.paint(line, $0) } ?? line))
        }
    }

    mutating func flags(_ flags: [Flag]) {
        let width = 24
        for flag in flags {
            let synopsis = flag.synopsis
            let gap = width - TextWidth.of(synopsis)
            var lines = TextLines.wrap(flag.help, columns: HelpPage.columns - width - 4)
            if gap < 1 {
                line("  \(ink.paint(synopsis, .accent))")
            } else {
                line("  \(ink.paint(synopsis, .accent))\(String(repeating: " ", count: gap))  \(lines.removeFirst())")
            }
            for rest in lines { line(String(repeating: " ", count: width + 4) + rest) }
        }
    }
}
