// A comparison for people at a terminal: what would be different in one sentence, the counts with bars, then a few events
// with both answers and the rules behind them.
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab

struct HumanDiff {
    private static let columns = 100
    /// More are on the page and in the JSON.
    private static let mostExamples = 6
    private static let mostRows = 12

    private(set) var text = ""
    private let comparison: Comparison
    private let ink: Ink

    init(_ comparison: Comparison, _ ink: Ink) {
        self.comparison = comparison
        self.ink = ink
        heading()
        guard comparison.report.changed > 0 else { return }
        kinds()
        rules()
        channels()
        hours()
        examples()
    }

    private var report: DiffReport { comparison.report }

    private mutating func line(_ line: String = "") { text += line + "\n" }

    private mutating func paragraph(_ paragraph: String, indent: Int = 0, _ tone: Ink.Tone? = nil) {
        let margin = String(repeating: " ", count: indent)
        for row in TextLines.wrap(paragraph.printable, columns: HumanDiff.columns - indent) {
            line(margin + (tone.map { ink.paint(row, $0) } ?? row))
        }
    }

    // MARK: counts

    private mutating func heading() {
        line("\(ink.paint(comparison.title.printable, .strong)): \(comparison.old.name.printable) → \(comparison.new.name.printable)")
        var facts = [Counted.events(report.events)]
        if let span = comparison.span { facts.append(span) }
        if report.otherApps > 0 { facts.append("\(Counted.of(report.otherApps, "line", "lines")) of other apps left out") }
        if report.unreadable > 0 { facts.append("\(Figures.grouped(report.unreadable)) unreadable") }
        paragraph(facts.joined(separator: " · "), .faint)
        line()
        paragraph(comparison.headline, .strong)
        if report.changed == 0 { for remark in comparison.remarks { paragraph(remark) } }
    }

    private mutating func kinds() {
        line()
        let rows = report.kinds.filter { $0.count > 0 }
        let most = rows.map(\.count).max() ?? 1
        for (kind, count) in rows {
            line(
                "  \(BarText.padded(kind.label, to: 22))\(BarText.bar(count, of: most, ink, kind.ink)) \(BarText.figure(count))  \(ink.paint(kind.meaning, .faint))"
            )
        }
        let remarks = comparison.remarks
        if !remarks.isEmpty { line() }
        for remark in remarks { paragraph(remark, indent: 2, .faint) }
    }

    private mutating func rules() {
        title("by rule", "events in which a rule decides what is different: by the old rules, and by the new ones")
        let most = report.rules.map(\.events).max() ?? 1
        for rule in report.rules.prefix(HumanDiff.mostRows) {
            line(
                "  \(BarText.padded(RuleWords.name(rule.name), to: 44))\(BarText.bar(rule.events, of: most, ink)) \(BarText.figure(rule.events))  "
                    + ink.paint("\(Figures.grouped(rule.before)) old, \(Figures.grouped(rule.after)) new", .faint))
        }
        more(report.rules.count, "rules")
    }

    private mutating func channels() {
        title("by channel", nil)
        let most = report.channels.map(\.changed).max() ?? 1
        for channel in report.channels.prefix(HumanDiff.mostRows) {
            line(
                "  \(BarText.padded(channel.name.isEmpty ? "no channel" : channel.name, to: 22))\(BarText.bar(channel.changed, of: most, ink)) \(BarText.figure(channel.changed))  "
                    + ink.paint("of \(Figures.grouped(channel.events)), \(Counted.percent(channel.changed, of: channel.events))", .faint))
        }
        more(report.channels.count, "channels")
    }

    private mutating func more(_ count: Int, _ what: String) {
        if count > HumanDiff.mostRows { line(ink.paint("  … and \(Figures.grouped(count - HumanDiff.mostRows)) more \(what)", .faint)) }
    }

    private mutating func hours() {
        title("by hour", "on the clock of each person")
        text += BarText.hours(report.hours.map(\.changed), ink)
        if let peak = report.hours.max(by: { $0.changed < $1.changed }) {
            line(ink.paint("  most between \(peak.name):00 and \(peak.name):59: \(Figures.grouped(peak.changed))", .faint))
        }
    }

    private mutating func title(_ title: String, _ words: String?) {
        line()
        line(ink.paint(title, .accent) + (words.map { ink.paint(" · \($0)", .faint) } ?? ""))
    }

    // MARK: examples

    private mutating func examples() {
        title("examples", "the rarest changes first")
        var shown: [DiffExample] = []
        for example in report.examples where shown.count < HumanDiff.mostExamples {
            // A third one of the same sort says nothing new.
            guard shown.count(where: { $0.kinds == example.kinds && $0.rules == example.rules }) < 2 else { continue }
            shown.append(example)
            add(ExampleText(example, comparison.new.ruleset.manifest))
        }
        let more = report.examples.count - shown.count
        if more > 0 {
            line()
            line(ink.paint("  \(Counted.of(more, "more example", "more examples")) with --html FILE or --format json", .faint))
        }
    }

    private mutating func add(_ text: ExampleText) {
        let example = text.example
        line()
        let kinds = example.kinds.all.map { ink.paint($0.label, $0.ink) }.joined(separator: ", ")
        let place = example.line > 0 ? "line \(Figures.grouped(example.line))" : "from the state"
        line("  \(ink.paint("▸", .faint)) \(kinds)  \(ink.paint("\(place), \(text.event.time)", .faint))")
        let who = [example.recipient.isEmpty ? nil : example.recipient, example.channel, text.event.phone].compactMap { $0 }.joined(
            separator: " · ")
        paragraph(who, indent: 4, .faint)
        if let saying = text.event.saying { paragraph("“\(TextWidth.prefix(saying.printable, columns: 200))”", indent: 4) }
        side("old", example.old, text)
        side("new", example.new, text)
        for (event, pairs) in text.rules {
            let telling = pairs.filter(\.isTelling)
            guard !telling.isEmpty else { continue }
            line(ink.paint("    why, at \(event.rawValue)", .faint))
            for pair in telling {
                paragraph(pair.rule, indent: 6)
                trace("old", pair.old)
                trace("new", pair.new)
            }
        }
    }

    private mutating func side(_ name: String, _ decisions: [Decision], _ text: ExampleText) {
        var head = "    \(BarText.padded(name, to: 5))"
        if decisions.isEmpty { line(head + ink.paint("nothing is decided", .faint)) }
        for (event, lines) in text.lines(decisions) {
            head += ink.paint(BarText.padded(event.rawValue, to: 9), .accent)
            for sentence in lines {
                let tone = sentence.tone
                for row in TextLines.wrap(sentence.text.printable, columns: HumanDiff.columns - 18) {
                    line(head + (tone.map { ink.paint(row, $0) } ?? row))
                    head = String(repeating: " ", count: 18)
                }
            }
            head = String(repeating: " ", count: 9)
        }
    }

    private mutating func trace(_ side: String, _ line: Trace.RuleLine?) {
        let mark: String =
            switch line?.outcome {
            case .matched: ink.paint("✓", .good)
            case .error: ink.paint("✗", .bad)
            case .noMatch, .disabled, .notRun, nil: ink.paint("·", .faint)
            }
        var head = "        \(ink.paint(side, .faint)) \(mark) "
        for row in TextLines.wrap(ExampleText.words(line).printable, columns: HumanDiff.columns - 14) {
            self.line(head + ink.paint(row, .faint))
            head = String(repeating: " ", count: 14)
        }
    }
}
