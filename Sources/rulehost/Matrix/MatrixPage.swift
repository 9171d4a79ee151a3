// A matrix as a page: for a meeting, for a mail, for whoever has no terminal.
import PushMessage
import ReportPage
import RuleEngine
import RuleLab

struct MatrixPage {
    private let table: MatrixTable

    init(_ table: MatrixTable) { self.table = table }

    var html: String {
        var page = ReportPage(kind: "rulehost matrix", title: "\(table.title): what happens when", lead: table.headline)
        page.add { $0.cards(cards) }
        page.section("What matters", inputs)
        page.section("What happens", rows)
        if !table.matrix.warnings.isEmpty { page.section("Warnings", warnings) }
        page.section("How this was found", facts)
        return page.html
    }

    private var cards: [FigureCard] {
        let combinations = table.matrix.grid.count
        let answers = table.matrix.answers.count
        let varied = table.matrix.grid.sizes.count { $0 > 1 }
        return [
            FigureCard(Figures.grouped(combinations), combinations == 1 ? "combination tried" : "combinations tried"),
            FigureCard(Figures.grouped(answers), answers == 1 ? "answer everywhere" : "different answers"),
            FigureCard(
                "\(table.inputs.count)", "of \(Counted.of(varied, "input", "inputs")) \(table.inputs.count == 1 ? "matters" : "matter")"),
        ]
    }

    private func inputs(_ html: inout HTMLText) {
        guard !table.matrix.grid.inputs.isEmpty else { return html.element("p", text: "Nothing has been varied.") }
        html.rows(
            RowTable(
                caption:
                    "An input matters if some combination would be answered otherwise with another value of it. Values in one line act alike.",
                columns: ["input", "matters", "values"],
                rows: (table.inputs.map { ($0, "yes") } + table.idle.map { ($0, "never") } + table.single.map { ($0, "one value only") })
                    .map { input, matters in
                        RowTable.Row([
                            [.init(input.name)], [.init(matters, matters == "yes" ? .plain : .faint)],
                            input.groups.map { .init($0.joined(separator: ", "), matters == "yes" ? nil : .faint) },
                        ])
                    }))
    }

    private func rows(_ html: inout HTMLText) {
        for line in table.common {
            html.element("p") { text in
                text.text("In every case: \(line.text)")
                if let speaker = line.speaker { text.element("small", text: " – \(RuleWords.name(speaker))") }
            }
        }
        html.rows(
            RowTable(
                caption: "Every combination is in exactly one row.", columns: table.inputs.map(\.name) + ["combinations", "what happens"],
                rows: table.rows.map { row in
                    RowTable.Row(
                        row.cells.map { [.init($0.words, $0.isAny ? .faint : nil)] } + [[.init(Figures.grouped(row.count), .faint)]]
                            + [sentences(row.answer)])
                }))
    }

    private func sentences(_ answer: Matrix.Answer) -> [RowTable.Sentence] {
        guard !answer.decisions.isEmpty else { return [.init("nothing happens: the message causes no event", .faint)] }
        let steps = table.lines(answer).flatMap { event, lines in
            lines.enumerated().map { place, line in
                RowTable.Sentence(
                    (place == 0 ? "\(event.rawValue): " : "") + line.text,
                    line.tone == .good ? .good : line.tone == .caution ? .caution : nil, remark: line.speaker.map(RuleWords.name))
            }
        }
        return steps + answer.decisions.flatMap(\.errors).map { RowTable.Sentence("error: \($0.message)", .bad, remark: $0.rule) }
    }

    private func warnings(_ html: inout HTMLText) {
        html.element("ul", ["class": "words"]) { list in
            for warning in table.matrix.warnings { list.element("li", text: warning.words) }
        }
    }

    private func facts(_ html: inout HTMLText) {
        html.element(
            "p",
            text:
                "The message has been decided once for each combination of the inputs, by the rules as they are, each time from the same state. Rows with the same answer have been put together."
        )
        html.facts(
            [("app", table.ruleset.app), ("ruleset", table.ruleset.hash), ("moment", table.moment)]
                + (table.held.isEmpty ? [] : [("held fast", table.held.joined(separator: ", "))]))
        let events = table.matrix.answers.flatMap { $0.decisions.map(\.event) }
        guard !events.isEmpty else { return }
        html.element("h3", text: "Words")
        html.facts(EventWords.glossary(events))
    }
}
