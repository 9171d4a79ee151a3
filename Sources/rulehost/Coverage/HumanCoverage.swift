// Coverage for the terminal: for each app a table of its files, its rules, and below it what no case has tried, each with its
// place.
import RuleEngine
import RuleLab

struct HumanCoverage {
    private let apps: [AppCoverage]
    private let folder: String
    private let ink: Ink

    init(_ apps: [AppCoverage], in folder: String, _ ink: Ink) {
        self.apps = apps
        self.folder = folder
        self.ink = ink
    }

    var text: String {
        var text = ""
        for app in apps { text += "\n" + self.text(of: app) }
        let shared = apps.shared
        guard !shared.isEmpty else { return text }
        text += "\n" + ink.paint("shared files, by the cases of all these apps", .strong) + "\n" + table(shared, whole: nil)
        text += lines(shared) { AppLoading.path(of: $0, app: "", in: folder) }
        return text
    }

    private func text(of app: AppCoverage) -> String {
        var text = ink.paint("\(app.app): \(CoverageWords.percent(app.total)) covered", .strong)
        text += ink.paint(", in \(Counted.of(app.decisions, "decision", "decisions")) of its cases", .faint) + "\n"
        text += table(app.own, whole: app)
        text += rules(app)
        text += guards(app)
        text += lines(app.own) { AppLoading.path(of: $0, app: app.app, in: folder) }
        text += ways(app)
        return text
    }

    // MARK: files

    private func table(_ files: [FileCoverage], whole: AppCoverage?) -> String {
        var rows = [["", "lines", "", "ways", ""]]
        for file in files { rows.append(row(file.path.printable, file.lineCount, file.branchCount)) }
        if let whole, files.count > 1 { rows.append(row("all", whole.lineCount, whole.branchCount)) }
        guard rows.count > 1 else { return "  nothing that a case could try\n" }
        let widths = (0..<5).map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
        return rows.enumerated().map { place, row in
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - TextWidth.of(cell))
                // Percentages stand to the right, under each other.
                let isPercent = column == 2 || column == 4
                let painted = place == 0 ? ink.paint(cell, .faint) : isPercent ? ink.paint(cell, tone(cell)) : cell
                return isPercent ? space + painted : painted + space
            }
            return "  " + cells.joined(separator: "  ").trimmingEnd + "\n"
        }.joined()
    }

    private func row(_ name: String, _ lines: CoveredCount, _ ways: CoveredCount) -> [String] {
        [name, CoverageWords.counts(lines), CoverageWords.percent(lines), CoverageWords.counts(ways), CoverageWords.percent(ways)]
    }

    private func tone(_ percent: String) -> Ink.Tone {
        switch percent {
        case "100 %": .good
        case "–": .faint
        case "0 %": .bad
        default: .caution
        }
    }

    // MARK: rules and guards

    private func rules(_ app: AppCoverage) -> String {
        guard app.ruleCount.all > 0 else { return "" }
        var text = "  rules: \(CoverageWords.counts(app.ruleCount)) matched\n"
        for (file, rule) in app.rules where rule.standing == .neverMatched || rule.standing == .neverAsked {
            text += row("✗", "\(rule.name): \(CoverageWords.standing(rule))", "\(file):\(rule.line)")
        }
        return text
    }

    private func guards(_ app: AppCoverage) -> String {
        let acted = app.guards.filter { $0.acted > 0 }.map { "\($0.name.rawValue) (\(Figures.grouped($0.acted)))" }
        let idle = app.guards.filter { $0.acted == 0 && !$0.isOff }.map(\.name.rawValue)
        let off = app.guards.filter(\.isOff).map(\.name.rawValue)
        let parts = [
            ("acted", acted), ("never acted", idle), ("off", off),
        ].filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
        return TextLines.wrap("guards that " + parts.joined(separator: "; "), columns: 98).enumerated()
            .map { place, row in (place == 0 ? "  " : "    ") + row + "\n" }.joined()
    }

    // MARK: what was not tried

    private func lines(_ files: [FileCoverage], path: (String) -> String) -> String {
        var text = ""
        for file in files {
            for run in CoverageWords.notRun(in: file) {
                guard let first = run.first, let last = run.last else { continue }
                let place = "\(path(file.path)):\(first.number)" + (run.count > 1 ? "–\(last.number)" : "")
                text += row("✗", "", place)
                let shown = run.prefix(HumanCoverage.mostLines).map(\.text.printable)
                let margin = shown.map { $0.prefix { $0 == " " }.count }.min() ?? 0
                for line in shown { text += "      " + ink.paint(cut(line.dropFirst(margin)), .caution) + "\n" }
                if run.count > HumanCoverage.mostLines {
                    text += "      " + ink.paint("… \(Figures.grouped(run.count - HumanCoverage.mostLines)) more", .faint) + "\n"
                }
            }
        }
        return text.isEmpty ? "" : "  lines that no case has run\n" + text
    }

    private static let mostLines = 5

    /// Not longer than a line.
    private func cut(_ source: Substring) -> String {
        let text = String(source)
        return TextWidth.of(text) > 92 ? TextWidth.prefix(text, columns: 91) + "…" : text
    }

    private func ways(_ app: AppCoverage) -> String {
        var text = ""
        for (file, rule) in app.rules where !file.hasPrefix("_shared/") {
            // Of one that was never asked there is no more to say.
            guard rule.standing != .neverAsked else { continue }
            let missing = rule.branches.joined().filter { $0.taken == 0 }.map { CoverageWords.way($0.branch) }
            guard !missing.isEmpty else { continue }
            text += row("✗", "\(rule.name)", "\(file):\(rule.line)")
            for line in TextLines.wrap(missing.joined(separator: "; "), columns: 92) { text += "      " + ink.paint(line, .caution) + "\n" }
        }
        return text.isEmpty ? "" : "  ways that no case has gone\n" + text
    }

    private func row(_ mark: String, _ words: String, _ place: String) -> String {
        let words = words.printable
        return "    \(ink.paint(mark, .bad)) \(words.isEmpty ? "" : words + "  ")\(ink.paint(place.printable, .faint))\n"
    }
}

extension String {
    /// Without spaces at its end.
    fileprivate var trimmingEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
