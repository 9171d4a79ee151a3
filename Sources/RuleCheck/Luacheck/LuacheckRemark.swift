// One line of luacheck's answer.

public struct LuacheckRemark: Sendable, Equatable {
    /// Relative to the app's folder.
    public let file: String
    /// From 1.
    public let line: Int
    public let column: Int
    /// Without its letter: "211".
    public let code: String
    /// Without a full stop.
    public let message: String

    /// What to do about it.
    static func advice(_ code: String) -> String {
        switch code.prefix(1) {
        case "2", "3":
            code.hasPrefix("21") ? "remove it, or begin its name with _ if it must stand there" : "remove it, or use what it holds"
        case "4": "give one of the two another name"
        default:
            ["511", "512"].contains(code)
                ? "remove what is never run, or repair the condition before it" : "remove it, or write what is missing"
        }
    }

    /// `PATH:LINE:COLUMN: (W211) MESSAGE`
    /// - Parameter paths: what luacheck was asked about, each with the name it has in its app.
    static func read(_ line: Substring, among paths: [(path: String, app: String, file: String)]) -> (app: String, remark: LuacheckRemark)?
    {
        guard let known = paths.first(where: { line.hasPrefix($0.path + ":") }) else { return nil }
        let parts = line.dropFirst(known.path.count + 1).split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let number = Int(parts[0]), let column = Int(parts[1].prefix { $0.isNumber }) else { return nil }
        let words = parts[2].drop { $0 == " " }
        guard words.hasPrefix("("), let close = words.firstIndex(of: ")") else { return nil }
        let code = words[..<close].dropFirst(2)
        guard code.count == 3, code.allSatisfy(\.isNumber) else { return nil }
        let message = words[words.index(after: close)...].drop { $0 == " " }
        return (known.app, LuacheckRemark(file: known.file, line: number, column: column, code: String(code), message: String(message)))
    }
}
