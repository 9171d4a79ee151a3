// Collects what is wrong with one table that an author wrote, app.lua's or a rule's, so that all of it is told at
// once; and the checks of types that both tables share. Each check gives nil after it has told the fault.
import JSONDocument
import PushMessage

struct AuthorFaults {
    enum Table {
        case manifest
        case rule(name: String, line: Int)
    }

    let file: String
    let table: Table
    private(set) var faults: [RuleFault] = []
    let text: SourceText

    init(file: String, text: SourceText, table: Table) {
        self.file = file
        self.text = text
        self.table = table
    }

    mutating func tell(_ code: RuleFault.Code, at path: [PathStep], _ message: String, hint: String? = nil) {
        // Without room it is one of so many that the app does not load anyway.
        guard text.room.take() else { return }
        let place =
            switch table {
            case .manifest: text.place(notBefore: 1) { $0.place(ofManifest: path) }
            case .rule(let name, let line):
                text.place(notBefore: line) { $0.place(of: path, inRule: name, declaredOn: line) }
            }
        faults.append(
            RuleFault(code: code, file: file, line: place.line, column: place.column, message: message, hint: hint))
    }

    mutating func wrongType(_ value: JSONValue, at path: [PathStep], wanted: String, hint: String? = nil) {
        tell(.wrongType, at: path, "`\(path.written)` must be \(wanted), but it is \(describe(value))", hint: hint)
    }

    mutating func unknownKey(_ key: String, in owner: String, at path: [PathStep], known: [String]) {
        let hint =
            text.room.nearest(to: key, among: known).map { "did you mean `\($0)`?" }
            ?? "it can have " + known.map { "`\($0)`" }.joined(separator: ", ")
        tell(.unknownKey, at: path + [.key(key)], "\(owner) has no key `\(key)`", hint: hint)
    }

    mutating func unknownWord(_ word: String, at path: [PathStep], noun: String, known: [String], code: RuleFault.Code = .badValue) {
        let hint =
            text.room.nearest(to: word, among: known).map { "did you mean \"\($0)\"?" }
            ?? "one of " + known.map { "\"\($0)\"" }.joined(separator: ", ")
        tell(code, at: path, "`\(path.written)` = \"\(word)\" is not \(noun)", hint: hint)
    }

    mutating func text(_ value: JSONValue, at path: [PathStep]) -> String? {
        guard let text = value.text else {
            wrongType(value, at: path, wanted: "text", hint: quotesHint(value))
            return nil
        }
        return text.string
    }

    mutating func truth(_ value: JSONValue, at path: [PathStep]) -> Bool? {
        guard let truth = value.bool else {
            let word = value.text?.string
            let hint = word == "true" || word == "false" ? "leave out the quotes" : nil
            wrongType(value, at: path, wanted: "true or false", hint: hint)
            return nil
        }
        return truth
    }

    mutating func positiveInteger(_ value: JSONValue, at path: [PathStep]) -> Int? {
        guard let number = value.integer else {
            wrongType(value, at: path, wanted: "a whole number")
            return nil
        }
        guard number > 0 else {
            tell(.badValue, at: path, "`\(path.written)` is \(number), but it must be above 0")
            return nil
        }
        return Int(number)
    }

    /// A list of texts; with `orOne` a single text stands for a list of one.
    mutating func texts(_ value: JSONValue, at path: [PathStep], orOne: Bool = false) -> [String]? {
        if orOne, let text = value.text { return [text.string] }
        guard value.isArray else {
            let hint = value.text.map { "write { \"\($0.string)\" }" } ?? quotesHint(value)
            wrongType(value, at: path, wanted: orOne ? "text or a list of texts" : "a list of texts", hint: hint)
            return nil
        }
        var texts: [String] = []
        var place = 0
        for element in value.children {
            place += 1
            if let text = text(element, at: path + [.place(place)]) { texts.append(text) }
        }
        return texts.count == value.count ? texts : nil
    }

    /// The members of a table with names; none for an empty table.
    mutating func members(_ value: JSONValue, at path: [PathStep], wanted: String) -> [JSONValue]? {
        if value.isObject { return Array(value.children) }
        if value.isArray && value.count == 0 { return [] }
        wrongType(value, at: path, wanted: wanted)
        return nil
    }

    mutating func tell(_ fault: ContributionFault, at path: [PathStep]) {
        let code: RuleFault.Code =
            switch fault.kind {
            case .unknownField: .unknownKey
            case .wrongType: .wrongType
            case .badValue: .badValue
            }
        tell(code, at: path + fault.path, fault.message, hint: fault.hint)
    }

    private func quotesHint(_ value: JSONValue) -> String? {
        value.integer.map { "write \"\($0)\" in quotes" }
    }
}
