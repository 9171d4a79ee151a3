// What the tests of this folder share: a machine loaded from one text, a message, and a host that notes its calls.
import JSONDocument
@testable import LuaSandbox

/// Answers `state.get/set`, `log` and some calls that only tests need.
final class TestHost: ScriptHost {
    static let functions = ["state.get", "state.set", "state.app.get", "log", "fail", "stop", "echo"].map(HostFunction.init)
    var log: [String] = []
    var state: [String: String] = [:]
    var stored: [JSONDocument] = []

    func call(_ function: Int, arguments: JSONValue, result: JSONBuilder) -> HostAnswer {
        let first = arguments[0]
        switch TestHost.functions[function].name {
        case "state.get":
            guard let key = first?.text?.string else { return .failure("state.get: the key must be text") }
            guard let text = state[key] else { return .nothing }
            let document = JSONDocument()
            do { try document.read(text) } catch { return .failure("state.get: \(error)") }
            guard let root = document.root else { return .nothing }
            stored.append(document)
            result.copy(root)
            return .value
        case "state.set":
            guard let key = first?.text?.string, key.utf8.count <= 128 else {
                return .failure("state.set: the key must be text of at most 128 bytes")
            }
            var writer = JSONWriter(reserving: 64)
            guard let value = arguments[1] else { return .failure("state.set: '\(key)' needs a value") }
            writer.value(value)
            state[key] = String(decoding: writer.bytes, as: UTF8.self)
            return .nothing
        case "log":
            log.append(first?.text?.string ?? "?")
            return .nothing
        case "fail": return .failure("failed on purpose")
        case "stop": return .stop(.budgetTime)
        case "echo":
            guard let first else { return .nothing }
            result.copy(first)
            return .value
        default: return .nothing
        }
    }
}

/// A machine with one file loaded.
struct Loaded {
    let machine: LuaMachine
    let host = TestHost()
    let message = JSONDocument(), device = JSONDocument(), event = JSONDocument()

    static let schemas = ViewSchemas(
        message: ViewSchema(fields: ["id", "title", "body", "data", "raw", "badge", "list"]),
        device: ViewSchema(fields: ["state", "screen", "badge", "recipient", "screen.tab", "screen.path"]))

    init(
        _ source: String, file: String = "rules.lua", limits: ScriptLimits = ScriptLimits(), modules: [String: String] = [:],
        countingInto counts: LineCounts? = nil
    ) throws {
        machine = try LuaMachine(limits: limits, functions: TestHost.functions, schemas: Loaded.schemas)
        if let counts { machine.countLines(into: counts) }
        for (name, text) in modules.sorted(by: { $0.key < $1.key }) {
            machine.addModule(
                name: name, file: name.split(separator: ".").joined(separator: "/") + ".lua", source: Array(text.utf8))
        }
        _ = try machine.run(file: file, source: Array(source.utf8))
        try machine.seal()
        try device.read(#"{"state":"foreground","screen":{"tab":"chat","path":["list","room-1"]},"badge":2}"#)
        try event.read(#"{"name":"present"}"#)
    }

    /// A machine whose only rule decides with this body; `msg`, `device` and `event` are its parameters.
    init(decide body: String, limits: ScriptLimits = ScriptLimits(), before: String = "") throws {
        try self.init("\(before) rule \"r\" { decide = function(msg, device, event) \(body) end }", limits: limits)
    }

    /// Calls a key of the n-th rule.
    func call(_ key: StaticString = "decide", of rule: Int = 0, expecting: Expected = .table) -> CallOutcome {
        guard let function = machine.declarations[rule].definition[key]?.function else { return .nothing }
        return machine.call(function, expecting: expecting)
    }

    func begin(message text: String = #"{"id":"m-1","data":{"chat_id":"room-1"}}"#, seed: UInt64 = 0) throws {
        try message.read(text)
        guard let device = device.root, let event = event.root else { return }
        machine.begin(message: message.root, device: device, event: event, host: host, seed: seed)
    }

    /// One whole evaluation of the first rule's decide: its value as JSON text, or the fault.
    func decide(message text: String = #"{"id":"m-1","data":{"chat_id":"room-1"}}"#) throws -> Answer {
        try begin(message: text)
        defer { machine.end() }
        switch call() {
        case .value(let value):
            var writer = JSONWriter(reserving: 256)
            writer.value(value)
            return .json(String(decoding: writer.bytes, as: UTF8.self))
        case .failed(let fault): return .fault(fault)
        case .nothing: return .json("nil")
        case .truth(let value): return .json(String(value))
        }
    }
}

enum Answer: Equatable {
    case json(String)
    case fault(ScriptFault)

    var text: String {
        switch self {
        case .json(let text): text
        case .fault(let fault): "\(fault.code.rawValue) \(fault.file):\(fault.line): \(fault.message)"
        }
    }
}
