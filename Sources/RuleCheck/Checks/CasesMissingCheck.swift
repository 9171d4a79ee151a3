// An app without cases.

extension Check {
    static let casesMissing = Check("cases_missing", .warning) { app, findings in
        guard app.loaded != nil, app.cases.count == 0, app.cases.broken.isEmpty else { return }
        findings.tell(
            "app.lua", 1, 1, "the app has no cases: nothing says what must stay as it is",
            hint: "write cases/first.json, an example with the answer that must come out; docs/cases.md tells how")
    }
}
