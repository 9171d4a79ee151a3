// What luacheck finds, in families. Names that nothing has, and fields, are looked for here with places and guesses of our
// own; the layout of Lua is left to its formatters.

extension Check {
    static let luaUnused = luacheck("lua_unused", "a variable, a value or a parameter that nothing uses") {
        // A key that stands twice is found by a check of its own.
        ($0.hasPrefix("2") || $0.hasPrefix("3")) && $0 != "314"
    }
    static let luaShadowing = luacheck("lua_shadowing", "a variable that hides another one of its name") { $0.hasPrefix("4") }
    static let luaUnreachable = luacheck("lua_unreachable", "lines that are never run") { ["511", "512"].contains($0) }
    static let luaOther = luacheck("lua_other", "empty branches, labels, assignments to nothing") {
        $0.hasPrefix("5") && !["511", "512"].contains($0)
    }

    private static func luacheck(_ name: String, _ meaning: String, takes: @escaping @Sendable (String) -> Bool) -> Check {
        Check(name, .warning) { app, findings in
            for remark in app.luacheck where takes(remark.code) {
                findings.tell(
                    remark.file, remark.line, remark.column, "luacheck: \(remark.message) (W\(remark.code))",
                    hint: LuacheckRemark.advice(remark.code))
            }
        }
    }
}
