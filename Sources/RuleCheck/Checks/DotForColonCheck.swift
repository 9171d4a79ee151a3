// `device.is_showing("chat")`: with a dot the function does not get the device.

extension Check {
    static let dotForColon = Check("dot_for_colon", .error) { app, findings in
        for found in app.expressions {
            let (file, rule, expression) = (found.file, found.rule, found.expression)
            guard case .index(let object, let key, let offset) = expression, let name = key.text,
                case .view(let view)? = object.path?.root, object.path?.keys.isEmpty == true, KnownNames.methods(of: view).contains(name)
            else { continue }
            findings.tell(
                file, at: offset, "`\(view).\(name)` with a dot is no function", hint: "write \(view):\(name)(…), with a colon",
                rule: rule?.name)
        }
    }
}
