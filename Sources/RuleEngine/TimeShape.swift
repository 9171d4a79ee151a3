// The ways in which authors write a time: durations, wall times, instants. Only shapes are read here; which moment a
// wall time means depends on a zone and is decided by whoever knows one.
import CivilTime
package import JSONDocument
import PushMessage

package enum TimeShape {
    /// Ten years of milliseconds: whatever is longer is a slip.
    static let longestDuration: Int64 = 10 * 366 * day

    /// Unix milliseconds of the years 2001 to 2100: numbers that can be nothing else.
    static let instants: ClosedRange<Int64> = 1_000_000_000_000...4_102_444_800_000

    static func read(_ text: JSONText) -> HoldUntil? {
        if let milliseconds = duration(text) { return .duration(milliseconds) }
        if WallTime(text) != nil { return .wall(text) }
        return Instant(text).map { .instant($0) }
    }

    /// `<int>(ms|s|m|h|d|w)`, joined: `2h30m`. In milliseconds; nil when it is something else or longer than ten years.
    package static func duration(_ text: JSONText) -> Int64? {
        parts(text).map { Int64($0.days) &* day &+ $0.milliseconds }
    }

    /// The same with its days and weeks apart, for whoever adds them on a wall clock.
    static func parts(_ text: JSONText) -> (days: Int, milliseconds: Int64)? {
        var total: Int64 = 0
        var days: Int64 = 0
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
            if unit % day == 0 { days &+= part / day }
            place += width
        }
        return (Int(days), total &- days &* day)
    }

    private static let day: Int64 = 86_400_000

    private static func unit(_ text: JSONText, _ place: Int) -> (milliseconds: Int64, width: Int)? {
        guard place < text.count else { return nil }
        switch text.byte(place) {
        case UInt8(ascii: "m"):
            return place + 1 < text.count && text.byte(place + 1) == UInt8(ascii: "s") ? (1, 2) : (60_000, 1)
        case UInt8(ascii: "s"): return (1000, 1)
        case UInt8(ascii: "h"): return (3_600_000, 1)
        case UInt8(ascii: "d"): return (day, 1)
        case UInt8(ascii: "w"): return (7 * day, 1)
        default: return nil
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
