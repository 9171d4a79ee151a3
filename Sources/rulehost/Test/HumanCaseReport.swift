// The report of `rulehost test` for people: a line for each file of cases, and below it those that missed.

struct HumanCaseReport {
    private let report: AppReport
    private let ink: Ink

    init(_ report: AppReport, _ ink: Ink) {
        self.report = report
        self.ink = ink
    }

    var text: String {
        var text = ink.paint(report.app, .strong) + "\n"
        if report.lines.isEmpty { return text + "  no cases\n" }
        var files: [String] = []
        for line in report.lines where files.last != line.file { files.append(line.file) }
        let width = files.map(TextWidth.of).max() ?? 0
        for file in files {
            let lines = report.lines.filter { $0.file == file }
            let missed = lines.filter { !$0.isGood }
            let padding = String(repeating: " ", count: width - TextWidth.of(file))
            text += "  \(file.printable)\(padding)  \(HumanCaseReport.counts(lines, ink))\n"
            for line in missed {
                text += "    " + ink.paint("✗ \(title(of: line).printable)", .bad) + "\n"
                text += "      " + ink.paint(line.place.printable, .faint) + "\n"
                for (place, problem) in line.problems.enumerated() {
                    for part in TextLines.wrap(problem.printable, columns: 112) { text += "      \(part)\n" }
                    if place == 0, let excerpt = line.excerpt { text += excerpt.text(ink) }
                }
            }
        }
        return text
    }

    private func title(of line: AppReport.Line) -> String {
        guard let name = line.name else { return "the file cannot be read" }
        return line.verdict == .broken ? "broken, did not run: \(name)" : name
    }

    static func summary(_ reports: [AppReport], _ ink: Ink) -> String {
        let lines = reports.flatMap(\.lines)
        guard !lines.isEmpty else { return "" }
        let cases = lines.count { $0.verdict != .unreadableFile }
        return "\(cases) \(cases == 1 ? "case" : "cases"): \(counts(lines, ink))\n"
    }

    /// "16 passed, 1 missed, 1 broken, 1 file cannot be read"
    private static func counts(_ lines: [AppReport.Line], _ ink: Ink) -> String {
        let count = { (verdict: AppReport.Line.Verdict) in lines.count { $0.verdict == verdict } }
        let isGood = lines.allSatisfy(\.isGood)
        var parts = [isGood ? ink.paint("\(count(.passed)) passed", .good) : "\(count(.passed)) passed"]
        if count(.missed) > 0 { parts.append(ink.paint("\(count(.missed)) missed", .bad)) }
        if count(.broken) > 0 { parts.append(ink.paint("\(count(.broken)) broken", .bad)) }
        let files = count(.unreadableFile)
        if files > 0 { parts.append(ink.paint("\(files) \(files == 1 ? "file" : "files") cannot be read", .bad)) }
        return parts.joined(separator: ", ")
    }
}
