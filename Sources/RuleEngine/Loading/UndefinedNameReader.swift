// Tells an author of a name that nothing has: mostly a text whose quotes were forgotten. Called by RulesetLoader, for
// names that were read while files were loaded; what a function reads later is nil as in any Lua.
import LuaSandbox
import PushMessage

enum UndefinedNameReader {
    /// nil when the name does not stand in that line as a word of its own: then the script asked for it on purpose.
    static func read(_ name: UndefinedName, file: SourceFile, _ places: SourcePlaces) -> RuleFault? {
        guard let place = places.place(ofRead: name.name, onLine: name.line) else { return nil }
        let known = ["true", "false", "nil"] + places.localNames + LuaMachine.ownNames + hostNames
        let quotes = "put it in quotes if it is a text: \"\(name.name)\""
        let near = DidYouMean.nearest(to: name.name, among: known.map { String($0.prefix { $0 != "." }) })
        return RuleFault(
            code: .undefinedName, file: file.path, line: place.line, column: place.column,
            message: "'\(name.name)' is not defined",
            hint: name.advice ?? near.map { "did you mean \($0)? \(quotes)" } ?? quotes)
    }

    private static let hostNames = (ScriptWorld.functions + ScriptWorld.values).map(\.name)
}
