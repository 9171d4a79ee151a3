// The wall times that authors write: a date, a date with a time, or a time of day. Read without a zone; a zone and, for
// a time of day, the present make an instant of it.
public import JSONDocument
public import PushMessage

public enum WallTime: Sendable, Equatable {
    /// `2026-12-24`
    case date(CivilTime)
    /// `2026-12-24 18:00` or `2026-12-24 18:00:30`
    case moment(CivilTime)
    /// `18:00`
    case clock(TimeOfDay)

    /// `YYYY-MM-DD[ HH:MM[:SS]]` or `HH:MM`, with numbers that a calendar has; years from 1970. nil for anything else.
    public init?(_ text: JSONText) {
        if let clock = TimeOfDay(text) {
            self = .clock(clock)
            return
        }
        var digits = DigitReader(text)
        guard let year = digits.whole(4), digits.skip("-"), let month = digits.whole(2), digits.skip("-"),
            let day = digits.whole(2), year >= 1970, (1...12).contains(month), day >= 1,
            day <= CivilTime.days(inMonth: month, of: year)
        else { return nil }
        var civil = CivilTime(year: year, month: month, day: day)
        guard !digits.isAtEnd else {
            self = .date(civil)
            return
        }
        guard digits.skip(" "), let clock = TimeOfDay(&digits) else { return nil }
        (civil.hour, civil.minute) = (clock.minutes / 60, clock.minutes % 60)
        if digits.skip(":") {
            guard let second = digits.whole(2), second <= (clock == .endOfDay ? 0 : 59) else { return nil }
            civil.second = second
        }
        guard digits.isAtEnd else { return nil }
        self = .moment(civil)
    }

    /// The instant in a zone. A time of day is the next one after `now`, never `now` itself; a date is its first instant.
    public func instant(in zone: Zone, after now: Instant) -> Instant {
        switch self {
        case .date(let civil), .moment(let civil): zone.instant(of: civil)
        case .clock(let clock): clock.next(after: now, in: zone)
        }
    }
}

/// A time of day in minutes since midnight, 0…1440: `00:00` to `24:00`.
public struct TimeOfDay: Sendable, Hashable, Comparable {
    public let minutes: Int

    /// nil when the day has no such minute.
    public init?(minutes: Int) {
        guard (0...1440).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// `HH:MM`, up to `24:00`.
    public init?(_ text: JSONText) {
        var digits = DigitReader(text)
        guard let clock = TimeOfDay(&digits), digits.isAtEnd else { return nil }
        self = clock
    }

    init?(_ digits: inout DigitReader) {
        guard let hour = digits.whole(2), digits.skip(":"), let minute = digits.whole(2), minute <= 59 else { return nil }
        self.init(minutes: hour * 60 + minute)
    }

    public static let startOfDay = TimeOfDay(known: 0)
    public static let endOfDay = TimeOfDay(known: 1440)
    private init(known minutes: Int) { self.minutes = minutes }

    public static func < (a: TimeOfDay, b: TimeOfDay) -> Bool { a.minutes < b.minutes }

    /// `08:05`
    public var text: String {
        let (hour, minute) = (minutes / 60, minutes % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    /// The instant of this time on the day of `civil`.
    func instant(on civil: CivilTime, in zone: Zone) -> Instant {
        zone.instant(
            of: CivilTime(
                year: civil.year, month: civil.month, day: civil.day, hour: minutes / 60, minute: minutes % 60))
    }

    /// The first instant later than `now` that this time of day means on its day.
    public func next(after now: Instant, in zone: Zone) -> Instant {
        // 24:00 of yesterday is today's start, and where a whole day is left out two dates mean one instant.
        let today = zone.civil(at: now)
        for days in -1...3 {
            let instant = instant(on: today.adding(days: days), in: zone)
            if instant > now { return instant }
        }
        return now
    }
}

extension DigitReader {
    mutating func whole(_ count: Int) -> Int? { digits(count).map { Int($0) } }
}
