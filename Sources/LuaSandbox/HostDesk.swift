// Where calls from C arrive: the one Swift function that Lua's side calls, with plain arguments and a status as answer.
// Nothing in here can raise or be jumped over; C raises after this has returned.
internal import CLuaGuard
internal import JSONDocument

/// Lives as long as its machine; holds the host of the evaluation under way.
final class HostDesk {
    var host: (any ScriptHost)?
    private let result = JSONBuilder()

    func answer(
        _ function: Int, _ arguments: UnsafePointer<jd_node>, _ value: UnsafeMutablePointer<UnsafePointer<jd_node>?>,
        _ stop: UnsafeMutablePointer<Int32>
    ) -> CInt {
        guard let host else { return CInt(LG_ANSWER_NOTHING) }
        result.reset()
        switch host.call(function, arguments: unsafe JSONValue(arguments), result: result) {
        case .value:
            unsafe value.pointee = unsafe result.finish()?.pointer
            return CInt(LG_ANSWER_VALUE)
        case .nothing:
            return CInt(LG_ANSWER_NOTHING)
        case .failure(let message):
            result.reset()
            result.string(message)
            unsafe value.pointee = unsafe result.finish()?.pointer
            return CInt(LG_ANSWER_FAILURE)
        case .stop(let code):
            unsafe stop.pointee = Int32(FaultCode.allCases.firstIndex(of: code) ?? 0)
            return CInt(LG_ANSWER_STOP)
        }
    }
}

/// What C calls. The context is the machine's desk, which outlives the machine.
private let callback: lg_host_call = { context, function, arguments, value, stop in
    guard let context = unsafe context, let arguments = unsafe arguments, let value = unsafe value, let stop = unsafe stop else {
        return CInt(LG_ANSWER_NOTHING)
    }
    let desk = unsafe Unmanaged<HostDesk>.fromOpaque(context).takeUnretainedValue()
    return unsafe desk.answer(Int(function), arguments, value, stop)
}

/// Makes the C machine; nil when there is no memory for it. C copies everything it is given here.
func makeMachine(
    _ limits: ScriptLimits, _ functions: [HostFunction], _ values: [HostFunction], _ schemas: ViewSchemas, _ desk: HostDesk
) -> OpaquePointer? {
    let names = CStrings((functions + values).map(\.name))
    let message = CStrings(schemas.message.fields), device = CStrings(schemas.device.fields)
    let event = CStrings(schemas.event.fields)
    defer { for list in [names, message, device, event] { list.free() } }
    var setup = unsafe lg_setup()
    unsafe setup.limits = lg_limits(limits)
    unsafe setup.functions = unsafe names.pointer
    unsafe setup.function_count = names.count
    unsafe setup.value_count = values.count
    unsafe setup.message = unsafe message.schema
    unsafe setup.device = unsafe device.schema
    unsafe setup.event = unsafe event.schema
    unsafe setup.call = callback
    unsafe setup.context = unsafe Unmanaged.passUnretained(desk).toOpaque()
    return unsafe lg_machine_new(&setup)
}

/// A list of C strings for the length of one call.
@safe private struct CStrings {
    // SAFETY: allocated here, freed by `free`, never changed in between.
    private let start: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    let count: Int

    init(_ words: [String]?) {
        guard let words else {
            unsafe start = nil
            count = 0
            return
        }
        count = words.count
        unsafe start = .allocate(capacity: words.count + 1)
        for (index, word) in words.enumerated() {
            let bytes = Array(word.utf8CString)
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            unsafe copy.initialize(from: bytes, count: bytes.count)
            unsafe start?[index] = unsafe UnsafePointer(copy)
        }
    }

    var pointer: UnsafePointer<UnsafePointer<CChar>?>? { unsafe UnsafePointer(start) }
    var schema: lg_schema { unsafe lg_schema(fields: pointer, count: count) }

    func free() {
        for index in 0..<count { unsafe start?[index]?.deallocate() }
        unsafe start?.deallocate()
    }
}

extension lg_limits {
    fileprivate init(_ limits: ScriptLimits) {
        self.init()
        memory_bytes = limits.memory
        block_bytes = limits.block
        string_bytes = limits.string
        source_bytes = limits.source
        load_fuel = limits.loadFuel
        call_fuel = limits.callFuel
        load_nanoseconds = UInt64(clamping: limits.loadMilliseconds) &* 1_000_000
        call_nanoseconds = UInt64(clamping: limits.callMilliseconds) &* 1_000_000
        value_bytes = UInt32(clamping: limits.valueBytes)
        value_nodes = UInt32(clamping: limits.valueNodes)
        value_depth = UInt32(clamping: limits.valueDepth)
        definition_bytes = UInt32(clamping: limits.definitionBytes)
        definition_nodes = UInt32(clamping: limits.definitionNodes)
        definition_depth = UInt32(clamping: limits.definitionDepth)
        rules = UInt32(clamping: limits.rules)
        caught_errors = UInt32(clamping: limits.caughtErrors)
    }
}
