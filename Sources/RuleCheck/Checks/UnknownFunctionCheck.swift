// A function that a library does not have, or a method that a view does not have.
import PushMessage
import RuleReference

extension Check {
    static let unknownFunction = Check("unknown_function", .error) { app, findings in
        // What is assigned to is read-only, and told as that.
        let targets = Dictionary(uniqueKeysWithValues: app.scripts.map { ($0.path, Set(KnownNames.targets(in: $0).map(\.offset))) })
        for found in app.expressions {
            let (file, rule, expression) = (found.file, found.rule, found.expression)
            switch expression {
            case .index(let object, let key, let offset):
                if let (module, known) = OwnModules.members(of: object, in: app), let name = key.text, !known.contains(name) {
                    findings.tell(
                        file, at: offset, "the module \"\(module)\" has no `\(name)`",
                        hint: DidYouMean.nearest(to: name, among: known).map { "did you mean `\($0)`?" }
                            ?? "it has " + known.map { "`\($0)`" }.joined(separator: ", "), rule: rule?.name)
                    continue
                }
                guard targets[file.path]?.contains(offset) != true, let library = object.path, library.root == .global, let name = key.text,
                    let known = KnownNames.members[library.written], !known.contains(name)
                else { continue }
                findings.tell(
                    file, at: offset, "`\(library.written)` has no `\(name)`",
                    hint: DidYouMean.nearest(to: name, among: known).map { "did you mean \(library.written).\($0)?" }
                        ?? "it has " + known.map { "\(library.written).\($0)" }.joined(separator: ", "), rule: rule?.name)
            case .method(let object, let name, _, let offset):
                guard case .view(let view)? = object.path?.root, object.path?.keys.isEmpty == true else { continue }
                let known = KnownNames.methods(of: view)
                guard !known.contains(name) else { continue }
                let isField = Reference.table(named: view)?[name] != nil
                findings.tell(
                    file, at: offset, "`\(view)` has no function `\(name)`",
                    hint: isField
                        ? "it is a field: \(view).\(name)"
                        : DidYouMean.nearest(to: name, among: known).map { "did you mean \(view):\($0)?" }
                            ?? (known.isEmpty ? "it has fields only" : "it has " + known.map { "\(view):\($0)" }.joined(separator: ", ")),
                    rule: rule?.name)
            default: continue
            }
        }
    }
}
