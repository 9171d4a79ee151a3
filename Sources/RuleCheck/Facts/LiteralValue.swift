// What is written out in a script, held against the types of the description. What only comes to be when the script runs
// fits everything.
import CivilTime
import JSONDocument
import PushMessage
import RuleEngine
import RuleReference

enum LiteralValue {
    /// It may stand for any number of values.
    static func mayBeSeveral(_ expression: LuaExpression) -> Bool {
        switch expression {
        case .call, .method, .varargs: true
        default: false
        }
    }

    /// What is wrong with it as a value of a type, in a sentence without its subject, and where; nil: nothing, or nobody knows.
    static func mismatch(_ expression: LuaExpression, _ type: ValueType) -> (sentence: String, offset: Int)? {
        let value = expression.followed
        guard let shown = shown(value), !fits(value, type) else { return nil }
        if case .text(let text, _) = value, let words = words(of: type), let near = DidYouMean.nearest(to: text, among: words) {
            return ("must be \(type.inWords), but it is \(shown): did you mean \"\(near)\"?", expression.start)
        }
        if let table = value.table, let wanted = type.onlyTable, let wrong = misfit(table, wanted) { return wrong }
        return ("must be \(type.inWords), but it is \(shown)", expression.start)
    }

    /// The first thing in a table that does not belong there.
    private static func misfit(_ written: LuaTable, _ table: Table) -> (sentence: String, offset: Int)? {
        for item in written.items {
            guard let name = item.key?.text else { continue }
            guard let type = table[name]?.type ?? table.others else {
                let near = DidYouMean.nearest(to: name, among: table.names)
                return ("has no key `\(name)`\(near.map { ": did you mean `\($0)`?" } ?? "")", item.offset)
            }
            if let (sentence, offset) = mismatch(item.value, type) { return ("has a wrong `\(name)`: it \(sentence)", offset) }
        }
        return nil
    }

    /// nil: not written out.
    static func shown(_ value: LuaExpression) -> String? {
        switch value {
        case .nothing: "nil"
        case .truth(let truth, _): "\(truth)"
        case .number(let number, _): number.isNaN ? nil : Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .unary("-", .number(let number, _), _): Int(exactly: -number).map { "\($0)" } ?? "\(-number)"
        case .text(let text, _): "\"\(text.count <= 40 ? text : String(text.prefix(40)) + "…")\""
        case .table: "a table"
        case .function: "a function"
        default: nil
        }
    }

    static func number(_ value: LuaExpression) -> Double? {
        switch value {
        case .number(let number, _): number.isNaN ? nil : number
        case .unary("-", .number(let number, _), _): -number
        default: nil
        }
    }

    /// Whether a value that is written out can be of a type.
    static func fits(_ value: LuaExpression, _ type: ValueType) -> Bool {
        switch type {
        case .anything: return true
        case .either(let types): return types.contains { fits(value, $0) }
        case .nothing: if case .nothing = value { return true } else { return false }
        case .text: return value.text != nil
        case .words(let words): return value.text.map(words.contains) ?? false
        case .form(let form): return value.text.map { isWritten($0, as: form) } ?? false
        case .integer(let range):
            guard let number = number(value), let whole = Int(exactly: number) else { return false }
            return range?.contains(whole) ?? true
        case .number(let range): return number(value).map { range?.contains($0) ?? true } ?? false
        case .truth: if case .truth = value { return true } else { return false }
        case .only(let truth): if case .truth(truth, _) = value { return true } else { return false }
        case .function: if case .function = value { return true } else { return false }
        case .list(let element):
            guard let table = value.table else { return false }
            return table.items.allSatisfy { $0.key == nil && (shown($0.value.followed) == nil || fits($0.value.followed, element)) }
        case .map(let inner, _):
            return value.table?.items.allSatisfy { shown($0.value.followed) == nil || fits($0.value.followed, inner) } ?? false
        case .table(let table): return value.table.map { fits($0, table) } ?? false
        case .named(let name): return value.table != nil && Reference.table(named: name) != nil
        }
    }

    private static func fits(_ written: LuaTable, _ table: Table) -> Bool {
        written.items.allSatisfy { item in
            guard let key = item.key else { return table.others != nil || table.keys.contains { $0.place != nil } }
            guard let name = key.text, let type = table[name]?.type ?? table.others else { return key.text == nil }
            return shown(item.value.followed) == nil || fits(item.value.followed, type)
        }
    }

    private static func words(of type: ValueType) -> [String]? {
        switch type {
        case .words(let words): words
        case .either(let types): types.lazy.compactMap(words).first
        default: nil
        }
    }

    /// Forms whose readers can be asked; the others fit.
    static func isWritten(_ text: String, as form: TextForm) -> Bool {
        var copy = text
        return copy.withUTF8 { bytes in
            let json = JSONText(start: bytes.baseAddress, count: bytes.count)
            return switch form {
            case .timeOfDay: TimeOfDay(json) != nil
            case .zone: Zone(text) != nil
            case .instant: Instant(text) != nil
            case .wallTime: WallTime(json) != nil
            case .duration:
                TimeShape.duration(text.hasPrefix("-") ? JSONText(start: bytes.baseAddress.map { $0 + 1 }, count: bytes.count - 1) : json)
                    != nil
            case .locale: LocaleTag(text) != nil
            default: true
            }
        }
    }
}
