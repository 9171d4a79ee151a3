// A number as the plural rules of Unicode look at it: what is before the point, and what is visible behind it. "1" and
// "1.0" are different numbers to a language, so a text keeps its digits.
import JSONDocument

/// The operands of Unicode's plural rules (UTS 35, part 3, "Plural Operand Meanings"), of the number without its sign.
package struct PluralNumber: Equatable {
    /// i: the whole part. Of more than 18 digits the last 17 count, with one in front: enough for every rule.
    let whole: UInt64
    /// v: how many digits are visible behind the point.
    let decimals: Int
    /// f: those digits as a number.
    let fraction: UInt64
    /// t: the same without zeros at the end.
    let bareFraction: UInt64

    /// `digits` as JSON writes numbers, a sign and an exponent included; nil for anything else.
    package init?(_ digits: some Collection<UInt8>) {
        var rest = digits[...]
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let mantissa = rest.prefix { $0 | 32 != UInt8(ascii: "e") }
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
        var before = Array(mantissa[..<point])
        var behind = Array(point == mantissa.endIndex ? mantissa[point...] : mantissa[mantissa.index(after: point)...])
        guard !before.isEmpty, point == mantissa.endIndex || !behind.isEmpty else { return nil }
        guard before.count + behind.count <= 400, (before + behind).allSatisfy({ (48...57).contains($0) }) else { return nil }
        if mantissa.endIndex != rest.endIndex {
            guard let exponent = Int(String(decoding: rest[mantissa.endIndex...].dropFirst(), as: UTF8.self)),
                (-400...400).contains(exponent)
            else { return nil }
            PluralNumber.move(exponent, &before, &behind)
        }
        whole = PluralNumber.number(before, over: 18)
        decimals = behind.count
        fraction = PluralNumber.number(behind, over: 18)
        while behind.last == 48 { behind.removeLast() }
        bareFraction = PluralNumber.number(behind, over: 18)
    }

    /// 1.5e3 is 1500.
    private static func move(_ exponent: Int, _ before: inout [UInt8], _ behind: inout [UInt8]) {
        for _ in 0..<max(exponent, 0) { before.append(behind.isEmpty ? 48 : behind.removeFirst()) }
        for _ in 0..<max(-exponent, 0) { behind.insert(before.isEmpty ? 48 : before.removeLast(), at: 0) }
        if before.isEmpty { before = [48] }
    }

    private static func number(_ digits: [UInt8], over most: Int) -> UInt64 {
        let significant = digits.drop { $0 == 48 }
        if significant.count <= most { return significant.reduce(0) { $0 * 10 + UInt64($1 - 48) } }
        return significant.suffix(most - 1).reduce(1) { $0 * 10 + UInt64($1 - 48) }
    }

    /// n, when it has nothing but zeros behind the point.
    var integer: UInt64? { bareFraction == 0 ? whole : nil }
    /// i, when nothing is visible behind the point (v = 0).
    var wholeAlone: UInt64? { decimals == 0 ? whole : nil }
}
