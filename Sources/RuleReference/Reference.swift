// The one description of everything that somebody who writes rules can write or meet. The reference in the terminal, the
// annotations for editors, the JSON Schemas and the checks of rules come from it; what the readers of rules know comes
// from them (AuthorVocabulary, StateVocabulary), and tests hold both against each other.

public enum Reference {
    /// In the order of the machine's allow-list, then the engine's, then methods of views.
    public static let functions: [Function] = Array(
        [
            OwnFunctions.basic, LuaLibrary.string, LuaLibrary.table, LuaLibrary.math, LuaLibrary.utf8, LuaLibrary.json, OwnFunctions.words,
            HostFunctions.state, HostFunctions.others, HostFunctions.time, HostFunctions.methods,
        ].joined())

    /// What app.lua returns.
    public static let app = AppTable.table
    public static let rule = RuleTable.table
    public static let decide = DecideTable.table
    /// `msg`, `device` and `event`, in the order in which functions get them.
    public static let views = [MessageTable.table, device, EventTable.table]
    public static let device = DeviceTable.table
    public static let decision = DecisionTable.table
    public static let aCase = CaseTable.table
    public static let stateFile = StateTable.table
    public static let traffic = CaseTable.traffic

    public static let events = EventEntry.all
    public static let guards = GuardEntry.all
    public static let journeys = JourneyEntry.all
    public static let limits = LimitEntry.all
    public static let errors = ErrorEntry.all
    public static let warnings = WarningEntry.all
    public static let findings = FindingEntry.all

    /// The table of a `ValueType.named`.
    public static func table(named name: String) -> Table? {
        switch name {
        case "app": app
        case "rule": rule
        case "decide": decide
        case "show": SmallTables.show
        case "msg": MessageTable.table
        case "device": device
        case "event": EventTable.table
        case "decision": decision
        case "case": aCase
        case "case.state": StateTable.caseTable
        case "state-file": stateFile
        case "traffic": traffic
        default: nil
        }
    }

    public static func function(named name: String) -> Function? { functions.first { $0.name == name } }
}

extension Table {
    /// The table itself and all that its keys may hold, each once, in the order in which they are met.
    public var withInner: [Table] {
        var tables: [Table] = []
        func add(_ table: Table) {
            guard !tables.contains(where: { $0.name == table.name }) else { return }
            tables.append(table)
            for key in table.keys { key.type.forEachTable(add) }
            table.others?.forEachTable(add)
        }
        add(self)
        return tables
    }
}

extension ValueType {
    /// Tables that stand in the type itself, not those that it names.
    func forEachTable(_ body: (Table) -> Void) {
        switch self {
        case .table(let table): body(table)
        case .list(let type), .map(let type, _): type.forEachTable(body)
        case .either(let types): for type in types { type.forEachTable(body) }
        case .function(let parameters, let result):
            for parameter in parameters { parameter.type.forEachTable(body) }
            result.forEachTable(body)
        case .text, .form, .words, .integer, .number, .truth, .only, .anything, .named, .nothing: break
        }
    }
}
