// What `check` has found, for programs: JSON of our own, and the commands by which GitHub puts remarks beside lines.
import JSONDocument
import RuleCheck
import RuleStore

enum CheckJSON {
    static func text(_ reports: [CheckedReport]) -> [UInt8] {
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.key("apps")
        json.beginArray()
        for report in reports { json.string(report.app) }
        json.endArray()
        json.key("errors")
        json.integer(reports.reduce(0) { $0 + $1.errors })
        json.key("warnings")
        json.integer(reports.reduce(0) { $0 + $1.warnings })
        json.key("findings")
        json.beginArray()
        for entry in reports.flatMap(\.entries) { write(entry, to: &json) }
        json.endArray()
        json.endObject()
        return JSONLayout.document(json.bytes)
    }

    private static func write(_ entry: CheckedReport.Entry, to json: inout JSONWriter) {
        let finding = entry.finding
        json.beginObject()
        json.key("code")
        json.string(finding.code)
        json.key("severity")
        json.string(finding.severity.rawValue)
        json.key("app")
        json.string(finding.app)
        json.key("file")
        json.string(entry.path)
        if finding.line > 0 {
            json.key("line")
            json.integer(finding.line)
        }
        if finding.column > 0 {
            json.key("column")
            json.integer(finding.column)
        }
        json.key("message")
        json.string(finding.message)
        if let hint = finding.hint {
            json.key("hint")
            json.string(hint)
        }
        if let rule = finding.rule {
            json.key("rule")
            json.string(rule)
        }
        json.key("page")
        json.string(entry.page)
        json.endObject()
    }
}

enum GitHubCheck {
    static func text(_ reports: [CheckedReport]) -> String {
        reports.flatMap(\.entries).map { entry in
            let finding = entry.finding
            return WorkflowCommand(
                severity: finding.severity.rawValue, path: entry.path, line: finding.line, column: finding.column,
                title: "\(finding.code) (\(finding.app))", message: finding.message + (finding.hint.map { "\n\($0)" } ?? "")
            ).text
        }.joined()
    }
}
