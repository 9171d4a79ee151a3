// What is probably not meant in rules that load all the same: a name that app.lua does not list, a key that never acts.
// Found by RuleRemarks while an app is loaded, and by whoever runs its cases; shown beside the answer.

public struct RuleWarning: Sendable, Equatable {
    /// Stable names; each has a page in docs/findings.
    public enum Code: String, Sendable, CaseIterable {
        case unknownChannel = "unknown_channel"
        case unknownTab = "unknown_tab"
        case unknownLanguage = "unknown_language"
        /// A key that means nothing at the events of its rule.
        case neverActs = "never_acts"
        case pinWithoutDefer = "pin_without_defer"
        /// A load or an evaluation used half of what it may, or more.
        case nearLimit = "near_limit"
    }

    public let code: Code
    /// Relative to the app's folder.
    public let file: String
    /// From 1.
    public let line: Int
    public let column: Int
    /// One sentence without a full stop.
    public let message: String
    public let hint: String?

    public init(code: Code, file: String, line: Int, column: Int, message: String, hint: String?) {
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
    }
}
