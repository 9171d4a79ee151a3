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
            text += "  \(file.printable)\(padding)  \(HumanCaseReport.counts(lines.count, missed.count, ink))\n"
            for line in missed {
                text += "    " + ink.paint("✗ \((line.name ?? "the file cannot be read").printable)", .bad) + "\n"
                text += "      " + ink.paint(line.place.printable, .faint) + "\n"
                for problem in line.problems {
                    for part in TextLines.wrap(problem.printable, columns: 112) { text += "      \(part)\n" }
                }
            }
        }
        return text
    }

    static func summary(_ reports: [AppReport], _ ink: Ink) -> String {
        let lines = reports.flatMap(\.lines)
        guard !lines.isEmpty else { return "" }
        let missed = lines.filter { !$0.isGood }.count
        return "\(lines.count) \(lines.count == 1 ? "case" : "cases"): \(counts(lines.count, missed, ink))\n"
    }

    private static func counts(_ all: Int, _ missed: Int, _ ink: Ink) -> String {
        if missed == 0 { return ink.paint("\(all) passed", .good) }
        return "\(all - missed) passed, " + ink.paint("\(missed) missed", .bad)
    }
}
