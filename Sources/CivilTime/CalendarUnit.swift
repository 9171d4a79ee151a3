// Parts of the calendar as a person counts them: which minute, hour, day, week, month or year an instant lies in, and
// when it ends, on the clock of a zone. `time.start_of` and caps on calendar windows ask here.
public import PushMessage

public enum CalendarUnit: String, Sendable, CaseIterable {
    case minute, hour, day, week, month, year
}

extension Zone {
    /// The first instant of the unit in which the instant lies. Weeks begin on Monday.
    public func start(of unit: CalendarUnit, around instant: Instant) -> Instant {
        let civil = civil(at: instant)
        switch unit {
        case .minute: return startOfMinutes(1, instant, civil)
        case .hour: return startOfMinutes(60, instant, civil)
        case .day, .week, .month, .year: return self.instant(of: civil.start(of: unit))
        }
    }

    /// The first instant after the unit in which the instant lies.
    public func end(of unit: CalendarUnit, around instant: Instant) -> Instant {
        let start = start(of: unit, around: instant)
        switch unit {
        case .minute: return Instant(milliseconds: start.milliseconds &+ 60_000)
        case .hour: return Instant(milliseconds: start.milliseconds &+ 3_600_000)
        case .day, .week, .month, .year:
            var next = civil(at: instant).start(of: unit)
            switch unit {
            case .week: next = next.adding(days: 7)
            case .month: next = next.adding(days: CivilTime.days(inMonth: next.month, of: next.year))
            case .year: next.year += 1
            case .minute, .hour, .day: next = next.adding(days: 1)
            }
            return self.instant(of: next)
        }
    }

    /// Hours and minutes pass evenly, also where a wall clock shows one twice.
    private func startOfMinutes(_ minutes: Int, _ instant: Instant, _ civil: CivilTime) -> Instant {
        let seconds = Int64(civil.minute % minutes * 60 + civil.second)
        let (_, rest) = instant.milliseconds.quotientAndRemainder(dividingBy: 1000)
        return Instant(milliseconds: instant.milliseconds &- (rest < 0 ? rest + 1000 : rest) &- seconds * 1000)
    }
}

extension CivilTime {
    fileprivate func start(of unit: CalendarUnit) -> CivilTime {
        var start = startOfDay
        switch unit {
        case .minute, .hour, .day: break
        case .week: start = start.adding(days: 1 - weekday)
        case .month: start.day = 1
        case .year: (start.month, start.day) = (1, 1)
        }
        return start
    }
}
