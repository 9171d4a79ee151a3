// A date and time as people read them from a wall: no zone, no instant. Becomes an instant only through a Zone.

public struct CivilTime: Sendable, Hashable, Comparable {
    public var year, month, day: Int
    /// 0…24; 24:00 is the end of the day, the same as the next day's 00:00.
    public var hour: Int
    public var minute, second: Int

    public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    public static func < (a: CivilTime, b: CivilTime) -> Bool {
        let (before, after) = (a.dayNumber, b.dayNumber)
        return before != after ? before < after : a.secondOfDay < b.secondOfDay
    }

    public var startOfDay: CivilTime { CivilTime(year: year, month: month, day: day) }

    /// 1 = Monday … 7 = Sunday.
    public var weekday: Int {
        // 1970-01-01 was a Thursday.
        let place = (dayNumber + 3) % 7
        return (place < 0 ? place + 7 : place) + 1
    }

    /// 0…86400.
    public var secondOfDay: Int { hour * 3600 + minute * 60 + second }

    /// The same time of day, `days` days later or earlier.
    public func adding(days: Int) -> CivilTime {
        var moved = CivilTime(dayNumber: dayNumber &+ days)
        (moved.hour, moved.minute, moved.second) = (hour, minute, second)
        return moved
    }

    /// `2026-01-01 08:05`, with seconds when there are some.
    public var text: String {
        let minutes =
            "\(year.padded(4))-\(month.padded(2))-\(day.padded(2)) \(hour.padded(2)):\(minute.padded(2))"
        return second == 0 ? minutes : "\(minutes):\(second.padded(2))"
    }

    // MARK: the proleptic Gregorian calendar

    /// Days since 1970-01-01.
    public var dayNumber: Int {
        let shifted = month <= 2 ? year &- 1 : year
        let (era, yearOfEra) = floorDivide(shifted, 400)
        let dayOfYear = (153 &* (month &+ (month > 2 ? -3 : 9)) &+ 2) / 5 &+ day &- 1
        return era &* 146_097 &+ yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear &- 719_468
    }

    /// The start of a day, counted from 1970-01-01.
    public init(dayNumber: Int) {
        let (era, dayOfEra) = floorDivide(dayNumber &+ 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// 28…31; `month` is one of the twelve.
    public static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

private func floorDivide(_ a: Int, _ b: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
    return remainder < 0 ? (quotient - 1, remainder + b) : (quotient, remainder)
}

extension Int {
    /// Filled up with zeros in front.
    fileprivate func padded(_ width: Int) -> String {
        let digits = String(magnitude)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}
