// A point in time, in Unix milliseconds, and its text form (RFC 3339, UTC). There is no clock in here.
public import JSONDocument

public struct Instant: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// nil when the seconds lie beyond what milliseconds can count.
    public init?(seconds: Int64) {
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return nil }
        self.milliseconds = milliseconds
    }

    public static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }

    /// Reads `2026-01-01T12:00:00Z`, with a fraction or an offset (`+09:00`) if there is one. nil for anything else.
    public init?(_ text: JSONText) {
        var reader = DigitReader(text)
        guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
            let day = reader.digits(2), reader.skipAny("Tt "), let hour = reader.digits(2), reader.skip(":"),
            let minute = reader.digits(2), reader.skip(":"), let second = reader.digits(2),
            (1...12).contains(month), day >= 1, day <= Instant.days(inMonth: month, of: year), hour <= 23, minute <= 59,
            second <= 60
        else { return nil }
        var thousandths: Int64 = 0
        if reader.skip(".") {
            guard let fraction = reader.fraction() else { return nil }
            thousandths = fraction
        }
        var offset: Int64 = 0
        if !reader.skipAny("Zz") {
            let isWest = reader.peek == UInt8(ascii: "-")
            guard reader.skipAny("+-"), let hours = reader.digits(2), reader.skip(":"), let minutes = reader.digits(2),
                hours <= 23, minutes <= 59
            else { return nil }
            offset = (hours * 60 + minutes) * (isWest ? -60 : 60)
        }
        guard reader.isAtEnd else { return nil }
        let days = Instant.days(year: year, month: month, day: day)
        milliseconds = (days * 86_400 + hour * 3600 + minute * 60 + second - offset) * 1000 + thousandths
    }

    public init?(_ text: String) {
        var copy = text
        let read = copy.withUTF8 { Instant(JSONText(start: $0.baseAddress, count: $0.count)) }
        guard let read else { return nil }
        self = read
    }

    /// `2026-01-01T12:00:00Z`; thousandths are written only when there are some. Instants outside the years 0…9999
    /// are held at that edge.
    public var text: String {
        String(unsafeUninitializedCapacity: Instant.maxTextLength) { write(into: $0.baseAddress.unsafelyUnwrapped) }
    }

    static let maxTextLength = 24

    /// Writes the text form, at most `maxTextLength` bytes, and says how many.
    func write(into out: UnsafeMutablePointer<UInt8>) -> Int {
        let clamped = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let (dayNumber, rest) = Instant.floorDivide(clamped, 86_400_000)
        let (year, month, day) = Instant.date(ofDay: dayNumber)
        var count = 0
        func digits(_ value: Int64, _ places: Int) {
            var value = value
            for place in stride(from: places - 1, through: 0, by: -1) {
                out[count + place] = UInt8(truncatingIfNeeded: 48 + value % 10)
                value /= 10
            }
            count += places
        }
        func mark(_ byte: UInt8) {
            out[count] = byte
            count += 1
        }
        digits(year, 4)
        mark(UInt8(ascii: "-"))
        digits(month, 2)
        mark(UInt8(ascii: "-"))
        digits(day, 2)
        mark(UInt8(ascii: "T"))
        digits(rest / 3_600_000, 2)
        mark(UInt8(ascii: ":"))
        digits(rest / 60_000 % 60, 2)
        mark(UInt8(ascii: ":"))
        digits(rest / 1000 % 60, 2)
        if rest % 1000 != 0 {
            mark(UInt8(ascii: "."))
            digits(rest % 1000, 3)
        }
        mark(UInt8(ascii: "Z"))
        return count
    }

    // The proleptic Gregorian calendar; days count from 1970-01-01.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivide(shifted, 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func date(ofDay number: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(number + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
        return remainder < 0 ? (quotient - 1, remainder + b) : (quotient, remainder)
    }
}
