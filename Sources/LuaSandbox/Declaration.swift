// What a file declared with `rule "name" {…}`, as the loader finds it after the file has run.
public import JSONDocument

public struct Declaration: Sendable {
    public let name: String
    /// The chunk's name as it was given to the machine.
    public let file: String
    /// Line of the `rule "…"` call, from 1.
    public let line: Int
    /// The rule's table; lives as long as the machine. Functions are `JSONKind.function`. A table with both positional
    /// and named entries (`quiet = {"21:00", "08:00", otherwise = "defer"}`) is an object whose first members are
    /// "1", "2", …
    public let definition: JSONValue
}
