// Quiet hours against an oracle that knows nothing of windows: it watches the wall clock minute by minute and holds it
// where it falls back, so that it never shows a time twice. A minute is quiet when that clock says so.
//
// `make test` looks at a part, drawn from a seed; RULEHOST_WHOLE=1 at twenty years of ten zones.
import CivilTime
import Foundation
import PushMessage
import Testing

@Suite("Quiet hours, minute by minute")
struct QuietHoursOracleTests {
    static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "America/St_Johns", "America/Sao_Paulo", "Australia/Lord_Howe",
        "Australia/Sydney", "Pacific/Chatham", "Pacific/Apia", "Africa/Casablanca",
    ]
    static let years = 2008..<2028

    @Test("an oracle over ten zones and twenty years finds no difference", arguments: zones)
    func oracle(name: String) throws {
        let zone = try #require(Zone(name))
        let isWhole = ProcessInfo.processInfo.environment["RULEHOST_WHOLE"] == "1"
        var random = SeededNumbers(name)
        for year in isWhole ? Array(Self.years) : [Self.years.randomElement(using: &random) ?? 2026] {
            let first = Instant(milliseconds: Int64(CivilTime(year: year, month: 1, day: 1).dayNumber) * 86_400_000)
            let days = isWhole ? 366 : 30
            compare(zone, from: first, days: days, windows: Self.windows(&random, count: isWhole ? 8 : 3))
            guard !isWhole else { continue }
            var instant = first
            while let change = zone.nextChange(after: instant), change.milliseconds - first.milliseconds < 366 * 86_400_000 {
                let before = Instant(milliseconds: change.milliseconds - 2 * 86_400_000)
                compare(zone, from: before, days: 4, windows: Self.windows(&random, count: 3))
                instant = change
            }
        }
    }

    private func compare(_ zone: Zone, from first: Instant, days: Int, windows: [QuietHours]) {
        // Two days of a run-up let the held clock settle.
        var minute = first.milliseconds / 60_000 - 2 * 1440
        let start = first.milliseconds / 60_000
        let end = start + Int64(days) * 1440
        var held = HeldClock()
        var nearestChange = Instant(milliseconds: minute * 60_000)
        var nextChange = zone.nextChange(after: nearestChange)
        var ends = [Instant?](repeating: nil, count: windows.count)
        while minute < end {
            let now = Instant(milliseconds: minute * 60_000)
            held.watch(zone.civil(at: now))
            if minute >= start {
                for (place, window) in windows.enumerated() {
                    let expected = held.isQuiet(window)
                    let found = window.end(after: now, in: zone)
                    guard (found != nil) == expected, window.contains(now, in: zone) == expected else {
                        Issue.record("\(zone.name) \(now.text): \(window) says \(!expected)")
                        return
                    }
                    // Quiet ends in the first minute that is not quiet, and says so from its beginning. Between two
                    // looks one quiet may end and the next begin.
                    if let promised = ends[place] {
                        guard expected ? promised == found || promised < now : promised <= now else {
                            Issue.record("\(zone.name) \(now.text): \(window) promised \(promised.text)")
                            return
                        }
                    }
                    if expected, let found, found <= now {
                        Issue.record("\(zone.name) \(now.text): \(window) ended in the past")
                        return
                    }
                    ends[place] = found
                }
            }
            if let change = nextChange, change <= now {
                nearestChange = change
                nextChange = zone.nextChange(after: now)
            }
            let isNearChange =
                now.milliseconds - nearestChange.milliseconds < 2 * 86_400_000
                || (nextChange.map { $0.milliseconds - now.milliseconds < 2 * 86_400_000 } ?? false)
            minute += isNearChange ? 1 : 7
        }
    }

    /// The usual night, windows around the hours at which clocks jump, and some by chance.
    private static func windows(_ random: inout SeededNumbers, count: Int) -> [QuietHours] {
        var windows = [QuietHours(from: time(22 * 60), to: time(7 * 60))]
        while windows.count < count {
            let nearJump = windows.count % 2 == 0
            let from = nearJump ? Int.random(in: 0...240, using: &random) : Int.random(in: 0...1440, using: &random)
            let to = nearJump ? Int.random(in: 0...240, using: &random) : Int.random(in: 0...1440, using: &random)
            let days = Bool.random(using: &random) ? Weekdays.all : Weekdays(rawValue: UInt8.random(in: 0...127, using: &random))
            windows.append(QuietHours(from: time(from), to: time(to), days: days))
        }
        return windows
    }

    private static func time(_ minutes: Int) -> TimeOfDay { TimeOfDay(minutes: minutes) ?? .startOfDay }
}

/// A wall clock that is held where it falls back, until the time catches up.
private struct HeldClock {
    /// Minutes since the first day of the calendar.
    private var latest = Int.min

    mutating func watch(_ civil: CivilTime) {
        latest = max(latest, civil.dayNumber * 1440 + civil.secondOfDay / 60)
    }

    func isQuiet(_ hours: QuietHours) -> Bool {
        let (day, minute) = (latest / 1440, latest % 1440)
        let (from, to) = (hours.from.minutes, hours.to.minutes)
        if from == to { return false }
        func begins(_ day: Int) -> Bool { hours.days.contains(weekday: CivilTime(dayNumber: day).weekday) }
        if from < to { return begins(day) && minute >= from && minute < to }
        return begins(day) && minute >= from || begins(day - 1) && minute < to
    }
}

/// The same numbers in every run of a zone.
private struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: String) {
        state = seed.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    mutating func next() -> UInt64 {
        state = state &+ 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
