// What one app's scripts may use. The operator sets it, an app's manifest may lower it; CLuaGuard enforces it.

internal import CLuaGuard

public struct ScriptLimits: Sendable, Equatable {
    /// All memory of one machine, in bytes.
    public var memory = 8 << 20
    /// The largest single block, in bytes.
    public var block = 1 << 20
    /// The longest string, in bytes.
    public var string = 256 << 10
    /// One source file, in bytes.
    public var source = 64 << 10
    /// Fuel of a whole load: about one unit an instruction, plus the work of library functions.
    public var loadFuel: Int64 = 5_000_000
    /// Fuel of one evaluation.
    public var callFuel: Int64 = 1_000_000
    /// CPU milliseconds of a whole load: a net under the fuel.
    public var loadMilliseconds = 100 * slowness
    /// CPU milliseconds of one evaluation.
    public var callMilliseconds = 20 * slowness
    /// A value that leaves a script (what `decide` returns, what a host function is given): bytes of its texts and keys.
    public var valueBytes = 64 << 10
    /// Its values, itself and everything inside.
    public var valueNodes = 1_000
    /// Its nesting: `{{}}` is 2.
    public var valueDepth = 16
    /// The same for what files return and rules' tables, all of an app's together.
    public var definitionBytes = 1 << 20
    public var definitionNodes = 50_000
    public var definitionDepth = 16
    public var rules = 1_000
    /// Errors that `pcall` may catch in one evaluation.
    public var caughtErrors = 1_000

    /// How many times as long as usual this build may take: 1, and more where a sanitizer watches it.
    public static let slowness = Int(lg_slowness())

    public init() {}
}
