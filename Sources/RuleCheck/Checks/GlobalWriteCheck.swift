// Something is assigned to a name that is no local variable.

extension Check {
    /// Lua makes a variable of the whole app by assigning to it; here that is refused while a message waits.
    static let globalWrite = Check("global_write", .error) { app, findings in
        for file in app.scripts {
            for target in KnownNames.targets(in: file) {
                guard case .global(let name, let offset) = target else { continue }
                findings.tell(
                    file, at: offset, "'\(name)' is not a local variable, and no function can keep anything in another",
                    hint: KnownNames.roots.contains(name)
                        ? "give it another name: \(name) is the host's"
                        : "write local \(name) = …, or keep it with state.set(\"\(name)\", …)")
            }
        }
    }
}
