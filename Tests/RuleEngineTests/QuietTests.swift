// Quiet hours of a rule: what it contributes there, where it counts, and whose zone it is.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct QuietTests {
    /// 12:00 in UTC, 21:00 in Seoul, 13:00 in Berlin, 07:00 in New York.
    private static let noon = Instant("2026-01-01T12:00:00Z")!

    private func scene(_ quiet: String, decide: String = #"decide = { badge = "+1", display = "show" },"#) -> Scene {
        var scene = Scene(rules: "rule \"Night\" { on = { \"present\", \"open\" }, quiet = { \(quiet) }, \(decide) }")
        scene.now = QuietTests.noon
        return scene
    }

    @Test("Within its quiet hours a rule suppresses, and decides nothing else")
    func suppresses() throws {
        let decision = try scene(#""12:00", "13:00""#).answer().decision
        #expect(decision.display?.action == .suppress)
        #expect(decision.display?.rule == "Night")
        #expect(decision.display?.reason == "quiet from 12:00 to 13:00 in UTC")
        #expect(decision.badge == nil)
    }

    @Test(
        "Outside of them it decides as if they were not there",
        arguments: [#""13:00", "12:00""#, #""12:00", "12:00""#, #""11:00", "12:00""#])
    func decides(quiet: String) throws {
        let decision = try scene(quiet).answer().decision
        #expect(decision.display?.action == .show)
        #expect(decision.badge?.change == 1)
    }

    @Test("`decide` is not called within quiet hours, `when` is")
    func calls() throws {
        let decide = #"when = function() log("when") return true end, decide = function() log("decide") return {} end"#
        var scene = scene(#""12:00", "13:00""#, decide: decide)
        scene.options.tracesRules = true
        let decision = try scene.answer().decision
        #expect(decision.trace?.log == ["when"])
        #expect(decision.trace?.rules.first?.outcome == .matched)
        #expect(decision.trace?.rules.first?.because?.contains("suppress") == true)
    }

    @Test("A rule whose `when` says no is not quiet")
    func whenNo() throws {
        let decision = try scene(#""12:00", "13:00""#, decide: "when = function() return false end").answer().decision
        #expect(decision.display?.action == .show && decision.display?.rule == nil)
    }

    @Test("`otherwise = \"list\"` leaves it in the list, silently")
    func list() throws {
        let display = try #require(try scene(#""12:00", "13:00", otherwise = "list""#).answer().decision.display)
        #expect(display.action == .show && display.options == .list)
    }

    @Test("`otherwise = \"defer\"` holds it back until the hours are over, told as instant, wall time and zone")
    func defers() throws {
        let answer = try scene(#""21:00", "08:00", otherwise = "defer", zone = "Asia/Seoul""#).answer()
        #expect(
            answer.json.contains(
                #""until":{"at":"2026-01-01T23:00:00Z","local":"2026-01-02 08:00","zone":"Asia/Seoul"}"#))
        #expect(answer.decision.display?.reason == "quiet from 21:00 to 08:00 in Asia/Seoul")
    }

    @Test("Quiet hours hold for what may disturb, not for a tap")
    func events() throws {
        var scene = scene(#""12:00", "13:00""#)
        scene.event = #""open""#
        #expect(try scene.answer().decision.display?.action == .show)
        for event in ["send", "enrich", "receive", "due"] {
            scene.rules = "rule \"Night\" { on = \"\(event)\", quiet = { \"12:00\", \"13:00\" } }"
            scene.event = "\"\(event)\""
            #expect(try scene.answer().decision.display?.action == .suppress)
        }
    }

    @Test("A critical channel passes quiet hours")
    func critical() throws {
        var scene = scene(#""12:00", "13:00""#)
        scene.app = #"return { api = 1, channels = { alarm = { critical = true }, chat = {} } }"#
        for (channel, action) in [("alarm", Display.Action.show), ("chat", .suppress)] {
            scene.message = #"{"message_id":"m-1","aps":{"alert":"Fire"},"channel":"\#(channel)"}"#
            #expect(try scene.answer().decision.display?.action == action)
        }
    }

    @Test(
        "The zone is the rule's, else the phone's, else the person's setting, else the app's, else UTC",
        arguments: [
            (", zone = \"Asia/Tokyo\"", "Asia/Seoul", "Europe/Berlin", "America/New_York", "Asia/Tokyo"),
            ("", "Asia/Seoul", "Europe/Berlin", "America/New_York", "Asia/Seoul"),
            ("", nil, "Europe/Berlin", "America/New_York", "Europe/Berlin"),
            ("", "Mars/Olympus", "Europe/Berlin", "America/New_York", "Europe/Berlin"),
            ("", nil, nil, "America/New_York", "America/New_York"), ("", nil, "Mars/Olympus", "America/New_York", "America/New_York"),
            ("", "localtime", nil, nil, "UTC"), ("", nil, nil, nil, "UTC"),
        ] as [(String, String?, String?, String?, String)])
    func zones(rule: String, device: String?, setting: String?, app: String?, expected: String) throws {
        var scene = scene("\"00:00\", \"24:00\"\(rule)")
        if let device { scene.device = #"{"recipient":"u-1","state":"foreground","timezone":"\#(device)"}"# }
        scene.state.one.timezone = setting
        if let app { scene.app = "return { api = 1, timezone = \"\(app)\" }" }
        #expect(try scene.answer().decision.display?.reason == "quiet from 00:00 to 24:00 in \(expected)")
    }

    @Test("A phone in a zone that does not exist is told so")
    func unknownZone() throws {
        var scene = scene(#""13:00", "14:00""#)
        scene.device = #"{"recipient":"u-1","state":"foreground","timezone":"Mars/Olympus"}"#
        let warnings = try scene.answer().decision.warnings
        #expect(warnings.map(\.code) == [.unknownTimezone])
        #expect(warnings.first?.path == "timezone")
    }

    @Test("Quiet counts on the days on which it begins")
    func days() throws {
        // The first of January 2026 is a Thursday.
        #expect(try scene(#""22:00", "13:00", days = "wed""#).answer().decision.display?.action == .suppress)
        #expect(try scene(#""22:00", "13:00", days = { "thu", "fri" }"#).answer().decision.display?.action == .show)
    }

    @Test("A suppressing rule beats quiet hours that only hold back, whoever comes first")
    func merging() throws {
        var scene = scene(#""12:00", "13:00", otherwise = "defer""#)
        scene.rules += "\nrule \"Off\" { on = \"present\", decide = suppress \"off\" }"
        #expect(try scene.answer().decision.display?.rule == "Off")
    }
}

@Suite struct PeriodTests {
    private func matches(_ keys: String, at now: String, timezone: String = "Asia/Seoul") throws -> Bool {
        var scene = Scene(rules: "rule \"Sale\" { on = \"present\", \(keys), decide = { labels = { hit = \"yes\" } } }")
        scene.device = #"{"recipient":"u-1","state":"foreground","timezone":"\#(timezone)"}"#
        scene.now = try #require(Instant(now))
        return try !scene.answer().decision.labels.isEmpty
    }

    @Test(
        "A rule counts from the start of its first day to the end of its last, on the person's clock",
        arguments: [
            (#"starts = "2026-12-24""#, "2026-12-23T14:59:59.999Z", false), (#"starts = "2026-12-24""#, "2026-12-23T15:00:00Z", true),
            (#"expires = "2026-12-24""#, "2026-12-24T14:59:59.999Z", true), (#"expires = "2026-12-24""#, "2026-12-24T15:00:00Z", false),
            (#"starts = "2026-12-24 18:00""#, "2026-12-24T08:59:59Z", false),
            (#"starts = "2026-12-24 18:00""#, "2026-12-24T09:00:00Z", true),
            (#"expires = "2026-12-24 18:00""#, "2026-12-24T08:59:59Z", true),
            (#"expires = "2026-12-24 18:00""#, "2026-12-24T09:00:00Z", false),
            (#"starts = "2026-12-24T18:00:00Z""#, "2026-12-24T17:59:59Z", false),
            (#"starts = "2026-12-24T18:00:00Z""#, "2026-12-24T18:00:00Z", true),
            (#"expires = { "2026-12-24", zone = "America/New_York" }"#, "2026-12-25T04:59:59Z", true),
            (#"expires = { at = "2026-12-24", zone = "America/New_York" }"#, "2026-12-25T05:00:00Z", false),
            (#"starts = "2026-12-24", expires = "2026-12-24""#, "2026-12-24T00:00:00Z", true),
            (#"expires = "2026-12-31""#, "2026-12-31T14:59:59Z", true), (#"expires = "2026-12-31""#, "2026-12-31T15:00:00Z", false),
        ])
    func periods(keys: String, now: String, expected: Bool) throws {
        #expect(try matches(keys, at: now) == expected)
    }

    @Test("A start in a gap is the first instant after it")
    func gap() throws {
        #expect(try !matches(#"starts = "2026-03-29 02:30""#, at: "2026-03-29T00:59:59Z", timezone: "Europe/Berlin"))
        #expect(try matches(#"starts = "2026-03-29 02:30""#, at: "2026-03-29T01:00:00Z", timezone: "Europe/Berlin"))
    }

    @Test("The trace says when a rule begins to count")
    func trace() throws {
        var scene = Scene(rules: "rule \"Sale\" { on = \"present\", starts = \"2026-12-24\", decide = suppress \"x\" }")
        scene.options.tracesRules = true
        let line = try scene.answer().decision.trace?.rules.first
        #expect(line?.outcome == .noMatch)
        #expect(line?.because == "starts: 2026-12-24 00:00 in UTC, and it is 2026-01-01 12:00")
    }
}
