// One Lua machine: the single owner of its C handle, freed with it. The engine makes one per app, loads the app's files
// once and calls their functions for every message. It belongs to one thread at a time; nothing in here is async.
internal import CLuaGuard
public import JSONDocument

/// What a call is asked for.
public enum Expected: Sendable {
    /// `when`: everything but nil and false is true.
    case truth
    /// `decide`: a table or nil.
    case table
}

public enum CallOutcome {
    case nothing
    case truth(Bool)
    /// Valid until the machine's next `begin`.
    case value(JSONValue)
    case failed(ScriptFault)
}

public final class LuaMachine {
    public init(limits: ScriptLimits, functions: [HostFunction], schemas: ViewSchemas = ViewSchemas()) throws(ScriptFault) {
    }

    /// A module for `require`: "lib.name" or "shared.name". Compiled when it is first required.
    public func addModule(name: String, file: String, source: [UInt8]) {}

    /// Runs a file and gives what it returned (nil for nothing), valid as long as the machine. `file` is the name that
    /// faults and traces show.
    public func run(file: String, source: [UInt8]) throws(ScriptFault) -> JSONValue? { nil }

    /// The rules declared so far, in order.
    public var declarations: [Declaration] { [] }

    /// The load is over: `rule` raises, and tables made at load are read-only.
    public func seal() throws(ScriptFault) {}

    /// Begins an evaluation: fresh fuel, new views. The tapes must stay as they are until `end`. `seed` feeds
    /// `math.random`.
    public func begin(message: JSONValue?, device: JSONValue, event: JSONValue, host: any ScriptHost, seed: UInt64 = 0) {}

    /// function(msg, device, event).
    public func call(_ function: Int64, expecting: Expected) -> CallOutcome { .nothing }

    /// Ends the evaluation and says what it used.
    @discardableResult public func end() -> ScriptUsage { ScriptUsage() }

    /// After a final stop: throw it away and make a new one.
    public var isDead: Bool { false }
}
