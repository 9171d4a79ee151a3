// A comparison as a page: for a meeting, for a mail, for whoever has no terminal. It says the same as the terminal, with
// charts and with all examples.
import JSONDocument
import PushMessage
import ReportPage
import RuleEngine
import RuleLab
import RuleStore

struct DiffPage {
    private let comparison: Comparison
    /// Where it came from.
    private let traffic: String
    private var report: DiffReport { comparison.report }

    init(_ comparison: Comparison, traffic: String) {
        self.comparison = comparison
        self.traffic = traffic
    }

    var html: String {
        var page = ReportPage(
            kind: "rulehost diff", title: "\(comparison.title): \(title)",
            lead: "What would have been different if \(comparison.new.name) had decided in place of \(comparison.old.name).")
        page.add { $0.cards(cards) }
        if !changes.isEmpty { page.section("What was changed in the rules", ruleFiles) }
        if report.changed > 0 {
            page.section("What would be different", kinds)
            page.section("Whose doing it is", rules)
            page.section("When", hours)
            page.section("In which channels", channels)
            if !report.examples.isEmpty { page.section("Examples", examples) }
        } else {
            page.section("What would be different") { html in
                html.element("p", text: comparison.headline)
                remarks(&html)
            }
        }
        page.section("How this was found", facts)
        return page.html
    }

    private var title: String {
        report.changed == 0
            ? "nothing would be different" : "\(Figures.grouped(report.changed)) of \(Counted.events(report.events)) would be different"
    }

    // MARK: what was changed

    /// More than anybody reads in a report.
    private static let mostLines = 60

    private var changes: [RuleFileChange] { RuleFileChange.between(comparison.old.ruleset, comparison.new.ruleset) }

    private func ruleFiles(_ html: inout HTMLText) {
        html.element("p", ["class": "quiet"], text: "Lines with − are those of the old rules, lines with + those of the new ones.")
        var left = DiffPage.mostLines
        for change in changes where left > 0 {
            let path = AppLoading.path(of: change.path, app: comparison.app, in: comparison.new.path)
            let words =
                switch change.kind {
                case .added: "\(path), a new file"
                case .removed: "\(path), which is gone"
                case .changed: path
                }
            html.element("h3", text: words)
            html.element("pre") { lines in
                for line in change.lines.prefix(left) {
                    lines.element(
                        "span", ["class": line.isNew ? "ink-good" : "ink-caution"],
                        text: "\(line.isNew ? "+" : "−") \(line.number)  \(line.text)")
                    lines.line()
                }
            }
            left -= change.lines.count
        }
        let all = changes.reduce(0) { $0 + $1.lines.count }
        if all > DiffPage.mostLines {
            html.element("p", ["class": "quiet"], text: "… and \(Counted.of(all - DiffPage.mostLines, "more line", "more lines")).")
        }
    }

    // MARK: counts

    private var cards: [FigureCard] {
        var cards = [
            FigureCard(
                Counted.percent(report.changed, of: report.events),
                "of the events: \(Figures.grouped(report.changed)) of \(Figures.grouped(report.events))"),
            FigureCard(Figures.grouped(report.people), "of \(Counted.people(report.allPeople)) would notice"),
        ]
        for kind in [ChangeKind.newlyShown, .newlySuppressed, .newlyDeferred, .error] where report.count(kind) > 0 {
            cards.append(FigureCard(Figures.grouped(report.count(kind)), kind.label, kind.tone))
        }
        return cards
    }

    private func kinds(_ html: inout HTMLText) {
        let rows = report.kinds.filter { $0.count > 0 }
        html.bars(
            BarTable(
                caption: "Events by kind of change. One event may be of several kinds.",
                columns: ["change", "events", "of all"],
                rows: rows.map { kind, count in
                    BarTable.Row("\(kind.label) – \(kind.meaning)", count, kind.tone, cells: [Counted.percent(count, of: report.events)])
                }))
        remarks(&html)
    }

    private func remarks(_ html: inout HTMLText) {
        guard !comparison.remarks.isEmpty else { return }
        html.element("ul", ["class": "words quiet"]) { list in
            for remark in comparison.remarks { list.element("li", text: remark) }
        }
    }

    private func rules(_ html: inout HTMLText) {
        html.bars(
            BarTable(
                caption:
                    "Events in which a rule decides what is different. “Old” counts those that it decides by the old rules, “new” by the new ones.",
                columns: ["rule", "events", "old", "new"],
                rows: report.rules.prefix(30).map { rule in
                    BarTable.Row(
                        RuleWords.name(rule.name), rule.events, cells: [Figures.grouped(rule.before), Figures.grouped(rule.after)])
                }))
        more(report.rules.count, 30, "rules", &html)
    }

    private func hours(_ html: inout HTMLText) {
        html.columns(
            ColumnChart(
                title: "Events that would be different, by the hour on the clock of each person", axis: "hour",
                labels: report.hours.map(\.name), labelEvery: 3, series: [.init("different", .plain, report.hours.map(\.changed))]))
    }

    private func channels(_ html: inout HTMLText) {
        html.bars(
            BarTable(
                caption: "Events that would be different, by the channel of the message.", columns: ["channel", "events", "of its events"],
                rows: report.channels.prefix(30).map { channel in
                    BarTable.Row(
                        channel.name.isEmpty ? "no channel" : channel.name, channel.changed,
                        cells: [Counted.percent(channel.changed, of: channel.events)])
                }))
        more(report.channels.count, 30, "channels", &html)
    }

    private func more(_ count: Int, _ shown: Int, _ what: String, _ html: inout HTMLText) {
        if count > shown { html.element("p", ["class": "quiet"], text: "… and \(Figures.grouped(count - shown)) more \(what).") }
    }

    private func facts(_ html: inout HTMLText) {
        html.element("p") { text in
            text.text("Both rulesets have lived through the same recorded traffic, each on the state that its own decisions have left ")
            text.text("behind: caps filled up, badges grew, and messages that were held back were decided again when their time came.")
        }
        var rows: [(String, String)] = [
            ("app", comparison.app), ("old", "\(comparison.old.name), ruleset \(comparison.old.ruleset.hash)"),
            ("new", "\(comparison.new.name), ruleset \(comparison.new.ruleset.hash)"), ("traffic", traffic),
        ]
        if let span = comparison.span { rows.append(("time", span)) }
        rows.append(("events", Figures.grouped(report.events)))
        if report.otherApps > 0 { rows.append(("left out", "\(Counted.of(report.otherApps, "line", "lines")) of other apps")) }
        if report.unreadable > 0 { rows.append(("unreadable", Counted.of(report.unreadable, "line", "lines"))) }
        if report.outOfOrder > 0 { rows.append(("out of order", Counted.of(report.outOfOrder, "line", "lines"))) }
        html.facts(rows)
        let events = report.examples.flatMap { ($0.old + $0.new).map(\.event) }
        guard !events.isEmpty else { return }
        html.element("h3", text: "Words")
        html.facts(EventWords.glossary(events))
    }

    // MARK: examples

    private func examples(_ html: inout HTMLText) {
        html.element("p", ["class": "quiet"], text: "The rarest changes first.")
        for example in report.examples { html.article(ExampleText(example, comparison.new.ruleset.manifest), comparison) }
    }
}

extension HTMLText {
    fileprivate mutating func article(_ text: ExampleText, _ comparison: Comparison) {
        let example = text.example
        element("article") { html in
            html.element("p") { tags in
                for kind in example.kinds.all { tags.element("span", ["class": "tag ink-\(kind.tone.rawValue)"], text: kind.label) }
            }
            if let saying = text.event.saying { html.element("blockquote", ["dir": "auto"], text: saying) }
            let place = example.line > 0 ? "line \(Figures.grouped(example.line))" : "from the state"
            let who = [
                text.event.time, example.channel.map { "channel \($0)" }, text.event.phone,
                example.recipient.isEmpty ? nil : example.recipient, place,
            ]
            html.element("p", ["class": "quiet"], text: who.compactMap { $0 }.joined(separator: " · "))
            html.element("div", ["class": "sides"]) { sides in
                sides.side("By the old rules (\(comparison.old.name))", example.old, text)
                sides.side("By the new rules (\(comparison.new.name))", example.new, text)
            }
            html.rules(of: text)
            html.sources(of: example)
        }
        line()
    }

    private mutating func side(_ name: String, _ decisions: [Decision], _ text: ExampleText) {
        element("div", ["class": "side"]) { side in
            side.element("h4", text: name)
            if decisions.isEmpty { side.element("p", ["class": "quiet"], text: "Nothing is decided.") }
            for (event, lines) in text.lines(decisions) {
                for (place, line) in lines.enumerated() {
                    side.element("p") { sentence in
                        if place == 0 { sentence.element("span", ["class": "quiet"], text: "\(event.rawValue) ") }
                        let tone: Tone = line.tone == .good ? .good : line.tone == .caution ? .caution : .plain
                        sentence.element("span", ["class": "ink-\(tone.rawValue)"], text: line.text)
                        if let speaker = line.speaker { sentence.element("small", text: " – \(RuleWords.name(speaker))") }
                    }
                }
            }
        }
    }

    /// All rules that were asked, with what both sides said about each.
    private mutating func rules(of text: ExampleText) {
        element("details") { details in
            details.element("summary", text: "Why: every rule, on both sides")
            for (event, pairs) in text.rules {
                details.element("table", ["class": "facts"]) { table in
                    table.element("caption", text: "at \(event.rawValue)")
                    table.element("thead") { head in
                        head.element("tr") { row in
                            for name in ["rule", "old", "new"] { row.element("th", ["scope": "col"], text: name) }
                        }
                    }
                    table.element("tbody") { body in
                        for pair in pairs {
                            body.element("tr") { row in
                                row.element("th", ["scope": "row"], text: pair.rule)
                                row.element(
                                    "td", ["class": "ink-\(ExampleText.tone(pair.old).rawValue)"], text: ExampleText.marked(pair.old))
                                row.element(
                                    "td", ["class": "ink-\(ExampleText.tone(pair.new).rawValue)"], text: ExampleText.marked(pair.new))
                            }
                        }
                        body.guards(at: event, text.example)
                    }
                }
            }
        }
    }

    private mutating func guards(at event: EventName, _ example: DiffExample) {
        let old = example.old.first { $0.event == event }?.trace
        let new = example.new.first { $0.event == event }?.trace
        var names: [GuardName] = []
        for line in (old?.guards ?? []) + (new?.guards ?? []) where !names.contains(line.guard) { names.append(line.guard) }
        for name in names {
            element("tr") { row in
                row.element("th", ["scope": "row"], text: "guard \(name.rawValue)")
                row.element("td", text: old?.guards.first { $0.guard == name }?.effect ?? "–")
                row.element("td", text: new?.guards.first { $0.guard == name }?.effect ?? "–")
            }
        }
    }

    private mutating func sources(of example: DiffExample) {
        element("details") { details in
            details.element("summary", text: "The message and the phone, as recorded")
            if let message = example.message { details.element("pre", text: HTMLText.laidOut(message)) }
            details.element("pre", text: HTMLText.laidOut(example.device))
        }
    }

    private static func laidOut(_ json: [UInt8]) -> String {
        var writer = JSONWriter(reserving: json.count)
        json.withUnsafeBufferPointer { writer.minified(JSONText(start: $0.baseAddress, count: $0.count)) }
        return String(decoding: IndentedJSON.text(of: writer.bytes), as: UTF8.self)
    }
}

extension ExampleText {
    fileprivate static func tone(_ line: Trace.RuleLine?) -> Tone {
        switch line?.outcome {
        case .matched: .good
        case .error: .bad
        case .noMatch, .disabled, .notRun, nil: .faint
        }
    }

    /// With a mark, because a colour alone says nothing.
    fileprivate static func marked(_ line: Trace.RuleLine?) -> String {
        switch line?.outcome {
        case .matched: "✓ \(words(line))"
        case .error: "✗ \(words(line))"
        case .noMatch, .disabled, .notRun, nil: words(line)
        }
    }
}
