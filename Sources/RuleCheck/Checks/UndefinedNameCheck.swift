// A name in a function that nothing has. While a file is loaded the loader tells of it; what a function reads later is nil
// as in any Lua, and so it is told here.
import LuaSandbox
import PushMessage
import RuleEngine

extension Check {
    static let undefinedName = Check("undefined_name", .error) { app, findings in
        for file in app.scripts {
            let targets = Set(KnownNames.targets(in: file).map(\.offset))
            for found in app.expressions(in: [file]) {
                let (file, rule, expression) = (found.file, found.rule, found.expression)
                guard case .global(let name, let offset) = expression, !KnownNames.roots.contains(name), !targets.contains(offset) else {
                    continue
                }
                // While the file was read it ended the reading, which is told with a better cure.
                let place = file.place(of: offset)
                guard !app.faults.contains(where: { $0.file == file.path && $0.line == place.line && $0.column == place.column }) else {
                    continue
                }
                let quotes = "put it in quotes if it is a text: \"\(name)\""
                let near = DidYouMean.nearest(
                    to: name, among: KnownNames.roots.sorted() + CheckedFile.viewNames + KnownNames.locals(of: file))
                findings.tell(
                    file, at: offset, "'\(name)' is not defined",
                    hint: LuaMachine.advice(for: name) ?? near.map { "did you mean \($0)? \(quotes)" } ?? quotes, rule: rule?.name)
            }
        }
    }
}
