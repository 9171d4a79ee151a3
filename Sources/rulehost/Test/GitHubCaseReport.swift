// The report of `rulehost test` for a workflow of GitHub: a remark beside each case that missed, each file that cannot be read
// and each fault that keeps an app from loading, and a line with the counts. Called by the verb; it decides nothing.
import RuleEngine

enum GitHubCaseReport {
    /// - Parameters:
    ///   - unloaded: what keeps apps from loading.
    ///   - summary: false: without the line of counts.
    static func text(_ reports: [AppReport], unloaded: [(app: String, fault: RuleFaultPlace)], summary: Bool) -> String {
        var text = ""
        for (app, place) in unloaded {
            let fault = place.fault
            text +=
                WorkflowCommand(
                    severity: "error", path: place.path, line: fault.line, column: fault.column, title: "\(fault.code.rawValue) (\(app))",
                    message: message([fault.message] + (fault.hint.map { ["hint: \($0)"] } ?? []))
                ).text
        }
        for report in reports {
            for line in report.lines where !line.isGood {
                text +=
                    WorkflowCommand(
                        severity: "error", path: line.path, line: line.line, column: line.column, title: title(of: line, report.app),
                        message: message(line.problems)
                    ).text
            }
        }
        return summary ? text + HumanCaseReport.summary(reports, .plain) : text
    }

    private static func title(of line: AppReport.Line, _ app: String) -> String {
        let what =
            switch line.verdict {
            case .passed, .missed: line.name ?? line.file
            case .broken: "broken, did not run: \(line.name ?? line.file)"
            case .unreadableFile: "the file cannot be read"
            }
        return "\(what) (\(app))".printable
    }

    /// Newlines between sentences stay.
    private static func message(_ sentences: [String]) -> String { sentences.map(\.printable).joined(separator: "\n") }
}
