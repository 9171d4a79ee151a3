// What is wrong with an input without making it unreadable. Lint of messages and warnings at run time are one kind.

public struct Warning: Sendable, Equatable {
    public var code: WarningCode
    /// From the raw input: `message.data["odd key"]`; "" is the whole.
    public var path: String
    /// A sentence that says what is wrong.
    public var message: String
    /// What to do about it.
    public var hint: String?

    private static let longestPath = 512
    private static let longestSentence = 2_048

    public init(code: WarningCode, path: String, message: String, hint: String? = nil) {
        self.code = code
        // Keys and words of others stand in them, and whoever quotes one cuts it; this is the net under that.
        self.path = path.held(to: Warning.longestPath)
        self.message = message.held(to: Warning.longestSentence)
        self.hint = hint?.held(to: Warning.longestSentence)
    }
}
