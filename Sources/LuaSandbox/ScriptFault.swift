// Why a script did not come to its end. Built from CLuaGuard's fault, shown at the edges.
internal import CLuaGuard

public enum FaultCode: String, Sendable, CaseIterable {
    /// The text is not Lua.
    case luaSyntax = "lua_syntax"
    /// The text is Lua, but has something this sandbox does not read: invalid UTF-8, bidi controls, too deep nesting.
    case sourceRefused = "source_refused"
    case sourceTooLarge = "source_too_large"
    /// The script raised an error.
    case ruleRaised = "rule_raised"
    /// A value that may not leave a script, or over its budget.
    case badValue = "bad_value"
    case budgetFuel = "budget_fuel"
    case budgetMemory = "budget_memory"
    case budgetTime = "budget_time"
    /// The machine had been stopped before, or there was no memory to make it.
    case machineDead = "machine_dead"
}

public struct ScriptFault: Error, Sendable, Equatable {
    public let code: FaultCode
    /// The chunk's name as it was given to the machine; "" when no script was running.
    public let file: String
    /// From 1; 0 = not known.
    public let line: Int
    /// From 1; 0 = not known.
    public let column: Int
    /// One line of clean text, without the place, at most 1 KiB.
    public let message: String
    /// The machine is dead: the evaluation ends and the machine is made anew.
    public let isFinal: Bool

    public init(code: FaultCode, file: String, line: Int, column: Int = 0, message: String, isFinal: Bool) {
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.isFinal = isFinal
    }
}

extension ScriptFault {
    /// From C's status and texts, which are copied.
    init(status: CInt, told: lg_fault) {
        let code: FaultCode
        switch Int(status) {
        case LG_SYNTAX: code = .luaSyntax
        case LG_REFUSED: code = .sourceRefused
        case LG_TOO_LARGE: code = .sourceTooLarge
        case LG_RAISED: code = .ruleRaised
        case LG_BAD_VALUE: code = .badValue
        case LG_FUEL: code = .budgetFuel
        case LG_MEMORY: code = .budgetMemory
        case LG_TIME: code = .budgetTime
        case LG_HOST_STOP:
            let all = FaultCode.allCases, place = Int(unsafe told.stop_code)
            code = all.indices.contains(place) ? all[place] : .machineDead
        default: code = .machineDead
        }
        let isFinal = Int(status) >= LG_FUEL
        guard code != .machineDead, let file = unsafe told.file, let message = unsafe told.message else {
            self.init(
                code: code, file: "", line: 0, message: "this machine was stopped before; make a new one", isFinal: true)
            return
        }
        unsafe self.init(
            code: code, file: String(cString: file), line: Int(told.line), column: Int(told.column),
            message: String(cString: message), isFinal: isFinal)
    }
}
