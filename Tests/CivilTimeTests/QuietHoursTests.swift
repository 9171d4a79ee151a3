import CivilTime
import JSONDocument
import PushMessage
import Testing

private func clock(_ text: String) throws -> TimeOfDay {
    var text = text
    return try #require(text.withUTF8 { TimeOfDay(JSONText(start: $0.baseAddress, count: $0.count)) })
}

private func quiet(_ from: String, _ to: String, days: [String] = Weekdays.names) throws -> QuietHours {
    QuietHours(
        from: try clock(from), to: try clock(to), days: Weekdays(try days.map { try #require(Weekdays(name: $0)) }))
}

@Suite("Quiet hours")
struct QuietHoursTests {
    @Test(
        "the start is inside, the end is not",
        arguments: [
            ("21:00", "08:00", "2026-01-01T19:59:59.999Z", nil),
            ("21:00", "08:00", "2026-01-01T20:00:00Z", "2026-01-02T07:00:00Z"),
            ("21:00", "08:00", "2026-01-02T06:59:59.999Z", "2026-01-02T07:00:00Z"),
            ("21:00", "08:00", "2026-01-02T07:00:00Z", nil),
            ("12:00", "14:00", "2026-01-01T11:00:00Z", "2026-01-01T13:00:00Z"), ("12:00", "14:00", "2026-01-01T13:00:00Z", nil),
            ("00:00", "07:00", "2026-01-01T23:00:00Z", "2026-01-02T06:00:00Z"),
            ("22:00", "24:00", "2026-01-01T22:59:59Z", "2026-01-01T23:00:00Z"),
            ("22:00", "24:00", "2026-01-01T23:00:00Z", nil), ("22:00", "00:00", "2026-01-01T22:59:59Z", "2026-01-01T23:00:00Z"),
            ("24:00", "01:00", "2026-01-01T23:30:00Z", "2026-01-02T00:00:00Z"),
        ] as [(String, String, String, String?)])
    func edges(from: String, to: String, now: String, end: String?) throws {
        let zone = try #require(Zone("Europe/Berlin"))
        let now = try #require(Instant(now))
        let quiet = try quiet(from, to)
        #expect(quiet.contains(now, in: zone) == (end != nil))
        #expect(quiet.end(after: now, in: zone)?.text == end)
    }

    @Test("an empty window is never quiet, and one without days neither", arguments: ["00:00", "08:00", "24:00"])
    func empty(time: String) throws {
        let day = try #require(Instant("2026-01-01T00:00:00Z")).milliseconds
        for minute in 0..<1440 {
            let instant = Instant(milliseconds: day + Int64(minute) * 60_000)
            #expect(try quiet(time, time).end(after: instant, in: .utc) == nil)
            #expect(try quiet("21:00", "08:00", days: []).end(after: instant, in: .utc) == nil)
        }
        #expect(try !quiet("24:00", "00:00").contains(Instant(milliseconds: day), in: .utc))
    }

    @Test(
        "a window past midnight belongs to the day on which it begins",
        arguments: [
            // 2026-01-02 is a Friday.
            ("2026-01-01T23:30:00Z", nil), ("2026-01-02T21:30:00Z", "2026-01-03T08:00:00Z"),
            ("2026-01-03T07:00:00Z", "2026-01-03T08:00:00Z"),
            ("2026-01-03T21:30:00Z", "2026-01-04T08:00:00Z"), ("2026-01-04T07:00:00Z", "2026-01-04T08:00:00Z"),
            ("2026-01-04T21:30:00Z", nil),
        ] as [(String, String?)])
    func days(now: String, end: String?) throws {
        let now = try #require(Instant(now))
        #expect(try quiet("21:00", "08:00", days: ["fri", "sat"]).end(after: now, in: .utc)?.text == end)
    }

    @Test("windows that touch are one quiet")
    func touching() throws {
        let weekend = try quiet("00:00", "24:00", days: ["sat", "sun"])
        let saturday = try #require(Instant("2026-01-03T10:00:00Z"))
        #expect(weekend.end(after: saturday, in: .utc)?.text == "2026-01-05T00:00:00Z")
        let always = try quiet("00:00", "24:00")
        #expect(try #require(always.end(after: saturday, in: .utc)) > saturday)
    }

    @Test(
        "where the clocks jump, a window begins and ends with the first instant after the gap or the first of two",
        arguments: [
            ("Europe/Berlin", "02:30", "05:00", "2026-03-29T00:59:00Z", nil),
            ("Europe/Berlin", "02:30", "05:00", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00Z"),
            ("Europe/Berlin", "01:00", "02:30", "2026-03-29T00:59:00Z", "2026-03-29T01:00:00Z"),
            ("Europe/Berlin", "01:00", "02:30", "2026-03-29T01:00:00Z", nil),
            ("Europe/Berlin", "02:15", "02:45", "2026-03-29T01:00:00Z", nil),
            ("Europe/Berlin", "01:00", "02:30", "2026-10-25T00:29:00Z", "2026-10-25T00:30:00Z"),
            ("Europe/Berlin", "01:00", "02:30", "2026-10-25T01:15:00Z", nil),
            ("Europe/Berlin", "02:30", "05:00", "2026-10-25T01:15:00Z", "2026-10-25T04:00:00Z"),
            ("Europe/Berlin", "22:00", "07:00", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"),
            ("Europe/Berlin", "22:00", "07:00", "2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"),
            ("Australia/Lord_Howe", "22:00", "02:15", "2026-10-03T15:29:00Z", "2026-10-03T15:30:00Z"),
            // 00:01 goes back to 23:01 of the day before: the day that had begun is not begun again.
            ("America/St_Johns", "00:00", "00:30", "2010-11-07T02:30:30Z", "2010-11-07T04:00:00Z"),
            ("America/St_Johns", "00:00", "00:30", "2010-11-07T03:00:00Z", "2010-11-07T04:00:00Z"),
            // The 30th of December was left out.
            ("Pacific/Apia", "22:00", "07:00", "2011-12-30T09:00:00Z", "2011-12-30T17:00:00Z"),
        ] as [(String, String, String, String, String?)])
    func jumps(zone: String, from: String, to: String, now: String, end: String?) throws {
        let zone = try #require(Zone(zone))
        let now = try #require(Instant(now))
        #expect(try quiet(from, to).end(after: now, in: zone)?.text == end)
    }
}
