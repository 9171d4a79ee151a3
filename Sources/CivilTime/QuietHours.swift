// Hours of the day in which an app stays quiet, in the zone of whoever asks: from a time of day, inclusive, to another,
// exclusive, past midnight when the second is the earlier one. Says whether an instant lies inside and when that ends.
public import PushMessage

public struct QuietHours: Sendable, Hashable {
    public let from: TimeOfDay
    /// The same as `from`: an empty window, never quiet. Earlier than `from`: of the next day.
    public let to: TimeOfDay
    /// The days on which a window begins.
    public let days: Weekdays

    public init(from: TimeOfDay, to: TimeOfDay, days: Weekdays = .all) {
        self.from = from
        self.to = to
        self.days = days
    }

    public func contains(_ instant: Instant, in zone: Zone) -> Bool {
        window(around: instant, in: zone) != nil
    }

    /// When the quiet that holds at an instant is over; nil when it is not quiet then. Windows that touch are one quiet.
    /// Hours that never end (every day, all day) are cut after eight days.
    public func end(after instant: Instant, in zone: Zone) -> Instant? {
        guard var end = window(around: instant, in: zone) else { return nil }
        for _ in 0..<7 {
            guard let next = window(around: end, in: zone) else { break }
            end = next
        }
        return end
    }

    /// The end of the window in which the instant lies.
    private func window(around instant: Instant, in zone: Zone) -> Instant? {
        guard from != to, !days.isEmpty else { return nil }
        let today = zone.civil(at: instant)
        // The window of yesterday lasts until today; where the clocks fell back over midnight, the one of tomorrow may
        // have begun, and the one of the day before yesterday may not be over.
        for day in [0, -1, 1, -2] {
            let date = today.startOfDay.adding(days: day)
            guard days.contains(weekday: date.weekday), from.instant(on: date, in: zone) <= instant else { continue }
            let end = to.instant(on: to > from ? date : date.adding(days: 1), in: zone)
            if instant < end { return end }
        }
        return nil
    }
}

/// Days of the week, one bit each.
public struct Weekdays: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let all = Weekdays(rawValue: 0b111_1111)

    /// 1 = Monday … 7 = Sunday.
    public static func day(_ weekday: Int) -> Weekdays { Weekdays(rawValue: 1 << UInt8(truncatingIfNeeded: weekday &- 1)) }
    public func contains(weekday: Int) -> Bool { !isDisjoint(with: .day(weekday)) }

    /// As authors write them, from Monday.
    public static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// nil for anything but one of `names`.
    public init?(name: String) {
        guard let place = Weekdays.names.firstIndex(of: name) else { return nil }
        self = .day(place + 1)
    }
}
