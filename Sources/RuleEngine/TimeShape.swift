// The ways in which authors write a time: durations, wall times, instants. Only shapes are read here; which moment a
// wall time means depends on a zone and is decided by whoever knows one.
import JSONDocument
import PushMessage

enum TimeShape {
    /// Ten years of milliseconds: whatever is longer is a slip.
    static let longestDuration: Int64 = 10 * 366 * 86_400_000

    static func read(_ text: JSONText) -> HoldUntil? {
        if let milliseconds = duration(text) { return .duration(milliseconds) }
        if isWall(text) { return .wall(text) }
        return Instant(text).map { .instant($0) }
    }

    /// `<int>(ms|s|m|h|d|w)`, joined: `2h30m`. In milliseconds; nil when it is something else or longer than ten years.
    static func duration(_ text: JSONText) -> Int64? {
        var total: Int64 = 0
        var place = 0
        guard text.count > 1, text.count <= 64 else { return nil }
        while place < text.count {
            var number: Int64 = 0
            let start = place
            while place < text.count, let digit = text.digit(place) {
                number = number &* 10 &+ Int64(digit)
                guard number <= longestDuration else { return nil }
                place += 1
            }
            guard place > start, let (unit, width) = unit(text, place) else { return nil }
            let (part, overflow) = number.multipliedReportingOverflow(by: unit)
            guard !overflow, part <= longestDuration else { return nil }
            total &+= part
            guard total <= longestDuration else { return nil }
            place += width
        }
        return total
    }

    private static func unit(_ text: JSONText, _ place: Int) -> (milliseconds: Int64, width: Int)? {
        guard place < text.count else { return nil }
        switch text.byte(place) {
        case UInt8(ascii: "m"):
            return place + 1 < text.count && text.byte(place + 1) == UInt8(ascii: "s") ? (1, 2) : (60_000, 1)
        case UInt8(ascii: "s"): return (1000, 1)
        case UInt8(ascii: "h"): return (3_600_000, 1)
        case UInt8(ascii: "d"): return (86_400_000, 1)
        case UInt8(ascii: "w"): return (7 * 86_400_000, 1)
        default: return nil
        }
    }

    /// `YYYY-MM-DD[ HH:MM[:SS]]` or `HH:MM`, with numbers that a calendar has.
    static func isWall(_ text: JSONText) -> Bool {
        if text.count == 5 { return isClock(text, at: 0) }
        guard text.count == 10 || text.count == 16 || text.count == 19 else { return false }
        guard let year = text.number(0, 4), let month = text.number(5, 2), let day = text.number(8, 2),
            text.byte(4) == UInt8(ascii: "-"), text.byte(7) == UInt8(ascii: "-"),
            year >= 1970, (1...12).contains(month), day >= 1, day <= days(year, month)
        else { return false }
        if text.count == 10 { return true }
        guard text.byte(10) == UInt8(ascii: " "), isClock(text, at: 11) else { return false }
        if text.count == 16 { return true }
        guard text.byte(16) == UInt8(ascii: ":"), let second = text.number(17, 2) else { return false }
        return second <= 59
    }

    private static func isClock(_ text: JSONText, at place: Int) -> Bool {
        guard let hour = text.number(place, 2), let minute = text.number(place + 3, 2) else { return false }
        return text.byte(place + 2) == UInt8(ascii: ":") && hour <= 23 && minute <= 59
    }

    private static func days(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension JSONText {
    /// The byte at a place below `count`.
    func byte(_ place: Int) -> UInt8 { bytes[place] }

    func digit(_ place: Int) -> UInt8? {
        let byte = byte(place)
        return byte >= 48 && byte <= 57 ? byte &- 48 : nil
    }

    /// The number of exactly `width` digits from a place; nil when there are not that many.
    func number(_ place: Int, _ width: Int) -> Int? {
        guard place + width <= count else { return nil }
        var number = 0
        for index in place..<(place + width) {
            guard let digit = digit(index) else { return nil }
            number = number &* 10 &+ Int(digit)
        }
        return number
    }
}
