// A file of cases held against the description that its JSON Schema comes from too: keys that nobody reads, values of
// another type, words that are none. The reader of cases stops at what keeps a case from running; this goes on.
import JSONDocument
import PushMessage
import RuleEngine
import RuleReference
import RuleStore

struct CaseShape {
    struct Fault {
        let place: TextPlace
        let message: String
        let hint: String?
    }

    private(set) var faults: [Fault] = []
    private let source: [UInt8]
    /// What one file is told at most.
    private static let most = 100

    static func faults(in file: SourceFile) -> [Fault] {
        withCases(of: file) { cases in
            var shape = CaseShape(source: file.bytes)
            for one in cases.children where one.isObject { shape.look(at: one, of: Reference.aCase, isPart: false) }
            return shape.faults
        } ?? []
    }

    /// Every decision that a case expects, also in following steps.
    static func forEachExpected(in file: SourceFile, _ body: (JSONValue) -> Void) {
        _ = withCases(of: file) { cases in
            for one in cases.children {
                for step in [one] + (one["then"].map { Array($0.children) } ?? []) {
                    guard let expected = step["expect"] else { continue }
                    if expected.isArray { expected.children.forEach(body) } else { body(expected) }
                }
            }
        }
    }

    /// nil: no list of cases.
    private static func withCases<Result>(of file: SourceFile, _ body: (JSONValue) -> Result) -> Result? {
        let document = JSONDocument()
        do {
            try document.read(file.bytes, limit: 16 << 20)
        } catch {
            // The reader of cases has told of it.
            return nil
        }
        guard let root = document.root, root.isArray else { return nil }
        return withExtendedLifetime(document) { body(root) }
    }

    /// - Parameter isPart: it is a part of an answer, in which null says that a key must not be there.
    private mutating func look(at value: JSONValue, of table: Table, isPart: Bool) {
        for member in value.children {
            let name = member.key.string
            guard let type = table[name]?.type ?? table.others else {
                let near = DidYouMean.nearest(to: name, among: table.names)
                tell(
                    member, isOfKey: true, "`\(table.name)` has no key `\(name)`",
                    near.map { "did you mean `\($0)`?" } ?? "it can have " + table.names.map { "`\($0)`" }.joined(separator: ", "))
                continue
            }
            look(at: member, type, name, isPart: isPart || table.name.hasPrefix("case") && name.hasPrefix("expect"))
        }
    }

    private mutating func look(at value: JSONValue, _ type: ValueType, _ name: String, isPart: Bool) {
        guard faults.count < CaseShape.most, !value.isNull else { return }
        if value.isObject, let table = type.tableAmong {
            return look(at: value, of: table, isPart: isPart)
        }
        if value.isArray, let element = type.elementAmong {
            for child in value.children { look(at: child, element, name, isPart: isPart) }
            return
        }
        guard !type.takes(value) else { return }
        let near = type.wordsAmong.flatMap { words in value.text.flatMap { DidYouMean.nearest(to: $0.string, among: words) } }
        tell(value, isOfKey: false, "`\(name)` must be \(type.inWords)", near.map { "did you mean \"\($0)\"?" })
    }

    /// - Parameter isOfKey: it is about the key that the value stands under.
    private mutating func tell(_ value: JSONValue, isOfKey: Bool, _ message: String, _ hint: String?) {
        // The document goes when all of the file has been looked at: nothing of it may be kept.
        let place = isOfKey ? TextPlace(ofKey: value, in: source) : TextPlace(of: value.offset, in: source)
        faults.append(Fault(place: place, message: message, hint: hint))
    }
}

extension ValueType {
    /// The one table that an object of this type is.
    fileprivate var tableAmong: Table? {
        switch self {
        case .table(let table): return table
        case .named(let name): return Reference.table(named: name)
        case .either(let types):
            let tables = types.compactMap(\.tableAmong)
            return tables.count == 1 && !types.contains { if case .map = $0 { true } else { false } } ? tables[0] : nil
        default: return nil
        }
    }

    fileprivate var elementAmong: ValueType? {
        switch self {
        case .list(let element): return element
        case .either(let types):
            let elements = types.compactMap(\.elementAmong)
            return elements.count == 1 ? elements[0] : nil
        default: return nil
        }
    }

    fileprivate var wordsAmong: [String]? {
        switch self {
        case .words(let words): words
        case .either(let types): types.lazy.compactMap(\.wordsAmong).first
        default: nil
        }
    }

    /// Objects and lists are looked at by their parts; here it is enough that they may stand there.
    fileprivate func takes(_ value: JSONValue) -> Bool {
        switch self {
        case .anything: true
        case .text: value.isString
        // A phone may say a zone or a language that nobody knows: cases are about that, too.
        case .form(let form): value.text.map { form.pattern == nil || LiteralValue.isWritten($0.string, as: form) } ?? false
        case .words(let words): value.text.map { words.contains($0.string) } ?? false
        case .integer(let range): value.integer.map { range?.contains(Int($0)) ?? true } ?? false
        case .number(let range): value.double.map { range?.contains($0) ?? true } ?? false
        case .truth: value.bool != nil
        case .only(let truth): value.bool == truth
        case .function: false
        case .list: value.isArray
        case .map, .table, .named: value.isObject
        case .either(let types): types.contains { $0.takes(value) }
        case .nothing: value.isNull
        }
    }
}
