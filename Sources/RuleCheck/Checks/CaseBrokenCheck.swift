// A case, or a file of them, that cannot be run.
import RuleLab

extension Check {
    static let caseBroken = Check("case_broken", .error, codes: CaseFault.Code.allCases.map(\.rawValue)) { app, findings in
        for (file, fault) in app.cases.broken {
            findings.tell(file, fault.line, fault.column, fault.message, hint: fault.hint, code: fault.code.rawValue)
        }
    }
}
