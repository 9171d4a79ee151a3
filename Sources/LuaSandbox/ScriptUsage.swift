// What an evaluation (or a load) has used, and the unknown fields its scripts have read.

public struct ScriptUsage: Sendable, Equatable {
    /// The same for the same scripts and input on every machine.
    public var fuel: Int64 = 0
    /// Most bytes the machine held at one time.
    public var memoryPeak = 0
    public var unknownFields: [UnknownField] = []

    public init() {}
}

/// What an evaluation has used at one moment of it.
public struct ScriptSpending: Sendable {
    public var fuel: Int64 = 0
    /// Most bytes the machine held at one time so far.
    public var memoryPeak = 0

    public init() {}
}

public struct UnknownField: Sendable, Equatable {
    /// "msg", "device" or "event".
    public let view: String
    /// Below the top with its table: "screen.tabb".
    public let field: String
    public let file: String
    public let line: Int
}
