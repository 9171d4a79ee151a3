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
    /// The key of a cap: a text or nil.
    case text
}

public enum CallOutcome {
    case nothing
    case truth(Bool)
    /// Valid until the machine's next `begin`.
    case value(JSONValue)
    case failed(ScriptFault)
}

// SAFETY: the handle is the class's own, and every C function called here neither jumps nor keeps a Swift pointer beyond
// what its comment in CLuaGuard.h says.
@safe public final class LuaMachine {
    private let handle: OpaquePointer
    private let desk: HostDesk
    /// Kept: the machine counts into it.
    private var counts: LineCounts?
    public let limits: ScriptLimits

    /// - Parameters:
    ///   - functions: what scripts can call, by dotted names; answered by the host given to `begin`.
    ///   - values: what scripts can read without calling it; answered as functions are, numbered after them.
    ///   - schemas: the fields that `msg`, `device` and `event` are known to have.
    /// - Throws: `machine_dead` when there is no memory for it.
    public init(
        limits: ScriptLimits, functions: [HostFunction], values: [HostFunction] = [], schemas: ViewSchemas = ViewSchemas()
    ) throws(ScriptFault) {
        desk = HostDesk()
        self.limits = limits
        guard let made = unsafe makeMachine(limits, functions, values, schemas, desk) else {
            throw ScriptFault(
                code: .machineDead, file: "", line: 0, message: "there is no memory for a Lua machine", isFinal: true)
        }
        unsafe handle = made
    }

    deinit { unsafe lg_machine_free(handle) }

    // MARK: loading

    /// A module for `require`: "lib.name" or "shared.name". Compiled when it is first required, or at the end of the load.
    public func addModule(name: String, file: String, source: [UInt8]) {
        // The only failure is no memory; `require` then says that there is no such module.
        _ = unsafe withCharacters(source) { start, count in unsafe lg_machine_add_module(handle, name, file, start, count) }
    }

    /// Runs a file and gives what it returned (nil for nothing), valid as long as the machine. A table with positional
    /// and named entries is an object whose first members are "1", "2", … `file` is the name that faults show.
    public func run(file: String, source: [UInt8]) throws(ScriptFault) -> JSONValue? {
        var value: UnsafePointer<jd_node>?
        let code = unsafe withCharacters(source) { start, count in unsafe lg_machine_run(handle, file, start, count, &value) }
        guard code == LG_OK else { throw fault(code) }
        return unsafe value.map { unsafe JSONValue($0) }
    }

    /// Looks at a text without running it: throws the fault that a load would give.
    public func check(file: String, source: [UInt8]) throws(ScriptFault) {
        let code = unsafe withCharacters(source) { start, count in unsafe lg_machine_check(handle, file, start, count) }
        guard code == LG_OK else { throw fault(code) }
    }

    /// The rules declared so far, in order. A rule whose table was refused is not among them: its load has failed.
    public var declarations: [Declaration] {
        unsafe (0..<lg_machine_declaration_count(handle)).compactMap { index in
            let rule = unsafe lg_machine_declaration(handle, index)
            guard unsafe rule.definition != nil else { return nil }
            let name = unsafe UnsafeRawBufferPointer(start: rule.name, count: Int(rule.name_length))
            return unsafe Declaration(
                name: String(decoding: name, as: UTF8.self), file: String(cString: rule.file), line: Int(rule.line),
                definition: JSONValue(rule.definition))
        }
    }

    /// Names that files have read so far and that nothing has, in the order in which they were read; the first few.
    public var undefinedNames: [UndefinedName] {
        unsafe (0..<lg_machine_missing_count(handle)).map { index in
            let missing = unsafe lg_machine_missing(handle, index)
            return unsafe UndefinedName(
                name: String(cString: missing.name), file: String(cString: missing.file), line: Int(missing.line),
                advice: missing.advice.map { unsafe String(cString: $0) })
        }
    }

    /// What to do without a name that Lua has elsewhere and rules have not; nil for any other.
    public static func advice(for name: String) -> String? { unsafe lg_unavailable(name).map { unsafe String(cString: $0) } }

    /// The names that scripts have without the host's: "rule", "string.format".
    public static let ownNames: [String] = allowed.map(\.name)
    /// By name: why a script may have it, and what bounds it.
    public static let ownReasons = Dictionary(uniqueKeysWithValues: allowed)

    private static let allowed: [(name: String, reason: String)] = {
        var names: [(name: String, reason: String)] = []
        while let entry = unsafe lg_allowed_name(names.count) {
            unsafe names.append((String(cString: entry.pointee.name), String(cString: entry.pointee.reason)))
        }
        return names
    }()

    /// The load is over: `rule` raises, and tables made at load are read-only.
    public func seal() throws(ScriptFault) {
        let code = unsafe lg_machine_seal(handle)
        guard code == LG_OK else { throw fault(code) }
    }

    // MARK: recording

    /// From now on, how often lines run is counted there as well.
    public func countLines(into counts: LineCounts) {
        self.counts = counts
        unsafe lg_machine_count_lines(handle, counts.handle)
    }

    /// Whether the next evaluations keep what their calls do line by line; set before `begin`.
    public var tracesLines = false {
        didSet {
            guard tracesLines != oldValue else { return }
            // Without memory for it there are no lines, and everything else is as ever.
            _ = unsafe lg_machine_trace_lines(handle, tracesLines ? 1 : 0)
        }
    }

    /// What the last call did; nothing unless `tracesLines`.
    public var tracedCall: TracedCall { unsafe TracedCall(of: handle) }

    // MARK: evaluating

    /// Begins an evaluation: fresh fuel, new views. The tapes must stay as they are until `end`. `seed` feeds
    /// `math.random`.
    public func begin(message: JSONValue?, device: JSONValue, event: JSONValue, host: any ScriptHost, seed: UInt64 = 0) {
        desk.host = host
        unsafe lg_machine_begin(handle, message?.pointer, device.pointer, event.pointer, seed)
    }

    /// function(msg, device, event). The number comes from a declaration's definition.
    public func call(_ function: Int64, expecting: Expected) -> CallOutcome {
        var answer: CInt = 0
        var value: UnsafePointer<jd_node>?
        let wanted =
            switch expecting {
            case .truth: LG_EXPECT_TRUTH
            case .table: LG_EXPECT_TABLE
            case .text: LG_EXPECT_TEXT
            }
        let code = unsafe lg_machine_call(handle, function, CInt(wanted), &answer, &value)
        guard code == LG_OK else { return .failed(fault(code)) }
        switch Int(answer) {
        case LG_FALSE: return .truth(false)
        case LG_TRUE: return .truth(true)
        case LG_VALUE: return unsafe value.map { unsafe .value(JSONValue($0)) } ?? .nothing
        default: return .nothing
        }
    }

    /// Ends the evaluation and says what it used. A view that a script has kept raises from now on.
    @discardableResult public func end() -> ScriptUsage {
        unsafe lg_machine_end(handle)
        desk.host = nil
        return usage
    }

    /// What the load, or the last evaluation, has used so far.
    public var usage: ScriptUsage {
        let used = unsafe lg_machine_usage(handle)
        var usage = ScriptUsage()
        usage.fuel = used.fuel
        usage.memoryPeak = used.memory_peak
        let count = unsafe lg_machine_unknown_count(handle)
        for index in 0..<count {
            let noted = unsafe lg_machine_unknown(handle, index)
            let field = unsafe UnsafeRawBufferPointer(start: noted.field, count: Int(noted.field_length))
            usage.unknownFields.append(
                unsafe UnknownField(
                    view: String(cString: noted.view), field: String(decoding: field, as: UTF8.self),
                    file: String(cString: noted.file), line: Int(noted.line)))
        }
        return usage
    }

    /// The same without the unknown fields: it allocates nothing.
    public var spent: ScriptSpending {
        let used = unsafe lg_machine_usage(handle)
        var spent = ScriptSpending()
        spent.fuel = used.fuel
        spent.memoryPeak = used.memory_peak
        return spent
    }

    /// For a host that answers a call: takes fuel for work that does not show in the call's arguments, about ten nanoseconds
    /// a unit. When none is left the evaluation ends with the answer.
    public static func takeFuel(_ units: Int) { lg_take_fuel(UInt64(clamping: units)) }

    /// What an answer that is refused costs beside the call that gave it, which has ended.
    public func chargeForRefusal() { unsafe lg_machine_charge_fault(handle) }

    /// After a final stop: throw it away and make a new one.
    public var isDead: Bool { unsafe lg_machine_state(handle) != LG_OK }

    /// Evaluations have left memory behind in pieces that others cannot use: make a new one before the next.
    public var isWorn: Bool { unsafe lg_machine_is_worn(handle) != 0 }

    /// For tests: on this thread the n-th allocation of Lua's from now and all after it fail; 0 ends that. Whether any has
    /// failed since it was called last.
    @discardableResult static func failAllocations(after count: UInt64) -> Bool { lg_fail_allocations_after(count) != 0 }

    private func fault(_ code: CInt) -> ScriptFault {
        guard let told = unsafe lg_machine_fault(handle) else {
            return ScriptFault(code: .machineDead, file: "", line: 0, message: "", isFinal: true)
        }
        return unsafe ScriptFault(status: code, told: told.pointee)
    }
}

/// The bytes as C takes them. An empty array has no bytes to point at, so a literal stands in.
private func withCharacters(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>, Int) -> CInt) -> CInt {
    unsafe bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return unsafe body("", 0) }
        return unsafe body(start.assumingMemoryBound(to: CChar.self), bytes.count)
    }
}
