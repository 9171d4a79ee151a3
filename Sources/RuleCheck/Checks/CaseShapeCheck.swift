// A case says something that nobody reads, or in another type than it is read.
import JSONDocument
import RuleEngine
import RuleLab
import RuleStore

extension Check {
    static let caseShape = Check("case_shape", .error) { app, findings in
        for file in app.cases.files where !app.cases.broken.contains(where: { $0.file == file.path && $0.fault.code == .caseFileNotAList })
        {
            for fault in CaseShape.faults(in: file) {
                let place = fault.place
                // What keeps the case from running is told already.
                guard
                    !app.cases.broken.contains(where: {
                        $0.file == file.path && $0.fault.line == place.line && $0.fault.column == place.column
                    })
                else { continue }
                findings.tell(file.path, place.line, place.column, fault.message, hint: fault.hint)
            }
        }
    }
}
