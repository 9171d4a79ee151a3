// `suppress "…"` on a line of its own inside of a function: a decision that is made and thrown away. `return` is missing.

extension Check {
    static let decisionDropped = Check("decision_dropped", .error) { app, findings in
        for file in app.scripts {
            for statement in file.contents.statements {
                guard case .call(let call) = statement, let name = call.calledName, ReturnedWish.makers.contains(name) else { continue }
                findings.tell(
                    file, at: call.start, "what \(name) gives is thrown away: a decision counts only when the function returns it",
                    hint: "write return \(name) …")
            }
        }
    }
}
