// A comparison that comes out the same for every message, or fails: with a word that the field never has, with another type, or
// beside a text that counts as true by itself.
import PushMessage
import RuleReference

extension Check {
    static let impossibleComparison = Check("impossible_comparison", .error) { app, findings in
        for found in app.expressions {
            let (file, rule, expression) = (found.file, found.rule, found.expression)
            guard case .binary(let sign, let left, let right, let offset) = expression else { continue }
            if let told = alwaysTrue(sign, left, right) ?? unordered(sign, left, right) {
                findings.tell(file, at: told.offset ?? offset, told.what, hint: told.cure, rule: rule?.name)
                continue
            }
            guard sign == "==" || sign == "~=" else { continue }
            let always = sign == "==" ? "never true" : "always true"
            if case .unary("not", let inner, let offset) = left, LiteralValue.shown(right.followed) != nil {
                if case .truth = right.followed { continue }
                findings.tell(
                    file, at: offset,
                    "`not` stands before the comparison: true or false is compared with \(LiteralValue.shown(right.followed) ?? "")",
                    hint: "write \(inner.path?.written ?? "…") \(sign == "==" ? "~=" : "==") \(LiteralValue.shown(right.followed) ?? "…")",
                    rule: rule?.name)
                continue
            }
            for (field, value) in [(left, right), (right, left)] {
                let literal = value.followed
                guard let shown = LiteralValue.shown(literal), let path = field.path, let type = field.type else { continue }
                if case .nothing = literal { continue }
                if case .table = literal { continue }
                guard !LiteralValue.fits(literal, type.comparable) else { continue }
                let near = literal.text.flatMap { text in type.knownWords.flatMap { DidYouMean.nearest(to: text, among: $0) } }
                findings.tell(
                    file, at: value.start, "this is \(always): `\(path.written)` is \(type.inWords), never \(shown)",
                    hint: near.map { "did you mean \"\($0)\"?" } ?? type.adviceInsteadOf(literal), rule: rule?.name)
                continue
            }
        }
    }
}

extension Check {
    private typealias Told = (offset: Int?, what: String, cure: String)

    /// `msg.channel == "offers" or "orders"`: a text by itself counts as true.
    private static func alwaysTrue(_ sign: String, _ left: LuaExpression, _ right: LuaExpression) -> Told? {
        guard sign == "or", case .binary("==", let field, let value, _) = left, value.followed.text != nil || value.isNumber,
            right.text != nil || right.isNumber, let shown = LiteralValue.shown(right)
        else { return nil }
        let name = field.path?.written ?? "…"
        return (right.start, "this is always true: \(shown) by itself counts as true", "write \(name) == … or \(name) == \(shown)")
    }

    /// `msg.badge > "3"` fails when it is asked.
    private static func unordered(_ sign: String, _ left: LuaExpression, _ right: LuaExpression) -> Told? {
        guard ["<", ">", "<=", ">="].contains(sign) else { return nil }
        for (field, value) in [(left, right), (right, left)] {
            guard let path = field.path, let type = field.type else { continue }
            if type.isNumber, let text = value.followed.text {
                return (
                    value.start, "a number and a text have no order: `\(path.written)` is \(type.inWords)", "write \(text) without quotes"
                )
            }
            if type.isText, value.followed.isNumber {
                return (
                    value.start, "a text and a number have no order: `\(path.written)` is \(type.inWords)",
                    "make a number of the field: (tonumber(\(path.written)) or 0)"
                )
            }
        }
        return nil
    }
}

extension LuaExpression {
    fileprivate var isNumber: Bool { if case .number = self { true } else { false } }
}

extension ValueType {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .number: true
        case .either(let types): types.allSatisfy { $0.isNumber || $0.isNothing } && types.contains(where: \.isNumber)
        default: false
        }
    }

    fileprivate var isText: Bool {
        switch self {
        case .text, .form, .words: true
        case .either(let types): types.allSatisfy { $0.isText || $0.isNothing } && types.contains(where: \.isText)
        default: false
        }
    }

    private var isNothing: Bool { if case .nothing = self { true } else { false } }

    /// As loosely as a comparison must be read: a text of some form may be any text.
    fileprivate var comparable: ValueType {
        switch self {
        case .form: .text
        case .integer, .number: .anyNumber
        case .either(let types): .either(types.map(\.comparable))
        case .table, .named, .map, .list: .anything
        default: self
        }
    }

    fileprivate var knownWords: [String]? {
        switch self {
        case .words(let words): words
        case .either(let types): types.lazy.compactMap(\.knownWords).first
        default: nil
        }
    }

    fileprivate func adviceInsteadOf(_ literal: LuaExpression) -> String {
        switch (self, literal) {
        case (.text, .number), (.form, .number): "put the number in quotes, or make a number of the field: tonumber(…)"
        case (.integer, .text), (.number, .text): "leave out the quotes"
        case (.truth, _): "a switch is true or false: ask for the field itself"
        default: "compare with \(inWords)"
        }
    }
}
