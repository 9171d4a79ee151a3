// What the loader and the runner of cases remark in what loads all the same: names that app.lua does not list, keys that
// never act.
import RuleEngine

extension Check {
    static let remarks = Check("remarks", .warning, codes: remarked.map(\.rawValue)) { app, findings in
        for warning in (app.loaded?.warnings ?? []) + app.cases.warnings where remarked.contains(warning.code) {
            findings.tell(
                warning.file, warning.line, warning.column, warning.message, hint: warning.hint, code: warning.code.rawValue,
                severity: warning.file.hasPrefix("cases/") ? .warning : severity(of: warning.code))
        }
    }

    private static let remarked = RuleWarning.Code.allCases.filter { $0 != .nearLimit }

    /// A name that nothing can have never matches; a key that does nothing is only idle.
    private static func severity(of code: RuleWarning.Code) -> Finding.Severity {
        switch code {
        case .unknownChannel, .unknownTab, .unknownLanguage: .error
        case .neverActs, .pinWithoutDefer, .nearLimit: .warning
        }
    }
}
