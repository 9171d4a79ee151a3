// The sentences of ContributionReader. Made only when something is wrong, so nothing here needs to be quick.
import JSONDocument
import PushMessage

/// Where the reader is. Costs nothing to make: the path is put together when a fault needs it.
struct Spot {
    private let field: StaticString
    private let place: Int
    private let member: StaticString?
    private let memberPlace: Int

    init(_ field: StaticString) { self.init(field, 0, nil, 0) }
    init(_ field: StaticString, _ place: Int) { self.init(field, place, nil, 0) }
    init(_ field: StaticString, _ member: StaticString) { self.init(field, 0, member, 0) }
    init(_ field: StaticString, _ place: Int, _ member: StaticString) { self.init(field, place, member, 0) }
    init(_ field: StaticString, _ member: StaticString, _ place: Int) { self.init(field, 0, member, place) }

    private init(_ field: StaticString, _ place: Int, _ member: StaticString?, _ memberPlace: Int) {
        self.field = field
        self.place = place
        self.member = member
        self.memberPlace = memberPlace
    }

    var path: [PathStep] {
        var path: [PathStep] = [.key("\(field)")]
        if place > 0 { path.append(.place(place)) }
        if let member { path.append(.key("\(member)")) }
        if memberPlace > 0 { path.append(.place(memberPlace)) }
        return path
    }

    var text: String { path.written }

    func fault(_ kind: ContributionFault.Kind, _ message: String, hint: String? = nil) -> ContributionFault {
        ContributionFault(kind: kind, path: path, message: message, hint: hint)
    }

    /// - Parameter sentence: makes the message from how the value is to be shown. A hint never shows the value.
    func fault(
        _ kind: ContributionFault.Kind, about value: JSONValue, hint: String? = nil, _ sentence: (String) -> String
    ) -> ContributionFault {
        ContributionFault(
            kind: kind, path: path, message: sentence(describe(value)), hint: hint, discreet: sentence(describeKind(value)))
    }

    func wrongType(_ value: JSONValue, _ wanted: String, hint: String? = nil) -> ContributionFault {
        fault(.wrongType, about: value, hint: hint) { "`\(text)` must be \(wanted), but it is \($0)" }
    }

    /// A word that is a slip of a known one is no secret and always shown.
    func unknownWord(_ value: JSONValue, _ noun: String, among words: [String]) -> ContributionFault {
        if let near = DidYouMean.nearest(to: value.text?.string ?? "", among: words) {
            return fault(.badValue, "`\(text)` = \(describe(value)) is not \(noun)", hint: "did you mean \"\(near)\"?")
        }
        let list = words.map { "\"\($0)\"" }.joined(separator: ", ")
        return fault(.badValue, about: value, hint: "one of \(list)") { "`\(text)` = \($0) is not \(noun)" }
    }

    func unknownKey(_ key: JSONText, among keys: [String]) -> ContributionFault {
        let hint = DidYouMean.nearest(to: key.string, among: keys).map { "did you mean `\($0)`?" }
        return ContributionFault(
            kind: .unknownField, path: path + [.key(key.string)], message: "`\(text)` has no key `\(key.string)`",
            hint: hint ?? "it can have " + keys.map { "`\($0)`" }.joined(separator: ", "))
    }
}

extension [PathStep] {
    /// `display[2]`, `labels["odd name"]`.
    var written: String {
        var text = ""
        for step in self {
            switch step {
            case .place(let place): text += "[\(place)]"
            case .key(let key) where key.isLuaName: text += text.isEmpty ? key : "." + key
            case .key(let key): text += "[\"\(key)\"]"
            }
        }
        return text
    }
}

extension String {
    /// Can be written without quotes as a key of a Lua table.
    var isLuaName: Bool {
        guard let first = utf8.first, !(48...57).contains(first) else { return false }
        return utf8.allSatisfy {
            (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_")
        }
    }
}

extension ContributionFault {
    static func notATable(_ value: JSONValue) -> ContributionFault {
        let hint: String? =
            value.text != nil
            ? "write suppress(\"…\") or { display = \"suppress\" }"
            : value.isArray ? "fields need names, such as { display = { \"banner\" } }" : nil
        let sentence = { (shown: String) in "`decide` must give a table of fields, but it is \(shown)" }
        return ContributionFault(
            kind: .wrongType, path: [], message: sentence(describe(value)), hint: hint,
            discreet: sentence(describeKind(value)))
    }

    static func unknownField(_ name: String) -> ContributionFault {
        let names = ContributionFields.named.map { "\($0.name)" }
        let hint = DidYouMean.nearest(to: name, among: names).map { "did you mean `\($0)`?" }
        return ContributionFault(
            kind: .unknownField, path: [.key(name)], message: "`\(name)` is not a field of `decide`", hint: hint)
    }

    static func wrongLabel(_ label: JSONValue) -> ContributionFault {
        let path: [PathStep] = [.key("labels"), .key(label.key.string)]
        let sentence = { (shown: String) in "`\(path.written)` must be text, but it is \(shown)" }
        return ContributionFault(
            kind: .wrongType, path: path, message: sentence(describe(label)),
            hint: label.integer == nil ? nil : "put the number in quotes", discreet: sentence(describeKind(label)))
    }
}

/// A value as an author would name it: `"baner"`, `5`, `a list`. Long texts are cut.
func describe(_ value: JSONValue) -> String {
    switch value.kind {
    case .null: "nil"
    case .false: "false"
    case .true: "true"
    case .integer: value.integer.map { "\($0)" } ?? "a number"
    case .decimal: value.double.map { "\($0)" } ?? "a number"
    case .string:
        if let text = value.text?.string {
            text.count <= 40 ? "\"\(text)\"" : "\"\(text.prefix(40))…\""
        } else {
            "text"
        }
    case .array: value.count == 0 ? "an empty table" : "a list"
    case .object: "a table"
    case .function: "a function"
    }
}

/// The same without what texts say, which may be a person's: for sentences that leave the machine of whoever wrote the rule.
func describeKind(_ value: JSONValue) -> String {
    switch value.kind {
    case .string: "(text)"
    case .null, .false, .true, .integer, .decimal, .array, .object, .function: describe(value)
    }
}
