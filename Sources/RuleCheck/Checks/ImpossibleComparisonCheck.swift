// A comparison that comes out the same for every message: with a word that the field never has, or with another type.
import PushMessage
import RuleReference

extension Check {
    static let impossibleComparison = Check("impossible_comparison", .error) { app, findings in
        for found in app.expressions {
            let (file, rule, expression) = (found.file, found.rule, found.expression)
            guard case .binary(let sign, let left, let right, _) = expression, sign == "==" || sign == "~=" else { continue }
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

extension ValueType {
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
