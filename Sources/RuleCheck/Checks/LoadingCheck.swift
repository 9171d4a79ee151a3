// What keeps the app from loading: told by the loader itself, each with its place.
import RuleEngine

extension Check {
    static let loading = Check("loading", .error, codes: RuleFault.Code.allCases.map(\.rawValue)) { app, findings in
        for fault in app.faults {
            findings.tell(fault.file, fault.line, fault.column, fault.message, hint: fault.hint, code: fault.code.rawValue)
        }
    }
}
