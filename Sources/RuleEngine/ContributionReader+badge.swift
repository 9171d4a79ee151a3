// `badge` of a decide table: an absolute number, "+n", "-n", "clear", or a table that counts even what is not shown.
import JSONDocument

extension ContributionReader {
    static let badgeKeys = ["add", "even_if_suppressed"]

    static func badge(_ value: JSONValue) throws(ContributionFault) -> BadgeChange {
        let spot = Spot("badge")
        if let number = value.integer {
            guard number >= 0, number <= Int64(Int32.max) else {
                throw spot.fault(
                    .badValue, about: value, hint: number < 0 ? "to count down write a text such as \"-1\", in quotes" : nil
                ) { "`badge` is \($0), but an absolute badge must lie from 0 to 2147483647" }
            }
            return .absolute(Int(number))
        }
        if let word = value.text {
            if word == "clear" { return .absolute(0) }
            guard let change = signed(word) else {
                throw spot.fault(
                    .badValue, about: value, hint: "write a whole number, \"+1\", \"-1\" or \"clear\""
                ) { "`badge` = \($0) is not a badge change" }
            }
            return .relative(change, evenIfSuppressed: false)
        }
        guard value.isObject else {
            throw spot.wrongType(value, "a whole number, \"+1\", \"-1\", \"clear\" or { add = 1 }")
        }
        var add: Int?
        var evenIfSuppressed = false
        for member in value.children {
            if member.key == "add" {
                guard let number = member.integer, number.magnitude <= UInt64(Int32.max) else {
                    throw Spot("badge", "add").wrongType(member, "a whole number")
                }
                add = Int(number)
            } else if member.key == "even_if_suppressed" {
                evenIfSuppressed = try truth(member, Spot("badge", "even_if_suppressed"))
            } else {
                throw spot.unknownKey(member.key, among: badgeKeys)
            }
        }
        guard let add else { throw spot.fault(.badValue, "`badge` is a table without `add`", hint: "write { add = 1 }") }
        return .relative(add, evenIfSuppressed: evenIfSuppressed)
    }

    /// `+n` or `-n` within Int32.
    static func signed(_ word: JSONText) -> Int? {
        guard word.count >= 2, word.count <= 11 else { return nil }
        let sign = word.byte(0)
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var number = 0
        for place in 1..<word.count {
            let digit = word.byte(place)
            guard digit >= 48, digit <= 57 else { return nil }
            number = number &* 10 &+ Int(digit &- 48)
        }
        guard number <= Int(Int32.max) else { return nil }
        return sign == UInt8(ascii: "-") ? 0 &- number : number
    }
}
