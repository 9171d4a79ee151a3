// A global name that a file read while it was loaded and that nothing has: it was nil, which a table then does not hold.

public struct UndefinedName: Sendable, Equatable {
    public let name: String
    public let file: String
    /// From 1.
    public let line: Int
    /// What to do without it, for names that Lua has elsewhere (`print`, `os`).
    public let advice: String?
}
