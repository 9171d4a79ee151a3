// What is wrong with state that somebody wrote as JSON, in a state file or in a case. The place is a byte of the text.

public struct StateFault: Error, Sendable, Equatable {
    /// From the root: `recipients["u-1"].badge`.
    public let path: String
    /// Bytes from the start of the text.
    public let offset: Int
    /// One sentence without a full stop; never quotes a stored value.
    public let message: String
    public let hint: String?
    /// The fault is the key of the value that stands at `offset`.
    public var isOfKey = false
}
