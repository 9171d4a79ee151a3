import CivilTime
import JSONDocument
import PushMessage
import Testing

private func read<T>(_ text: String, _ body: (JSONText) -> T) -> T {
    var text = text
    return text.withUTF8 { body(JSONText(start: $0.baseAddress, count: $0.count)) }
}

@Suite("Dates and wall times")
struct CivilTimeTests {
    @Test(
        "weekdays count from Monday",
        arguments: [
            ((2026, 1, 1), 4), ((2026, 1, 5), 1), ((2026, 1, 4), 7), ((2024, 2, 29), 4), ((1970, 1, 1), 4), ((1969, 12, 31), 3),
            ((2000, 2, 29), 2), ((1600, 3, 1), 3),
        ])
    func weekdays(date: (Int, Int, Int), weekday: Int) {
        #expect(CivilTime(year: date.0, month: date.1, day: date.2).weekday == weekday)
    }

    @Test("a day's number and its date are the same thing, four centuries long")
    func dayNumbers() {
        var expected = CivilTime(year: 1700, month: 1, day: 1)
        let first = expected.dayNumber
        for number in first..<(first + 146_097 + 400) {
            guard CivilTime(dayNumber: number) == expected, expected.dayNumber == number else {
                Issue.record("day \(number) is \(CivilTime(dayNumber: number).text), not \(expected.text)")
                return
            }
            expected.day += 1
            if expected.day > CivilTime.days(inMonth: expected.month, of: expected.year) {
                (expected.day, expected.month) = (1, expected.month + 1)
            }
            if expected.month > 12 { (expected.month, expected.year) = (1, expected.year + 1) }
        }
    }

    @Test("earlier is less, and 24:00 is later than 23:59")
    func order() {
        let evening = CivilTime(year: 2026, month: 1, day: 1, hour: 23, minute: 59)
        let midnight = CivilTime(year: 2026, month: 1, day: 1, hour: 24)
        #expect(evening < midnight)
        #expect(!(midnight < evening))
        #expect(midnight < CivilTime(year: 2026, month: 1, day: 2, minute: 1))
    }

    @Test(
        "wall times are dates, dates with a time, or times of day",
        arguments: [
            ("2026-12-24", WallTime.date(CivilTime(year: 2026, month: 12, day: 24))),
            ("2028-02-29 08:05", .moment(CivilTime(year: 2028, month: 2, day: 29, hour: 8, minute: 5))),
            ("2026-12-24 23:59:59", .moment(CivilTime(year: 2026, month: 12, day: 24, hour: 23, minute: 59, second: 59))),
            ("2026-12-24 24:00", .moment(CivilTime(year: 2026, month: 12, day: 24, hour: 24))),
            ("2026-12-24 24:00:00", .moment(CivilTime(year: 2026, month: 12, day: 24, hour: 24))),
            ("00:00", .clock(.startOfDay)), ("24:00", .clock(.endOfDay)),
        ])
    func wallTimes(text: String, expected: WallTime) {
        #expect(read(text) { WallTime($0) } == expected)
    }

    @Test(
        "what no calendar and no clock has is no wall time",
        arguments: [
            "", "25:00", "24:01", "12:60", "8:00", "08:00:00", "0800", "2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31",
            "2026-01-00", "1969-12-31", "2026-12-24T18:00", "2026-12-24 ", "2026-12-24 25:00", "2026-12-24 24:00:01",
            "2026-12-24 18:00:60", "2026-12-24 18:00:", "2026-12-24 18:00 ", "26-12-24", "-8:00", "+8:00", "2026-12-24  18:00",
            "\u{FF11}8:00", "18:00\0",
        ])
    func noWallTimes(text: String) {
        #expect(read(text) { WallTime($0) } == nil)
    }

    @Test(
        "a time of day means the next one, never this moment",
        arguments: [
            ("Europe/Berlin", "2026-01-01T12:00:00Z", "18:00", "2026-01-01T17:00:00Z"),
            ("Europe/Berlin", "2026-01-01T17:00:00Z", "18:00", "2026-01-02T17:00:00Z"),
            ("Europe/Berlin", "2026-01-01T16:59:59.999Z", "18:00", "2026-01-01T17:00:00Z"),
            ("Europe/Berlin", "2026-01-01T12:00:00Z", "24:00", "2026-01-01T23:00:00Z"),
            ("Europe/Berlin", "2026-01-01T23:00:00Z", "24:00", "2026-01-02T23:00:00Z"),
            ("Europe/Berlin", "2026-01-01T12:00:00Z", "00:00", "2026-01-01T23:00:00Z"),
            // 02:30 does not exist on this day, comes twice on the other.
            ("Europe/Berlin", "2026-03-29T00:30:00Z", "02:30", "2026-03-29T01:00:00Z"),
            ("Europe/Berlin", "2026-03-29T01:00:00Z", "02:30", "2026-03-30T00:30:00Z"),
            ("Europe/Berlin", "2026-10-25T00:00:00Z", "02:30", "2026-10-25T00:30:00Z"),
            ("Europe/Berlin", "2026-10-25T01:00:00Z", "02:30", "2026-10-26T01:30:00Z"),
            ("Pacific/Apia", "2011-12-30T09:00:00Z", "08:00", "2011-12-30T10:00:00Z"),
        ])
    func nextTimeOfDay(zone: String, now: String, clock: String, expected: String) throws {
        let zone = try #require(Zone(zone))
        let now = try #require(Instant(now))
        let wall = try #require(read(clock) { WallTime($0) })
        #expect(wall.instant(in: zone, after: now).text == expected)
    }
}
