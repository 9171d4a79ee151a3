// Coverage as a page: for a meeting, for a mail, for whoever has no terminal. It says the same as the terminal, and shows every
// file with how often each of its lines ran.
import ReportPage
import RuleEngine
import RuleLab

struct CoveragePage {
    private let apps: [AppCoverage]
    private let folder: String
    /// Cases that did not pass, and all.
    private let cases: (failed: Int, all: Int)

    init(_ apps: [AppCoverage], in folder: String, cases: (failed: Int, all: Int)) {
        self.apps = apps
        self.folder = folder
        self.cases = cases
    }

    var html: String {
        var page = ReportPage(
            kind: "rulehost test", title: title, lead: "What the cases have tried of the rules, and what nobody has tried yet.")
        page.add { $0.cards(cards) }
        if apps.count > 1 { page.section("Apps", overview) }
        for app in apps {
            page.section(apps.count > 1 ? "\(app.app): rules" : "Rules") { rules(app, &$0) }
            page.section(apps.count > 1 ? "\(app.app): guards" : "Guards") { guards(app, &$0) }
            page.section(apps.count > 1 ? "\(app.app): files" : "Files") { files(app.own, of: app.app, &$0) }
        }
        let shared = apps.shared
        if !shared.isEmpty { page.section("Shared files") { files(shared, of: "", &$0) } }
        page.section("How this was found", facts)
        return page.html
    }

    private var total: CoveredCount { apps.map(\.total).reduce(CoveredCount(), +) }

    private var title: String {
        let names = apps.map(\.app)
        let whose = names.count == 1 ? names[0] : Counted.of(names.count, "app", "apps")
        // What is tried is not yet right.
        let failed =
            cases.failed == 0
            ? "" : ", \(cases.failed) of \(Counted.of(cases.all, "case", "cases")) \(cases.failed == 1 ? "fails" : "fail")"
        return "\(whose): \(CoverageWords.percent(total)) covered\(failed)"
    }

    private static func tone(_ count: CoveredCount) -> Tone {
        count.all == 0 ? .faint : count.covered == count.all ? .good : count.covered == 0 ? .bad : .caution
    }

    private var cards: [FigureCard] {
        let parts: [(CoveredCount, String)] = [
            (apps.map(\.lineCount).reduce(CoveredCount(), +), "lines run"),
            (apps.map(\.ruleCount).reduce(CoveredCount(), +), "rules matched"),
            (apps.map(\.branchCount).reduce(CoveredCount(), +), "ways tried"),
        ]
        let failed =
            cases.failed == 0 ? [] : [FigureCard("\(cases.failed)", "of \(Counted.of(cases.all, "case", "cases")) not as expected", .bad)]
        return failed
            + parts.map { count, words in
                FigureCard(CoverageWords.percent(count), "\(words): \(CoverageWords.counts(count))", CoveragePage.tone(count))
            }
    }

    private func overview(_ html: inout HTMLText) {
        html.rows(
            RowTable(
                caption: "Each by its own cases.", columns: ["app", "covered", "lines", "rules", "ways"],
                rows: apps.map { app in
                    RowTable.Row([
                        [.init(app.app)], [cell(app.total)], [cell(app.lineCount)], [cell(app.ruleCount)], [cell(app.branchCount)],
                    ])
                }))
    }

    private func cell(_ count: CoveredCount) -> RowTable.Sentence {
        RowTable.Sentence(CoverageWords.percent(count), CoveragePage.tone(count), remark: CoverageWords.counts(count))
    }

    // MARK: rules and guards

    private func rules(_ app: AppCoverage, _ html: inout HTMLText) {
        guard !app.rules.isEmpty else { return html.element("p", text: "The app has no rules.") }
        html.rows(
            RowTable(
                caption: "A way is one of those that a rule can go at something it declares; ✗ stands before those that no case has gone.",
                columns: ["rule", "what came of it", "ways", "decides"],
                rows: app.rules.map { file, rule in
                    RowTable.Row([
                        [.init(rule.name, nil, remark: "\(file):\(rule.line)")], standing(rule),
                        rule.branches.joined().map { way in
                            way.taken > 0
                                ? .init("✓ \(CoverageWords.way(way.branch))", .good, remark: "\(Figures.grouped(way.taken))×")
                                : .init("✗ \(CoverageWords.way(way.branch))", .bad)
                        }, [.init(rule.outcomes.isEmpty ? "–" : CoverageWords.outcomes(rule), .faint)],
                    ])
                }))
    }

    private func standing(_ rule: RuleCoverage) -> [RowTable.Sentence] {
        let tone: Tone =
            switch rule.standing {
            case .matched: .good
            case .neverMatched, .neverAsked: .bad
            case .disabled: .faint
            }
        let mark = tone == .good ? "✓ " : tone == .bad ? "✗ " : ""
        let failed = rule.failed > 0 ? [RowTable.Sentence("failed \(CoverageWords.times(rule.failed))", .caution)] : []
        return [RowTable.Sentence(mark + CoverageWords.standing(rule), tone)] + failed
    }

    private func guards(_ app: AppCoverage, _ html: inout HTMLText) {
        html.bars(
            BarTable(
                caption:
                    "Decisions in which a built-in guard did something, of \(Figures.grouped(app.decisions)). Not all of them concern every app.",
                columns: ["guard", "decisions", ""],
                rows: app.guards.map { one in
                    BarTable.Row(
                        one.name.rawValue, one.acted, one.acted > 0 ? .good : .faint,
                        cells: [one.isOff ? "off in app.lua" : one.acted > 0 ? "" : "never acted"])
                }))
    }

    // MARK: files

    private func files(_ files: [FileCoverage], of app: String, _ html: inout HTMLText) {
        guard !files.isEmpty else { return html.element("p", text: "Nothing that a case could try stands in them.") }
        html.element(
            "p", ["class": "quiet"],
            text:
                "Beside each line how often it ran. One on which a rule begins has run when the rule has matched; “load” is no case's work."
        )
        for file in files {
            let missing = file.lineCount.covered < file.lineCount.all
            html.element("details", missing ? ["open": ""] : [:]) { details in
                details.element("summary") { summary in
                    summary.text("\(AppLoading.path(of: file.path, app: app, in: folder)) ")
                    summary.element("span", ["class": CoveragePage.ink(file.lineCount)], text: CoverageWords.percent(file.lineCount))
                    summary.element("small", text: " of its lines, \(CoverageWords.counts(file.lineCount))")
                }
                details.source(
                    SourceTable(
                        columns: ["", "ran", ""],
                        rows: file.lines.map(CoveragePage.row)))
            }
        }
    }

    private static func ink(_ count: CoveredCount) -> String { "ink-\(tone(count).rawValue)" }

    private static func row(_ line: LineCoverage) -> SourceTable.Row {
        switch line.kind {
        case .nothing: SourceTable.Row(line.number, "", line.text)
        case .load: SourceTable.Row(line.number, "load", line.text, .faint)
        case .counted(0): SourceTable.Row(line.number, "never", line.text, .bad)
        case .counted(let hits): SourceTable.Row(line.number, "\(Figures.grouped(hits))×", line.text, .good)
        }
    }

    private func facts(_ html: inout HTMLText) {
        html.element(
            "p",
            text:
                "All cases have run once, on one machine for each app, as `rulehost test` runs them. Of the lines, those of functions count and those on which a rule begins; what a file does when it is loaded (“load”) is no case's work. What is covered in all is lines and ways together."
        )
        html.facts(
            apps.map { app in
                (
                    app.app,
                    "\(Counted.of(app.decisions, "decision", "decisions")), \(CoverageWords.counts(app.total)) lines and ways covered"
                )
            })
    }
}
