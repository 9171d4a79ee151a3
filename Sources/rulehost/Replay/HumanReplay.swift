// A replay for people at a terminal: what was shown in one sentence, then the counts with bars.
import PushMessage
import RuleEngine
import RuleLab

struct HumanReplay {
    private static let columns = 100
    private static let mostRows = 12

    private(set) var text = ""
    private let replay: Replay
    private let ink: Ink
    private var report: ReplayReport { replay.report }

    init(_ replay: Replay, _ ink: Ink) {
        self.replay = replay
        self.ink = ink
        guard replay.recipient == nil else {
            person()
            return
        }
        heading()
        guard report.counts.events > 0 else { return }
        outcomes()
        waits()
        hours()
        channels()
        rules()
        limits("caps reached", report.caps)
        limits("quiet hours that held", report.quiet)
        people()
        errors()
    }

    private mutating func line(_ line: String = "") { text += line + "\n" }

    private mutating func paragraph(_ paragraph: String, indent: Int = 0, _ tone: Ink.Tone? = nil) {
        let margin = String(repeating: " ", count: indent)
        for row in TextLines.wrap(paragraph.printable, columns: HumanReplay.columns - indent) {
            line(margin + (tone.map { ink.paint(row, $0) } ?? row))
        }
    }

    private mutating func title(_ title: String, _ words: String? = nil) {
        line()
        line(ink.paint(title, .accent) + (words.map { ink.paint(" · \($0)", .faint) } ?? ""))
    }

    private mutating func heading() {
        line(ink.paint(replay.title.printable, .strong))
        var facts = [Counted.events(report.counts.events), Counted.people(report.people.count)]
        if let span = replay.span { facts.append(span) }
        if report.otherApps > 0 { facts.append("\(Counted.of(report.otherApps, "line", "lines")) of other apps left out") }
        if report.unreadable > 0 { facts.append("\(Figures.grouped(report.unreadable)) unreadable") }
        paragraph(facts.joined(separator: " · "), .faint)
        line()
        paragraph(replay.headline, .strong)
    }

    /// The end of what one person's phone did.
    private mutating func person() {
        guard let person = replay.person else { return }
        line()
        let counts = ReplayOutcome.allCases.filter { person.counts[$0] > 0 }.map { "\(Figures.grouped(person.counts[$0])) \($0.label)" }
        paragraph("\(Counted.events(person.counts.events)): \(counts.joined(separator: ", "))", .strong)
        if person.shownLater + person.notShownLater > 0 {
            paragraph(
                "of what had been held back: \(Figures.grouped(person.shownLater)) shown later, \(Figures.grouped(person.notShownLater)) not"
            )
        }
        if let badge = person.badge { paragraph("on the icon in the end: \(badge)") }
    }

    private mutating func outcomes() {
        line()
        let most = ReplayOutcome.allCases.map { report.counts[$0] }.max() ?? 1
        for outcome in ReplayOutcome.allCases where report.counts[outcome] > 0 {
            let count = report.counts[outcome]
            line(
                "  \(BarText.padded(outcome.label, to: 22))\(BarText.bar(count, of: most, ink, outcome.ink)) \(BarText.figure(count))  "
                    + ink.paint(outcome.meaning, .faint))
        }
        if report.duplicates > 0 {
            line()
            paragraph(
                "\(Counted.of(report.duplicates, "event was a copy", "events were copies")) of a message that had been there already.",
                indent: 2,
                .faint)
        }
    }

    private mutating func waits() {
        guard !replay.waits.isEmpty else { return }
        title("held back")
        for sentence in replay.waits { paragraph(sentence, indent: 2) }
    }

    private mutating func hours() {
        title("shown by hour", "on the clock of each person")
        text += BarText.hours(report.hours.map(\.counts.shown), ink)
        guard report.days.count > 1 else { return }
        title("by day", "in UTC: shown, not shown, held back")
        parts(report.days, unnamed: "")
    }

    private mutating func channels() {
        title("by channel", "shown, not shown, held back")
        parts(report.channels, unnamed: "no channel")
    }

    private mutating func rules() {
        title("who decided", "shown, not shown, held back: by the rule that had the last word about the display")
        parts(report.rules, unnamed: "no rule: as the message came")
    }

    private mutating func parts(_ parts: [ReplayReport.Part], unnamed: String) {
        let most = parts.map(\.counts.events).max() ?? 1
        for part in parts.prefix(HumanReplay.mostRows) {
            let name = part.name.isEmpty ? unnamed : RuleWords.name(part.name)
            let counts = [ReplayOutcome.shown, .notShown, .held].map { Figures.grouped(part.counts[$0]) }.joined(separator: ", ")
            line(
                "  \(BarText.padded(name, to: 44))\(BarText.bar(part.counts.events, of: most, ink)) \(BarText.figure(part.counts.events))  "
                    + ink.paint(counts, .faint))
        }
        let more = parts.count - HumanReplay.mostRows
        if more > 0 { line(ink.paint("  … and \(Figures.grouped(more)) more", .faint)) }
    }

    private mutating func limits(_ name: String, _ limits: [ReplayReport.Limit]) {
        guard !limits.isEmpty else { return }
        title(name)
        for limit in limits.prefix(HumanReplay.mostRows) {
            line(
                "  \(BarText.padded(limit.rule, to: 44))\(Counted.of(limit.events, "time", "times")), for \(Counted.people(limit.people))")
        }
    }

    private mutating func people() {
        let busiest = report.people.prefix(5)
        guard busiest.count > 1 else { return }
        title("busiest people", "--recipient ID tells what a phone did")
        for person in busiest {
            let counts = ReplayOutcome.allCases.filter { person.counts[$0] > 0 }.map { "\(Figures.grouped(person.counts[$0])) \($0.label)" }
            let later = person.shownLater > 0 ? ", \(Figures.grouped(person.shownLater)) shown later" : ""
            let name = person.recipient.isEmpty ? "nobody named" : person.recipient
            line(
                "  \(BarText.padded(name, to: 22))\(BarText.figure(person.counts.events))  \(ink.paint(counts.joined(separator: ", ") + later, .faint))"
            )
        }
    }

    private mutating func errors() {
        guard !report.errors.isEmpty else { return }
        title("rules that failed")
        for error in report.errors.prefix(HumanReplay.mostRows) {
            var head = "  \(BarText.figure(error.count))  "
            for row in TextLines.wrap(error.words.printable, columns: HumanReplay.columns - 11) {
                line(head + ink.paint(row, .bad))
                head = String(repeating: " ", count: 11)
            }
        }
    }
}
