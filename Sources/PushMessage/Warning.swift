// What is wrong with an input without making it unreadable. Lint of messages and warnings at run time are one kind.

public struct Warning: Sendable, Equatable {
    public var code: WarningCode
    /// From the raw input: `message.data["odd key"]`; "" is the whole.
    public var path: String
    /// A sentence that says what is wrong.
    public var message: String
    /// What to do about it.
    public var hint: String?

    public init(code: WarningCode, path: String, message: String, hint: String? = nil) {
        self.code = code
        self.path = path
        self.message = message
        self.hint = hint
    }
}
