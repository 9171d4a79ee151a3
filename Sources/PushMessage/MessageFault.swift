// Why an input is no message at all. Everything milder is lint.

public struct MessageFault: Error, Sendable, Equatable {
    /// `not_an_object`, or the code with which JSON reading failed (`json_token`, `too_large`, …).
    public var code: String
    public var message: String
    public var hint: String
    /// Bytes from 0: the first one that cannot continue.
    public var offset: Int?
    /// From 1.
    public var line: Int?
    /// From 1, in Unicode scalars.
    public var column: Int?

    public init(code: String, message: String, hint: String, offset: Int? = nil, line: Int? = nil, column: Int? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.offset = offset
        self.line = line
        self.column = column
    }
}
