// Answers what scripts call during one evaluation. Every answer comes from the request: nothing here reads a clock, a
// file or the machine it runs on. Errors become sentences that the sandbox raises at the script's line.
import JSONDocument
import LuaSandbox
import PushMessage

final class RuleHost: ScriptHost {
    private var run: Run?
    private let document = JSONDocument()
    private var writer = JSONWriter(reserving: 256)

    /// What one evaluation gives the scripts; made when a script first asks.
    private struct Run {
        let situation: Situation
        var scratch: StateScratch
        var log = ScriptLog()
        var warnings = ScriptWarnings()
    }
    private var situation: Situation?

    func begin(_ situation: Situation) { self.situation = situation }

    func keepLayer() {
        if run != nil { run?.scratch.keepLayer() }
    }

    func dropLayer() {
        if run != nil { run?.scratch.dropLayer() }
    }

    /// Ends the evaluation: what its rules have written and logged.
    func end(addingTo effects: inout [Effect], log: inout [String], warnings: inout [Warning]) {
        situation = nil
        guard let ended = run else { return }
        run = nil
        ended.scratch.kept.addEffects(to: &effects)
        log = ended.log.lines
        warnings += ended.warnings.list
    }

    func call(_ function: Int, arguments: JSONValue, result: JSONBuilder) -> HostAnswer {
        guard let function = ScriptFunction(rawValue: function), let situation else {
            return .failure("this can only be used while a rule runs")
        }
        let call = Call(function: function, arguments: arguments)
        if run == nil { run = Run(situation: situation, scratch: StateScratch(situation)) }
        do throws(CallFault) {
            return try answer(call, result)
        } catch {
            return .failure("\(function.name): \(error.message)")
        }
    }

    private func answer(_ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        switch call.function {
        case .stateGet: try get(.recipient, call, result)
        case .stateSet: try set(.recipient, call)
        case .stateIncr: try increment(.recipient, call, result)
        case .stateDelete: try delete(.recipient, call)
        case .stateKeys: try keys(.recipient, call, result)
        case .stateHas: try has(.recipient, call, result)
        case .appGet: try get(.app, call, result)
        case .appSet: try set(.app, call)
        case .appIncr: try increment(.app, call, result)
        case .appDelete: try delete(.app, call)
        case .appKeys: try keys(.app, call, result)
        case .appHas: try has(.app, call, result)
        case .settingsGet: try getSwitch(call, result)
        case .settingsSet: try setSwitch(call)
        case .settingsReset: resetSwitches()
        case .log: log(call)
        case .textFill: try TextFunctions.fill(call, result)
        case .textTruncate: try TextFunctions.truncate(call, result)
        case .textPlural, .textTr: try choose(call, result)
        case .bucket: try bucket(call, result)
        case .timeBetween, .timeAdd, .timeParse, .timeStartOf, .timeNow, .timeWall: try time(call, result)
        }
    }

    // MARK: state

    private func get(_ scope: StateScope, _ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        let key = try call.stateKey(scope)
        guard let value = run?.scratch.value(key) else { return .nothing }
        result.copy(try read(value, of: key))
        return .value
    }

    private func has(_ scope: StateScope, _ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        let key = try call.stateKey(scope)
        result.bool(run?.scratch.value(key) != nil)
        return .value
    }

    private func set(_ scope: StateScope, _ call: Call) throws(CallFault) -> HostAnswer {
        let key = try call.stateKey(scope)
        guard let value = call.argument(1), !value.isNull else {
            throw CallFault("the value of \"\(key.key)\" is nil; use \(scope.tableName).delete")
        }
        if let old = run?.scratch.value(key) {
            let (before, after) = (ValueType(try read(old, of: key)), ValueType(value))
            guard before.agrees(with: after) else {
                throw CallFault(
                    "\"\(key.key)\" holds \(before.name), not \(after.name); delete it before it changes its type")
            }
        }
        try write(value, expiresAt: try expiry(of: call), to: key)
        return .nothing
    }

    private func increment(_ scope: StateScope, _ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        let key = try call.stateKey(scope)
        let step = try call.integer(1, "n") ?? 1
        let old = run?.scratch.value(key)
        var number: Int64 = 0
        if let old {
            let value = try read(old, of: key)
            guard let integer = value.integer else {
                throw CallFault("\"\(key.key)\" holds \(ValueType(value).name), not a whole number")
            }
            number = integer
        }
        let (sum, overflow) = number.addingReportingOverflow(step)
        guard !overflow else { throw CallFault("\"\(key.key)\" would become too large") }
        result.integer(sum)
        guard let value = result.finish() else { throw CallFault("there is no memory") }
        try write(value, expiresAt: old?.expiresAt, to: key)
        return .value
    }

    private func delete(_ scope: StateScope, _ call: Call) throws(CallFault) -> HostAnswer {
        run?.scratch.delete(try call.stateKey(scope))
        return .nothing
    }

    private func keys(_ scope: StateScope, _ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        let prefix = try call.optionalText(0, "prefix")?.string ?? ""
        // All of them are looked at, however few have the prefix.
        LuaMachine.takeFuel(20 * (run?.scratch.countOfKeys(scope) ?? 0))
        result.open(.array)
        for key in run?.scratch.keys(scope, prefix: prefix) ?? [] { result.string(key) }
        result.close()
        return .value
    }

    /// The value is void after the next one is read.
    private func read(_ value: StoredValue, of key: StateKey) throws(CallFault) -> JSONValue {
        LuaMachine.takeFuel(value.json.count / 4)
        do throws(JSONFault) {
            try document.read(value.json, limit: StateQuota.app)
        } catch {
            throw CallFault("what is stored as \"\(key.key)\" cannot be read: \(error.message)")
        }
        guard let root = document.root else { throw CallFault("what is stored as \"\(key.key)\" is empty") }
        return root
    }

    private func write(_ value: JSONValue, expiresAt: Instant?, to key: StateKey) throws(CallFault) {
        // Kept, counted and written out later.
        LuaMachine.takeFuel(100)
        writer.reset()
        writer.value(value)
        let stored = StoredValue(json: writer.bytes, expiresAt: expiresAt)
        let quota = StateQuota.bytes(key.scope)
        // Where there may be too many keys they are counted one by one.
        if let count = run?.scratch.countOfKeys(key.scope), count >= StateQuota.keys(key.scope) { LuaMachine.takeFuel(20 * count) }
        switch run?.scratch.set(stored, to: key, quota: quota) {
        case nil: return
        case .bytes(let total):
            throw CallFault("with \"\(key.key)\" \(key.scope.ownerName) would hold \(total) bytes; at most \(quota) are kept")
        case .keys:
            throw CallFault(
                "\"\(key.key)\" would be one more than the \(StateQuota.keys(key.scope)) keys that are kept for \(key.scope.ownerName)")
        }
    }

    private func expiry(of call: Call) throws(CallFault) -> Instant? {
        guard let options = call.argument(2), !options.isNull else { return nil }
        if options.isArray && options.count == 0 { return nil }
        guard options.isObject else { throw CallFault("the third argument must be a table such as { ttl = \"1h\" }") }
        var expiry: Instant?
        for option in options.children {
            guard option.key == "ttl" else { throw CallFault("there is no option \"\(option.key.string)\"; there is ttl") }
            let milliseconds = option.text.flatMap(TimeShape.duration) ?? option.integer.flatMap(StateQuota.milliseconds)
            guard let milliseconds, milliseconds > 0, let now = run?.situation.request.now else {
                throw CallFault("ttl must be seconds or a text such as \"1h30m\"")
            }
            expiry = Instant(milliseconds: now.milliseconds &+ milliseconds)
        }
        return expiry
    }

    // MARK: switches

    private func getSwitch(_ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        let code = try call.text(0, "code")
        guard let run else { return .nothing }
        // The device's switches are looked through one by one.
        LuaMachine.takeFuel((run.situation.request.device.channels?.count ?? 0) / 2)
        let position = ChannelSwitch(code: code, stored: run.scratch.channel(code.string), in: run.situation)
        result.bool(position == .on)
        return .value
    }

    private func setSwitch(_ call: Call) throws(CallFault) -> HostAnswer {
        let code = try call.text(0, "code")
        guard (1...StateQuota.key).contains(code.count) else {
            throw CallFault("a channel code has 1 to \(StateQuota.key) bytes")
        }
        guard let isOn = call.argument(1)?.bool else { throw CallFault("the second argument must be true or false") }
        guard run?.scratch.setChannel(code.string, on: isOn) ?? true else {
            throw CallFault("\"\(code.string.prefix(40))\" would be one more than the \(StateQuota.channels) switches that are kept")
        }
        return .nothing
    }

    private func resetSwitches() -> HostAnswer {
        run?.scratch.resetChannels()
        return .nothing
    }

    // MARK: the rest

    private func log(_ call: Call) -> HostAnswer {
        guard run?.situation.isTraced == true else { return .nothing }
        writer.reset()
        if let value = call.argument(0), value.text == nil { writer.value(value) }
        run?.log.add(call.argument(0)?.text?.string ?? String(decoding: writer.bytes, as: UTF8.self))
        return .nothing
    }

    private func time(_ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        guard let situation = run?.situation else { return .nothing }
        let functions = TimeFunctions(now: situation.request.now, zone: situation.zone)
        switch call.function {
        case .timeBetween: try functions.between(call, result)
        case .timeAdd: try functions.add(call, result)
        case .timeParse: return try functions.parse(call, result) ? .value : .nothing
        case .timeStartOf: try functions.startOf(call, result)
        case .timeNow: functions.now(result)
        case .timeWall: functions.wall(result)
        default: return .nothing
        }
        return .value
    }

    private func choose(_ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        guard var run else { return .nothing }
        let functions = LanguageFunctions(run.situation)
        if call.function == .textTr {
            try functions.tr(call, result, &run.warnings)
        } else {
            try functions.plural(call, result, &run.warnings)
        }
        self.run?.warnings = run.warnings
        return .value
    }

    private func bucket(_ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        let salt = try call.text(0, "salt")
        guard let situation = run?.situation else { return .nothing }
        let app = situation.plan.ruleset.app
        result.integer(Bucket.of(app: app, salt: salt.string, recipient: situation.recipient))
        return .value
    }
}

/// What `log` wrote, held to a size.
struct ScriptLog {
    static let limit = 4096
    private(set) var lines: [String] = []
    private var bytes = 0

    mutating func add(_ line: String) {
        guard bytes < ScriptLog.limit else { return }
        bytes += line.utf8.count
        lines.append(bytes <= ScriptLog.limit ? line : "(the log is full: \(ScriptLog.limit) bytes a decision)")
    }
}

/// How much an app may remember, in bytes of keys and JSON text.
enum StateQuota {
    static let key = 128
    static let recipient = 64 << 10
    static let app = 1 << 20
    /// Switches of channels that rules may set for one recipient, beside those that are stored.
    static let channels = 256

    static func bytes(_ scope: StateScope) -> Int { scope == .app ? app : recipient }
    /// What is remembered goes along with each message of an app whose rules run in another process.
    static func keys(_ scope: StateScope) -> Int { scope == .app ? 4_096 : 1_024 }

    /// nil below 0 and beyond ten years.
    static func milliseconds(ofSeconds seconds: Int64) -> Int64? {
        (0...TimeShape.longestDuration / 1000).contains(seconds) ? seconds * 1000 : nil
    }
}

extension StateScope {
    /// As scripts write it.
    var tableName: String { self == .app ? "state.app" : "state" }
    var ownerName: String { self == .app ? "the app" : "the recipient" }
}
