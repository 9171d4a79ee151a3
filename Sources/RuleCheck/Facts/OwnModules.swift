// What the app's own modules give back, where that is a table whose names are all written out.

enum OwnModules {
    /// - Parameter expression: what may be a `require "lib.name"`, or a variable that was set to one.
    /// - Returns: the module's name and the names in its table; nil when it is none, or not all of them are written.
    static func members(of expression: LuaExpression, in app: CheckedApp) -> (module: String, names: [String])? {
        let value = expression.followed
        guard value.calledName == "require", let name = value.arguments.first?.followed.text, name.hasPrefix("lib.") else { return nil }
        let path = "lib/" + name.dropFirst("lib.".count).split(separator: ".").joined(separator: "/") + ".lua"
        guard let file = app.files.first(where: { $0.path == path }), let names = names(of: file), !names.isEmpty else { return nil }
        return (name, names)
    }

    private static func names(of file: CheckedFile) -> [String]? {
        guard case .give(let values, _)? = file.body.last, values.count == 1, let table = values[0].followed.table else { return nil }
        guard case .local(let variable, _) = values[0] else { return keys(of: table) }
        guard !variable.isReassigned, var names = keys(of: table) else { return nil }
        for target in KnownNames.targets(in: file) {
            guard case .index(let object, let key, _) = target, object.followed.table === table else { continue }
            guard let name = key.followed.text else { return nil }
            names.append(name)
        }
        // Handed to a function it may be given more.
        let isHanded = file.contents.expressions.contains { expression in
            expression.arguments.contains { $0.followed.table === table }
        }
        return isHanded ? nil : names
    }

    private static func keys(of table: LuaTable) -> [String]? {
        let names = table.items.map { $0.key?.followed.text }
        return names.contains(nil) ? nil : names.compactMap { $0 }
    }
}
