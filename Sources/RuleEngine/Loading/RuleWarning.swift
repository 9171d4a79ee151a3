// What is probably not meant in rules that load all the same: a name that app.lua does not list, a key that never acts.
// Found by RuleRemarks while an app is loaded, and by whoever runs its cases; shown beside the answer.

public struct RuleWarning: Sendable, Equatable {
    /// Relative to the app's folder.
    public let file: String
    /// From 1.
    public let line: Int
    public let column: Int
    /// One sentence without a full stop.
    public let message: String
    public let hint: String?

    public init(file: String, line: Int, column: Int, message: String, hint: String?) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
    }
}
