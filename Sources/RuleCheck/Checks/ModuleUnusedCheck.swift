// A module of the app that no file requires.

extension Check {
    static let moduleUnused = Check("module_unused", .warning) { app, findings in
        var required: Set<String> = []
        var isOpen = false
        for (_, _, _, call) in app.calls(of: ["require"], in: app.files) {
            if let name = call.arguments.first?.followed.text { required.insert(name) } else { isOpen = true }
        }
        guard !isOpen else { return }
        for file in app.files where file.kind == .module {
            let name = "lib." + file.path.dropFirst("lib/".count).dropLast(".lua".count).split(separator: "/").joined(separator: ".")
            guard !required.contains(name) else { continue }
            findings.tell(
                file.path, 1, 1, "no file requires this module",
                hint: "write local … = require \"\(name)\" where it is needed, or remove it")
        }
    }
}
