// time.now, time.wall and the functions beside them, as scripts use them.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct TimeFunctionTests {
    private func value(_ expression: String, now: String = "2026-01-01T12:00:00Z", zone: String = "Asia/Seoul") throws -> String? {
        var scene = Scene(
            rules: #"rule "R" { on = "present", decide = function() return { labels = { v = tostring(\#(expression)) } } end }"#)
        scene.device = #"{"recipient":"u-1","state":"foreground","timezone":"\#(zone)"}"#
        scene.now = try #require(Instant(now))
        let decision = try scene.answer().decision
        return decision.labels.first?.value ?? decision.errors.first?.message
    }

    private func instant(_ text: String) throws -> String { "\(try #require(Instant(text)).milliseconds)" }

    @Test(
        "There is one present, as a number and as the person's wall clock",
        arguments: [
            ("time.now", "1767268800000"), ("time.now == time.now", "true"), ("math.type(time.now)", "integer"),
            ("time.wall.year .. time.wall.month .. time.wall.day", "202611"), ("time.wall.hour", "21"), ("time.wall.minute", "0"),
            ("time.wall.second", "0"), ("time.wall.weekday", "4"), ("time.wall.zone", "Asia/Seoul"), ("time.noww", "nil"),
            ("time.wall.nothing", "nil"),
        ])
    func present(expression: String, expected: String) throws {
        #expect(try value(expression) == expected)
    }

    @Test("Time cannot be changed by a script", arguments: ["time.now = 1", "time.wall = {}", "time = {}", "time.between = nil"])
    func readOnly(statement: String) throws {
        let scene = Scene(rules: "rule \"R\" { on = \"present\", decide = function() \(statement) return {} end }")
        #expect(try scene.answer().decision.errors.map(\.code) == ["rule_raised"])
    }

    @Test("While files are loaded there is no present")
    func loading() throws {
        #expect(throws: Unloadable.self) { try Scene(rules: "local t = time.now").load() }
    }

    @Test(
        "time.between is the same as quiet hours",
        arguments: [
            (#"time.between("21:00", "07:00")"#, "true"), (#"time.between("21:01", "07:00")"#, "false"),
            (#"time.between("20:00", "21:00")"#, "false"), (#"time.between("12:00", "12:01", "UTC")"#, "true"),
            (#"time.between("09:00", "09:00")"#, "false"), (#"time.between("00:00", "24:00")"#, "true"),
            (#"time.between("9:00", "10:00")"#, "not a time of day"), (#"time.between("25:00", "10:00")"#, "not a time of day"),
            (#"time.between("09:00")"#, "must be a text"), (#"time.between("09:00", "10:00", "Mars/X")"#, "no time zone"),
        ])
    func between(expression: String, expected: String) throws {
        #expect(try value(expression)?.contains(expected) == true)
    }

    @Test(
        "time.add counts days on the wall clock and hours by the hour",
        arguments: [
            (#"time.add(time.now, "1d")"#, "2026-03-29T10:00:00Z"), (#"time.add(time.now, "24h")"#, "2026-03-29T11:00:00Z"),
            (#"time.add(time.now, "-1d")"#, "2026-03-27T11:00:00Z"), (#"time.add(time.now, "1w")"#, "2026-04-04T10:00:00Z"),
            (#"time.add(time.now, "1d2h30m")"#, "2026-03-29T12:30:00Z"), (#"time.add(time.now, 90)"#, "2026-03-28T11:01:30Z"),
            (#"time.add(time.now, -90)"#, "2026-03-28T10:58:30Z"), (#"time.add(time.now, "1500ms")"#, "2026-03-28T11:00:01.500Z"),
            (#"time.add(time.now, "1d", "UTC")"#, "2026-03-29T11:00:00Z"), (#"time.add("2026-01-01", "1h")"#, "2026-01-01T00:00:00Z"),
        ])
    func add(expression: String, expected: String) throws {
        #expect(try value(expression, now: "2026-03-28T11:00:00Z", zone: "Europe/Berlin") == (try instant(expected)))
    }

    @Test(
        "time.parse reads instants, dates and times of day",
        arguments: [
            (#"time.parse("2026-12-24T18:00:00+09:00")"#, "2026-12-24T09:00:00Z"), (#"time.parse("2026-12-24")"#, "2026-12-23T15:00:00Z"),
            (#"time.parse("2026-12-24 18:00")"#, "2026-12-24T09:00:00Z"), (#"time.parse("21:00")"#, "2026-01-02T12:00:00Z"),
            (#"time.parse("21:01")"#, "2026-01-01T12:01:00Z"), (#"time.parse("2026-12-24", "UTC")"#, "2026-12-24T00:00:00Z"),
        ])
    func parse(expression: String, expected: String) throws {
        #expect(try value(expression) == (try instant(expected)))
    }

    @Test("What is no time parses as nil", arguments: ["25:00", "", "tomorrow", "2026-02-29", "24.12.2026"])
    func parseNothing(text: String) throws {
        #expect(try value("time.parse(\"\(text)\")") == "nil")
    }

    @Test(
        "time.start_of goes back to where a minute, hour, day, week, month or year began",
        arguments: [
            ("minute", "2026-05-14T20:17:00Z"), ("hour", "2026-05-14T20:00:00Z"), ("day", "2026-05-14T15:00:00Z"),
            ("week", "2026-05-10T15:00:00Z"), ("month", "2026-04-30T15:00:00Z"), ("year", "2025-12-31T15:00:00Z"),
        ])
    func startOf(unit: String, expected: String) throws {
        #expect(try value("time.start_of(\"\(unit)\")", now: "2026-05-14T20:17:42.123Z") == (try instant(expected)))
    }

    @Test(
        "Wrong arguments are told",
        arguments: [
            (#"time.start_of("fortnight")"#, "there is no \"fortnight\""), (#"time.start_of()"#, "must be a text"),
            (#"time.add(time.now)"#, "must be a duration"), (#"time.add(time.now, "soon")"#, "is not a duration"),
            (#"time.add(nil, "1h")"#, "an instant must be given"), (#"time.add("never", "1h")"#, "is not a time"),
            (#"time.add(time.now, "-")"#, "is not a duration"), (#"time.parse(5)"#, "must be a text"),
            (#"time.add(9223372036854775807, "1d")"#, ""), (#"time.start_of("day", -9223372036854775807)"#, ""),
        ])
    func faults(expression: String, expected: String) throws {
        let value = try #require(try value(expression))
        #expect(expected.isEmpty || value.contains(expected))
    }

    @Test(
        "A message is held until an instant that was computed, a wall time or a while, and the answer has the person's clock",
        arguments: [
            (#"time.add(time.now, "1d")"#, #"{"at":"2026-01-02T12:00:00Z","local":"2026-01-02 21:00","zone":"Asia/Seoul"}"#),
            (#""08:00""#, #"{"at":"2026-01-01T23:00:00Z","local":"2026-01-02 08:00","zone":"Asia/Seoul"}"#),
            (#""2026-12-24""#, #"{"at":"2026-12-23T15:00:00Z","local":"2026-12-24 00:00","zone":"Asia/Seoul"}"#),
            (#""90m""#, #"{"at":"2026-01-01T13:30:00Z","local":"2026-01-01 22:30","zone":"Asia/Seoul"}"#),
            (#"90"#, #"{"at":"2026-01-01T12:01:30Z","local":"2026-01-01 21:01:30","zone":"Asia/Seoul"}"#),
            (#""resume""#, #""resume""#),
        ])
    func holdUntil(value: String, expected: String) throws {
        var scene = Scene(rules: "rule \"R\" { on = \"present\", decide = function() return defer(\(value), \"later\") end }")
        scene.device = #"{"recipient":"u-1","state":"foreground","timezone":"Asia/Seoul"}"#
        let json = try scene.answer().json
        #expect(json.contains("\"until\":\(expected)"), "\(json)")
    }
}
