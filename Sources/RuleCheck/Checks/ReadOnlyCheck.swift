// Something is assigned to a view, or to one of the host's libraries: the rule would fail.

extension Check {
    static let readOnly = Check("read_only", .error) { app, findings in
        for file in app.scripts {
            for target in KnownNames.targets(in: file) {
                guard case .index(let object, _, let offset) = target, let path = object.path else { continue }
                switch path.root {
                case .view:
                    findings.tell(
                        file, at: offset, "`\(path.written)` is read-only: the rule would fail here",
                        hint: "return what is to be different, such as return { title = … }; for later messages keep it with state.set")
                case .global:
                    guard let first = path.keys.first, KnownNames.roots.contains(first) else { continue }
                    findings.tell(
                        file, at: offset, "`\(path.written)` is read-only: the rule would fail here",
                        hint: first == "state" ? "write state.set(\"key\", value)" : "give a function of your own another name")
                }
            }
        }
    }
}
