// A load, or a rule in a case, that used half of what it may or more.
import RuleEngine

extension Check {
    static let nearLimit = Check("near_limit", .warning) { app, findings in
        for warning in (app.loaded?.warnings ?? []) + app.cases.warnings where warning.code == .nearLimit {
            findings.tell(warning.file, warning.line, warning.column, warning.message, hint: warning.hint)
        }
    }
}
