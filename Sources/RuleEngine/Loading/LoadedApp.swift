// What loading gives: the rules of an app together with the one machine whose functions they refer to.
public import LuaSandbox

/// Belongs to one thread at a time, as its machine does. A machine that died is replaced by loading the same files again.
public struct LoadedApp {
    public let ruleset: Ruleset
    /// What is probably not meant, in reading order.
    public let warnings: [RuleWarning]
    let machine: LuaMachine
    /// Where its machines count the lines that run; nil: nobody asks.
    var counts: LineCounts? = nil
    /// What it was loaded with, to load it again.
    let limits: LoadLimits
    /// JSON text of what app.lua returned; empty unless it was asked for.
    let manifest: [UInt8]
}

public enum LoadOutcome {
    case loaded(LoadedApp)
    /// At least one, in reading order.
    case failed([RuleFault])
}

/// What one app's folder may hold.
public struct LoadLimits: Sendable, Equatable {
    public var files = 256
    /// All sources together.
    public var bytes = 1 << 20
    public var rules = 1_000
    /// One source file is limited by `script.source`.
    public var script = ScriptLimits()

    /// Of one source file.
    public var fileBytes: Int { script.source }

    public init() {}
}
