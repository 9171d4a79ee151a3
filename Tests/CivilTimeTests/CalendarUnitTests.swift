// Parts of the calendar: where they begin and end, also where clocks jump.
import PushMessage
import Testing

@testable import CivilTime

struct CalendarUnitTests {
    @Test(
        "A part of the calendar lasts from its first instant to that of the next",
        arguments: [
            ("Europe/Berlin", "day", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
            ("Europe/Berlin", "day", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
            ("Europe/Berlin", "week", "2026-03-29T12:00:00Z", "2026-03-22T23:00:00Z", "2026-03-29T22:00:00Z"),
            ("Europe/Berlin", "hour", "2026-10-25T00:30:00Z", "2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"),
            ("Asia/Kathmandu", "hour", "2026-01-01T12:00:00Z", "2026-01-01T11:15:00Z", "2026-01-01T12:15:00Z"),
            ("Africa/Cairo", "day", "2026-04-24T12:00:00Z", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"),
            ("Pacific/Apia", "day", "2011-12-30T09:59:59Z", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"),
            ("UTC", "month", "2028-02-15T00:00:00Z", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"),
            ("UTC", "year", "2026-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"),
            ("UTC", "minute", "1969-12-31T23:59:30.500Z", "1969-12-31T23:59:00Z", "1970-01-01T00:00:00Z"),
        ])
    func edges(zone: String, unit: String, at: String, start: String, end: String) throws {
        let zone = try #require(Zone(zone))
        let unit = try #require(CalendarUnit(rawValue: unit))
        let at = try #require(Instant(at))
        #expect(zone.start(of: unit, around: at).text == start)
        #expect(zone.end(of: unit, around: at).text == end)
    }
}
