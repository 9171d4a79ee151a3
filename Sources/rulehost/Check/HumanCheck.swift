// What `check` has found, for people: place, line with a mark, what is wrong, what to do.
import RuleCheck

enum HumanCheck {
    private static let columns = 100

    static func text(_ report: CheckedReport, _ ink: Ink) -> String {
        var text = ""
        for entry in report.entries {
            let finding = entry.finding
            let tone: Ink.Tone = finding.severity == .error ? .bad : .caution
            text += ink.paint("\(entry.place.printable):", .strong) + " " + ink.paint("\(finding.severity.rawValue):", tone)
            text += " \(finding.message.printable) " + ink.paint("[\(finding.code)]", .faint) + "\n"
            if let excerpt = entry.excerpt { text += excerpt.text(ink) }
            if let hint = finding.hint {
                for (place, line) in TextLines.wrap(hint.printable, columns: columns - 8).enumerated() {
                    text += place == 0 ? "  " + ink.paint("hint:", .accent) + " \(line)\n" : "        \(line)\n"
                }
            }
            text += "\n"
        }
        return text
    }

    /// "5 apps: 2 errors, 1 warning; `rulehost docs CODE` tells more"
    static func summary(_ reports: [CheckedReport], _ ink: Ink) -> String {
        guard !reports.isEmpty else { return "" }
        let apps = reports.count == 1 ? reports[0].app : "\(reports.count) apps"
        let errors = reports.reduce(0) { $0 + $1.errors }
        let warnings = reports.reduce(0) { $0 + $1.warnings }
        guard errors + warnings > 0 else { return "\(apps): " + ink.paint("nothing found", .good) + "\n" }
        var parts: [String] = []
        if errors > 0 { parts.append(ink.paint(count(errors, "error"), .bad)) }
        if warnings > 0 { parts.append(ink.paint(count(warnings, "warning"), .caution)) }
        return "\(apps): \(parts.joined(separator: ", ")); rulehost docs CODE tells more of a code in brackets\n"
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
