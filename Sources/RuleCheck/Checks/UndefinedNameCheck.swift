// A name in a function that nothing has. While a file is loaded the loader tells of it; what a function reads later is nil
// as in any Lua, and so it is told here.
import LuaSandbox
import PushMessage
import RuleEngine

extension Check {
    static let undefinedName = Check("undefined_name", .error) { app, findings in
        for file in app.scripts {
            let targets = Set(KnownNames.targets(in: file).map(\.offset))
            let told = Set(app.faults.filter { $0.file == file.path }.map { Place(line: $0.line, column: $0.column) })
            let known = KnownNames.roots.sorted() + CheckedFile.viewNames + KnownNames.locals(of: file)
            for found in app.expressions(in: [file]) {
                let (file, rule, expression) = (found.file, found.rule, found.expression)
                guard case .global(let name, let offset) = expression, !KnownNames.roots.contains(name), !targets.contains(offset) else {
                    continue
                }
                // While the file was read it ended the reading, which is told with a better cure.
                let place = file.place(of: offset)
                guard !told.contains(Place(line: place.line, column: place.column)) else { continue }
                findings.tell(
                    file, at: offset, "'\(name.shortened)' is not defined", hint: advice(for: name, among: known), rule: rule?.name)
            }
        }
    }

    private struct Place: Hashable {
        let line: Int
        let column: Int
    }

    private static func advice(for name: String, among known: [String]) -> String {
        let quotes = "put it in quotes if it is a text: \"\(name.shortened)\""
        let near = DidYouMean.nearest(to: name, among: known)
        return LuaMachine.advice(for: name) ?? near.map { "did you mean \($0)? \(quotes)" } ?? quotes
    }
}
