// One call of a script: its arguments, with sentences for those that are wrong.
import JSONDocument

struct CallFault: Error {
    let message: String
    init(_ message: String) { self.message = message }
}

struct Call {
    let function: ScriptFunction
    let arguments: JSONValue

    /// From 0; nil when it is not there. nil in the script reads as null.
    func argument(_ place: Int) -> JSONValue? { arguments[place] }

    func text(_ place: Int, _ name: String) throws(CallFault) -> JSONText {
        guard let text = argument(place)?.text else { throw CallFault("\(name) must be a text") }
        return text
    }

    func optionalText(_ place: Int, _ name: String) throws(CallFault) -> JSONText? {
        guard let value = argument(place), !value.isNull else { return nil }
        return try text(place, name)
    }

    func integer(_ place: Int, _ name: String) throws(CallFault) -> Int64? {
        guard let value = argument(place), !value.isNull else { return nil }
        if let integer = value.integer { return integer }
        if let number = value.double, let integer = Int64(exactly: number) { return integer }
        throw CallFault("\(name) must be a whole number")
    }

    func stateKey(_ scope: StateScope) throws(CallFault) -> StateKey {
        guard let key = argument(0)?.text else { throw CallFault("a key must be a text") }
        guard (1...StateQuota.key).contains(key.count) else {
            throw CallFault("the key \"\(key.string.prefix(40))\" has \(key.count) bytes; 1 to \(StateQuota.key) are allowed")
        }
        return StateKey(scope: scope, key: key.string)
    }
}

/// The types that a stored value keeps until it is deleted.
enum ValueType: Equatable {
    case text, number, truth, list, table
    /// An empty table is a list and an object.
    case emptyTable
    case nothing

    init(_ value: JSONValue) {
        switch value.kind {
        case .string: self = .text
        case .integer, .decimal: self = .number
        case .true, .false: self = .truth
        case .array: self = value.count == 0 ? .emptyTable : .list
        case .object: self = value.count == 0 ? .emptyTable : .table
        case .null, .function: self = .nothing
        }
    }

    func agrees(with other: ValueType) -> Bool {
        switch (self, other) {
        case (.emptyTable, .list), (.emptyTable, .table), (.list, .emptyTable), (.table, .emptyTable): true
        default: self == other
        }
    }

    /// With its article, for sentences.
    var name: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .truth: "true or false"
        case .list: "a list"
        case .table: "a table"
        case .emptyTable: "an empty table"
        case .nothing: "nothing"
        }
    }
}
