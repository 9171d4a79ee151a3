import CivilTime
import JSONDocument
import PushMessage
import Testing

/// `2026-03-29 02:30` and so on.
private func wall(_ text: String) throws -> CivilTime {
    var text = text
    let read = text.withUTF8 { WallTime(JSONText(start: $0.baseAddress, count: $0.count)) }
    switch try #require(read) {
    case .date(let civil), .moment(let civil): return civil
    case .clock: throw Unreadable()
    }
}
private struct Unreadable: Error {}
private func instant(_ text: String) throws -> Instant { try #require(Instant(text)) }

@Suite("Zones")
struct ZoneTests {
    @Test(
        "a name that is none, or leads out of the folder of zones, is no zone",
        arguments: [
            "", "Europe", "Europe/", "/Europe/Berlin", "Europe//Berlin", "Europe/Berlin/", "europe/berlin", "Europe/Berlin ",
            "Mars/Olympus", "../zoneinfo/Europe/Berlin", "./UTC", "Europe/../UTC", "/etc/localtime", "localtime", "posixrules",
            "Factory", "posix/UTC", "right/UTC", "zone.tab", "tzdata.zi", "leapseconds", "libc:localtime",
            "Fixed/UTC+05:00:00", "UTC\0", "UTC\n", "+09:00", "CEST-2", String(repeating: "A", count: 5000), "Zürich",
            "é/\u{202E}",
        ])
    func unknownNames(name: String) {
        #expect(Zone(name) == nil)
    }

    @Test(
        "a zone keeps the name that it was asked for",
        arguments: ["UTC", "Etc/GMT+12", "America/Argentina/Ushuaia", "US/Eastern", "Asia/Kathmandu"])
    func names(name: String) throws {
        #expect(try #require(Zone(name)).name == name)
    }

    @Test(
        "an instant reads as the wall clock of the place",
        arguments: [
            ("UTC", "2026-07-01T12:00:00Z", "2026-07-01 12:00", 0),
            ("Europe/Berlin", "2026-01-01T12:00:00Z", "2026-01-01 13:00", 3600),
            ("Europe/Berlin", "2026-07-01T12:00:00Z", "2026-07-01 14:00", 7200),
            ("Australia/Sydney", "2026-01-01T12:00:00Z", "2026-01-01 23:00", 39_600),
            ("Australia/Sydney", "2026-07-01T12:00:00Z", "2026-07-01 22:00", 36_000),
            ("Australia/Lord_Howe", "2026-01-01T12:00:00Z", "2026-01-01 23:00", 39_600),
            ("Australia/Lord_Howe", "2026-07-01T12:00:00Z", "2026-07-01 22:30", 37_800),
            ("Pacific/Chatham", "2026-01-01T12:00:00Z", "2026-01-02 01:45", 49_500),
            ("Pacific/Chatham", "2026-07-01T12:00:00Z", "2026-07-02 00:45", 45_900),
            ("Asia/Kathmandu", "2026-07-01T18:14:59Z", "2026-07-01 23:59:59", 20_700),
            ("Asia/Kathmandu", "2026-07-01T18:15:00Z", "2026-07-02 00:00", 20_700),
            ("America/St_Johns", "2026-01-01T03:29:59Z", "2025-12-31 23:59:59", -12_600),
            ("Europe/Dublin", "2026-07-01T12:00:00Z", "2026-07-01 13:00", 3600),
            ("America/Sao_Paulo", "2018-12-01T12:00:00Z", "2018-12-01 10:00", -7200),
            ("America/Sao_Paulo", "2026-12-01T12:00:00Z", "2026-12-01 09:00", -10_800),
            ("Europe/Berlin", "2099-07-01T12:00:00Z", "2099-07-01 14:00", 7200),
            ("Europe/Berlin", "1970-01-01T00:00:00Z", "1970-01-01 01:00", 3600),
        ])
    func clocks(zone: String, at: String, civil: String, offset: Int) throws {
        let zone = try #require(Zone(zone))
        let found = zone.clock(at: try instant(at))
        #expect(found.civil.text == civil)
        #expect(found.offset == offset)
        #expect(zone.instant(of: found.civil) == (try instant(at)))
    }

    @Test(
        "a wall time in a gap means the first instant after it, one that comes twice means the first",
        arguments: [
            ("Europe/Berlin", "2026-03-29 01:59:59", "2026-03-29T00:59:59Z", Zone.Meaning.unique),
            ("Europe/Berlin", "2026-03-29 02:00", "2026-03-29T01:00:00Z", .skipped),
            ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:00:00Z", .skipped),
            ("Europe/Berlin", "2026-03-29 02:59:59", "2026-03-29T01:00:00Z", .skipped),
            ("Europe/Berlin", "2026-03-29 03:00", "2026-03-29T01:00:00Z", .unique),
            ("Europe/Berlin", "2026-10-25 02:00", "2026-10-25T00:00:00Z", .repeated),
            ("Europe/Berlin", "2026-10-25 02:59:59", "2026-10-25T00:59:59Z", .repeated),
            ("Europe/Berlin", "2026-10-25 03:00", "2026-10-25T02:00:00Z", .unique),
            ("Australia/Sydney", "2026-10-04 02:30", "2026-10-03T16:00:00Z", .skipped),
            ("Australia/Sydney", "2026-04-05 02:30", "2026-04-04T15:30:00Z", .repeated),
            ("Australia/Lord_Howe", "2026-10-04 02:15", "2026-10-03T15:30:00Z", .skipped),
            ("Australia/Lord_Howe", "2026-10-04 02:30", "2026-10-03T15:30:00Z", .unique),
            ("Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04T14:45:00Z", .repeated),
            ("Australia/Lord_Howe", "2026-04-05 01:29", "2026-04-04T14:29:00Z", .unique),
            ("Pacific/Chatham", "2026-09-27 02:50", "2026-09-26T14:00:00Z", .skipped),
            ("Pacific/Chatham", "2026-04-05 03:00", "2026-04-04T13:15:00Z", .repeated),
            ("America/New_York", "2026-03-08 02:30", "2026-03-08T07:00:00Z", .skipped),
            ("America/New_York", "2026-11-01 01:30", "2026-11-01T05:30:00Z", .repeated),
            ("Asia/Kathmandu", "2026-07-02 00:00", "2026-07-01T18:15:00Z", .unique),
            ("Pacific/Apia", "2011-12-30 12:00", "2011-12-30T10:00:00Z", .skipped),
            ("Pacific/Apia", "2011-12-31 00:00", "2011-12-30T10:00:00Z", .unique),
            ("Pacific/Apia", "2011-12-29 23:59", "2011-12-30T09:59:00Z", .unique),
        ])
    func gapsAndOverlaps(zone: String, civil: String, at: String, meaning: Zone.Meaning) throws {
        let zone = try #require(Zone(zone))
        let found = zone.resolve(try wall(civil))
        #expect(found.instant == (try instant(at)))
        #expect(found.meaning == meaning)
    }

    @Test("24:00 is the next day's first instant")
    func endOfDay() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        #expect(zone.instant(of: try wall("2026-12-31 24:00")) == (try instant("2026-12-31T23:00:00Z")))
        #expect(try wall("2026-12-31 24:00").adding(days: 1).text == "2027-01-01 24:00")
    }

    @Test("a day begins after the gap where the clocks jump over midnight")
    func startOfDay() throws {
        // Beirut goes from 00:00 to 01:00.
        let beirut = try #require(Zone("Asia/Beirut"))
        #expect(beirut.startOfDay(try instant("2026-03-29T12:00:00Z")) == (try instant("2026-03-28T22:00:00Z")))
        #expect(beirut.civil(at: try instant("2026-03-28T22:00:00Z")).text == "2026-03-29 01:00")
        // Havana goes from 01:00 back to 00:00: the day begins with the first of the two.
        let havana = try #require(Zone("America/Havana"))
        #expect(havana.startOfDay(try instant("2026-11-01T12:00:00Z")) == (try instant("2026-11-01T04:00:00Z")))
        #expect(havana.startOfDay(try instant("2026-11-01T05:10:00Z")) == (try instant("2026-11-01T04:00:00Z")))
    }

    @Test("days are added on the wall clock, thousandths stay")
    func addingDays() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        #expect(zone.adding(days: 1, to: try instant("2026-03-28T07:00:00.250Z")) == (try instant("2026-03-29T06:00:00.250Z")))
        #expect(zone.adding(days: 1, to: try instant("2026-03-28T01:30:00Z")) == (try instant("2026-03-29T01:00:00Z")))
        #expect(zone.adding(days: -7, to: try instant("2026-03-29T06:00:00Z")) == (try instant("2026-03-22T07:00:00Z")))
        let apia = try #require(Zone("Pacific/Apia"))
        #expect(apia.adding(days: 2, to: try instant("2011-12-29T10:30:00Z")) == (try instant("2011-12-30T10:30:00Z")))
    }

    @Test("the next change of a zone is where its clocks jump")
    func changes() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        #expect(zone.nextChange(after: try instant("2026-01-01T00:00:00Z")) == (try instant("2026-03-29T01:00:00Z")))
        #expect(zone.nextChange(after: try instant("2026-03-29T01:00:00Z")) == (try instant("2026-10-25T01:00:00Z")))
        #expect(Zone.utc.nextChange(after: try instant("2026-01-01T00:00:00Z")) == nil)
    }

    @Test("instants beyond all calendars do no harm", arguments: [Int64.min, Int64.max, 0, -1])
    func edges(milliseconds: Int64) throws {
        let zone = try #require(Zone("Asia/Seoul"))
        let civil = zone.civil(at: Instant(milliseconds: milliseconds))
        #expect((1...12).contains(civil.month))
        #expect((1...7).contains(civil.weekday))
        _ = zone.startOfDay(Instant(milliseconds: milliseconds))
        _ = zone.adding(days: .max, to: Instant(milliseconds: milliseconds))
        _ = zone.instant(of: CivilTime(year: .max, month: .max, day: .min, hour: .max, minute: .max, second: .max))
    }
}

@Suite("Names of zones")
struct ZoneNameTests {
    @Test("every name that is listed is a zone, and no other thing of the folder is listed")
    func names() {
        let names = Zone.names
        #expect(names.count > 300)
        #expect(names.contains("Europe/Berlin"))
        #expect(names == names.sorted())
        #expect(names.filter { Zone($0) == nil } == [])
        #expect(!names.contains("localtime"))
        #expect(!names.contains { $0.hasPrefix("posix") || $0.hasPrefix("right") })
    }
}
