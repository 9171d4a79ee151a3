// Values that the host gives: read like a field, asked for at each reading, closed to scripts.
import JSONDocument
import Testing

@testable import LuaSandbox

/// Answers `clock.set(n)` and the values `clock.now`, `clock.wall` and `deep.er.value`.
private final class ClockHost: ScriptHost {
    static let functions = [HostFunction("clock.add")]
    static let values = ["clock.now", "clock.wall", "deep.er.value", "clock.broken"].map(HostFunction.init)
    var readings: Int64 = 0

    func call(_ function: Int, arguments: JSONValue, result: JSONBuilder) -> HostAnswer {
        switch function {
        case 0: result.integer((arguments[0]?.integer ?? 0) + 1)
        case 1:
            readings += 1
            result.integer(readings)
        case 2:
            result.open(.object)
            result.key("hour" as StaticString)
            result.integer(Int64(7))
            result.close()
        case 3: result.string("deep" as StaticString)
        default: return .failure("it is broken")
        }
        return .value
    }
}

@Suite struct HostValueTests {
    private func answer(_ expression: String) throws -> String {
        let machine = try LuaMachine(limits: ScriptLimits(), functions: ClockHost.functions, values: ClockHost.values)
        let source = "rule 'R' { on = 'present', decide = function() return { v = tostring(\(expression)) } end }"
        _ = try machine.run(file: "rules.lua", source: Array(source.utf8))
        try machine.seal()
        let device = JSONDocument()
        try device.read("{}")
        let root = try #require(device.root)
        let function = try #require(machine.declarations.first?.definition["decide"]?.function)
        machine.begin(message: nil, device: root, event: root, host: ClockHost())
        defer { machine.end() }
        switch machine.call(function, expecting: .table) {
        case .value(let value): return value["v"]?.text?.string ?? "?"
        case .failed(let fault): return "\(fault.file):\(fault.line): \(fault.message)"
        case .nothing, .truth: return "nothing"
        }
    }

    @Test(
        "A value is read without a call, anew each time, beside the functions of its table",
        arguments: [
            ("clock.now", "1"), ("clock.now + clock.now", "3"), ("clock.wall.hour", "7"), ("clock.add(41)", "42"),
            ("deep.er.value", "deep"), ("clock.noww", "nil"), ("clock[1]", "nil"), ("type(clock)", "table"),
        ])
    func reading(expression: String, expected: String) throws {
        #expect(try answer(expression) == expected)
    }

    @Test("A fault of a value carries the place of the script, and can be caught")
    func faults() throws {
        #expect(try answer("clock.broken") == "rules.lua:1: it is broken")
        #expect(try answer("pcall(function() return clock.broken end)") == "false")
    }

    @Test("Values cannot be set", arguments: ["clock.now", "clock.wall", "deep.er.value", "deep.er"])
    func writing(name: String) throws {
        #expect(try answer("(function() \(name) = 1 end)()").contains("read-only"))
    }

    @Test("Outside of an evaluation there are none")
    func loading() throws {
        let machine = try LuaMachine(limits: ScriptLimits(), functions: ClockHost.functions, values: ClockHost.values)
        let fault = #expect(throws: ScriptFault.self) {
            try machine.run(file: "rules.lua", source: Array("local now = clock.now".utf8))
        }
        #expect(fault?.line == 1)
        #expect(fault?.message.contains("clock.now works only while a message is decided") == true)
    }
}
