// Settings that tell an editor what of Lua there is: `.luarc.json` for the language server, `.luacheckrc` for luacheck.
import JSONDocument

enum EditorSettings {
    /// Libraries of Lua that scripts do not have at all.
    private static let missingLibraries = ["bit", "bit32", "coroutine", "debug", "ffi", "io", "jit", "os", "package"]

    /// Compact JSON text.
    static let languageServer: [UInt8] = {
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        json.key("$schema")
        json.string("https://raw.githubusercontent.com/LuaLS/vscode-lua/master/setting/schema.json")
        json.key("runtime.version")
        json.string("Lua 5.4")
        json.key("runtime.builtin")
        json.beginObject()
        for name in missingLibraries {
            json.key(name)
            json.string("disable")
        }
        json.endObject()
        list("workspace.library", [EditorFiles.folder], &json)
        list("diagnostics.disable", ["lowercase-global"], &json)
        json.endObject()
        return json.bytes
    }()

    private static func list(_ key: StaticString, _ values: [String], _ json: inout JSONWriter) {
        json.key(key)
        json.beginArray()
        for value in values { json.string(value) }
        json.endArray()
    }

    /// A file of luacheck's, which is Lua: nothing but the names that scripts have.
    static let luacheck: String = {
        var text = """
            -- What luacheck has to know of rulehost's rules. Written by `rulehost docs editor`.
            std = "none"
            max_line_length = false
            ignore = { "212" }              -- when and decide are given more than most of them use
            exclude_files = { "**/\(EditorFiles.folder)/**", "\(EditorFiles.folder)/**" }
            read_globals = {

            """
        var root = Names()
        for function in Reference.functions where !function.name.contains(":") { root.add(function.name.split(separator: ".")[...]) }
        for inner in root.inner { text += inner.text(indent: 1) }
        return text + "}\n"
    }()

    /// Names and what stands in them.
    private struct Names {
        var name = ""
        var inner: [Names] = []

        mutating func add(_ path: ArraySlice<Substring>) {
            guard let first = path.first else { return }
            if let place = inner.firstIndex(where: { $0.name == first }) {
                inner[place].add(path.dropFirst())
            } else {
                var names = Names(name: String(first))
                names.add(path.dropFirst())
                inner.append(names)
            }
        }

        func text(indent: Int) -> String {
            let margin = String(repeating: "  ", count: indent)
            guard !inner.isEmpty else { return indent == 1 ? "\(margin)\"\(name)\",\n" : "\(margin)\(name) = {},\n" }
            return "\(margin)\(name) = { fields = {\n" + inner.map { $0.text(indent: indent + 1) }.joined() + "\(margin)} },\n"
        }
    }
}
