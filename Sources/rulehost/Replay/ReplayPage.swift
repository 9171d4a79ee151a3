// A replay as a page: charts of the whole, a timeline of the busiest people, or everything that one phone did.
import PushMessage
import ReportPage
import RuleEngine
import RuleLab

struct ReplayPage {
    private static let mostRows = 30

    private let replay: Replay
    private let entries: [DiaryEntry]
    /// Entries beyond those.
    private let leftOut: Int
    private var report: ReplayReport { replay.report }

    init(_ replay: Replay, _ entries: [DiaryEntry], leftOut: Int) {
        self.replay = replay
        self.entries = entries
        self.leftOut = leftOut
    }

    var html: String {
        guard let recipient = replay.recipient else { return whole }
        var page = ReportPage(
            kind: "rulehost replay", title: "\(replay.title): the phone of \(recipient)",
            lead: "What it showed, on its own clock, when the rules of \(replay.rules) decided.")
        if let person = replay.person { page.add { $0.cards(cards(person)) } }
        if !report.rows.isEmpty { page.section("When", timeline) }
        page.section("Event by event", diary)
        page.section("How this was found", facts)
        return page.html
    }

    private var whole: String {
        var page = ReportPage(kind: "rulehost replay", title: "\(replay.title): what people saw", lead: replay.headline)
        page.add { $0.cards(cards) }
        if report.counts.events > 0 {
            page.section("Hour by hour", hours)
            if !replay.waits.isEmpty {
                page.section("Held back") { html in
                    html.element("ul", ["class": "words"]) { list in
                        for sentence in replay.waits { list.element("li", text: sentence) }
                    }
                }
            }
            page.section("In which channels") { parts(&$0, report.channels, "channel", unnamed: "no channel") }
            page.section("Who decided", rules)
            if !report.caps.isEmpty || !report.quiet.isEmpty { page.section("Limits that held", limits) }
            if !report.rows.isEmpty { page.section("The busiest people", timeline) }
            if !report.errors.isEmpty { page.section("Rules that failed", errors) }
        }
        page.section("How this was found", facts)
        return page.html
    }

    private var cards: [FigureCard] {
        var cards = [
            FigureCard(
                Figures.grouped(report.counts.events),
                "\(report.counts.events == 1 ? "event" : "events"), for \(Counted.people(report.people.count))")
        ]
        cards += [ReplayOutcome.shown, .notShown, .held].map { FigureCard(Figures.grouped(report.counts[$0]), $0.label, $0.tone) }
        if report.due.shown > 0 { cards.append(FigureCard(Figures.grouped(report.due.shown), "shown later", .good)) }
        return cards
    }

    private func cards(_ person: ReplayPerson) -> [FigureCard] {
        var cards = [ReplayOutcome.shown, .notShown, .held].map { FigureCard(Figures.grouped(person.counts[$0]), $0.label, $0.tone) }
        if person.shownLater > 0 { cards.append(FigureCard(Figures.grouped(person.shownLater), "shown later", .good)) }
        if let badge = person.badge { cards.append(FigureCard("\(badge)", "on the icon in the end")) }
        return cards
    }

    // MARK: counts

    private static let outcomes: [ReplayOutcome] = [.shown, .notShown, .held]

    private func hours(_ html: inout HTMLText) {
        html.columns(
            ColumnChart(
                title: "What people saw, by the hour on the clock of each", axis: "hour", labels: report.hours.map(\.name), labelEvery: 3,
                series: ReplayPage.outcomes.map { outcome in .init(outcome.label, outcome.tone, report.hours.map { $0.counts[outcome] }) }))
        guard report.days.count > 1 else { return }
        html.columns(
            ColumnChart(
                title: "By day, in UTC", axis: "day", labels: report.days.map(\.name), labelEvery: max(1, report.days.count / 6),
                series: ReplayPage.outcomes.map { outcome in .init(outcome.label, outcome.tone, report.days.map { $0.counts[outcome] }) }))
    }

    private func parts(_ html: inout HTMLText, _ parts: [ReplayReport.Part], _ name: String, unnamed: String) {
        html.bars(
            BarTable(
                caption: "How many, and how many of them were shown at once, not shown, or held back.",
                columns: [name, "events", "shown", "not", "held"],
                rows: parts.prefix(ReplayPage.mostRows).map { part in
                    BarTable.Row(
                        part.name.isEmpty ? unnamed : RuleWords.name(part.name), part.counts.events,
                        cells: ReplayPage.outcomes.map { Figures.grouped(part.counts[$0]) })
                }))
        let more = parts.count - ReplayPage.mostRows
        if more > 0 { html.element("p", ["class": "quiet"], text: "… and \(Figures.grouped(more)) more.") }
    }

    private func rules(_ html: inout HTMLText) {
        html.element("p", text: "By the rule, or the built-in guard, that had the last word about whether something is displayed.")
        parts(&html, report.rules, "rule", unnamed: "no rule: as the message came")
    }

    private func limits(_ html: inout HTMLText) {
        html.rows(
            RowTable(
                caption: "Caps that were full, and quiet hours that kept a message from somebody.", columns: ["what", "rule", "how often"],
                rows: (report.caps.map { ("cap reached", $0) } + report.quiet.map { ("quiet hours", $0) }).prefix(ReplayPage.mostRows).map {
                    what, limit in
                    RowTable.Row([
                        [.init(what)], [.init(limit.rule)],
                        [.init("\(Counted.of(limit.events, "time", "times")), for \(Counted.people(limit.people))")],
                    ])
                }))
    }

    private func errors(_ html: inout HTMLText) {
        html.bars(
            BarTable(
                caption: "Each with the place that failed.", columns: ["error", "times"],
                rows: report.errors.prefix(ReplayPage.mostRows).map { BarTable.Row($0.words, $0.count, .bad) }))
    }

    // MARK: time

    private func timeline(_ html: inout HTMLText) {
        guard let (from, to) = report.span else { return }
        let ruler = TimeRuler(from, to)
        html.legend(ReplayOutcome.allCases.map { ($0.label, $0.tone) })
        html.timeline(
            Timeline(
                caption: replay.recipient == nil
                    ? "Those with the most events, in UTC. A shaded stretch is a message that is held back."
                    : "In UTC. A shaded stretch is a message that is held back.",
                ticks: ruler.ticks, rows: report.rows.map { row(of: $0, ruler) }))
        if report.rows.contains(where: \.isCut) {
            html.element("p", ["class": "quiet"], text: "Of rows with very many events only the first are drawn.")
        }
    }

    private func row(of row: ReplayReport.Row, _ ruler: TimeRuler) -> Timeline.Row {
        let counts = ReplayPage.outcomes.filter { row.person.counts[$0] > 0 }.map { "\(row.person.counts[$0]) \($0.label)" }
        return Timeline.Row(
            row.person.recipient.isEmpty ? "nobody named" : row.person.recipient,
            summary: counts.isEmpty ? "nothing to show" : counts.joined(separator: ", "),
            marks: row.marks.map { mark in
                let what = mark.wasHeld ? "held back before, now \(mark.outcome.label)" : mark.outcome.label
                let words = ["\(ruler.clock(mark.at)) \(what)", mark.channel, mark.reason].compactMap { $0 }.joined(separator: " · ")
                return Timeline.Mark(at: ruler.part(of: mark.at), mark.outcome.tone, words)
            },
            spans: row.waits.map { wait in
                Timeline.Span(
                    from: ruler.part(of: wait.from), to: ruler.part(of: wait.to),
                    "held back from \(ruler.clock(wait.from)) to \(ruler.clock(wait.to))")
            })
    }

    private func diary(_ html: inout HTMLText) {
        guard !entries.isEmpty else { return html.element("p", text: "The traffic has no event of this person.") }
        html.rows(
            RowTable(
                caption: "In the order in which it happened.", columns: ["when", "what came", "on the phone"],
                rows: entries.map { entry in
                    RowTable.Row([
                        [.init(entry.text.time)],
                        [.init(entry.headline)] + (entry.remarks.isEmpty ? [] : [.init(entry.remarks.joined(separator: " · "), .faint)]),
                        sentences(of: entry),
                    ])
                }))
        if leftOut > 0 { html.element("p", ["class": "quiet"], text: "… and \(Figures.grouped(leftOut)) more events.") }
    }

    private func sentences(of entry: DiaryEntry) -> [RowTable.Sentence] {
        guard !entry.steps.isEmpty else { return [.init("nothing happens: the message causes no event", .faint)] }
        return entry.steps.flatMap { event, lines in
            lines.enumerated().map { place, line in
                RowTable.Sentence(
                    (place == 0 ? "\(event.rawValue): " : "") + line.text,
                    line.tone == .good ? .good : line.tone == .caution ? .caution : nil, remark: line.speaker.map(RuleWords.name))
            }
        }
    }

    private func facts(_ html: inout HTMLText) {
        html.element(
            "p",
            text:
                "The events have been decided one after the other, each at its own moment and on the state that those before have left; what was held back was decided again when its time came."
        )
        var rows: [(String, String)] = [
            ("app", replay.ruleset.app), ("rules", "\(replay.rules), ruleset \(replay.ruleset.hash)"), ("traffic", replay.traffic),
        ]
        if let span = replay.span { rows.append(("time", span)) }
        rows.append(("events", Figures.grouped(report.counts.events)))
        if report.otherApps > 0 { rows.append(("left out", "\(Counted.of(report.otherApps, "line", "lines")) of other apps")) }
        if report.unreadable > 0 { rows.append(("unreadable", Counted.of(report.unreadable, "line", "lines"))) }
        if report.outOfOrder > 0 { rows.append(("out of order", Counted.of(report.outOfOrder, "line", "lines"))) }
        html.facts(rows)
        let events = entries.flatMap { $0.steps.map(\.event) }
        guard !events.isEmpty else { return }
        html.element("h3", text: "Words")
        html.facts(EventWords.glossary(events))
    }
}

/// A stretch of time and where its lines are.
private struct TimeRuler {
    let ticks: [(part: Double, label: String)]
    private let from: Int64
    private let length: Int64
    private let isShort: Bool

    init(_ from: Instant, _ to: Instant) {
        let hour: Int64 = 3_600_000
        // From the full hour before to the full hour after.
        let start = from.milliseconds - ((from.milliseconds % hour) + hour) % hour
        let end = to.milliseconds + hour - ((to.milliseconds % hour) + hour) % hour
        (self.from, length) = (start, max(hour, end - start))
        isShort = length <= 36 * hour
        let hours = length / hour
        let step = [1, 2, 3, 6, 12, 24, 48, 168, 336, 720, 2160].first { hours / $0 <= 4 } ?? max(2160, hours / 4)
        var ticks: [(part: Double, label: String)] = []
        // At full steps of the clock.
        var tick = start + ((step * hour) - ((start % (step * hour)) + step * hour) % (step * hour)) % (step * hour)
        while tick <= start + length, ticks.count < 12 {
            let text = Instant(milliseconds: tick).text
            let label = isShort ? String(text.dropFirst(11).prefix(5)) : String(text.prefix(10).dropFirst(5))
            ticks.append((Double(tick - start) / Double(length), label))
            tick += step * hour
        }
        self.ticks = ticks
    }

    func part(of instant: Instant) -> Double { Double(instant.milliseconds - from) / Double(length) }

    /// "09:14", with the date where there are several.
    func clock(_ instant: Instant) -> String {
        let text = instant.text
        return (isShort ? "" : "\(text.prefix(10).dropFirst(5)) ") + text.dropFirst(11).prefix(5)
    }
}
