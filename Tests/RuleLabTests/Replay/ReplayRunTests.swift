// A replay counts what happened, and ends in the state that the same events lead to one by one.
import CivilTime
import Foundation
import JSONDocument
import PushMessage
import RuleEngine
import RuleStore
import Testing

@testable import RuleLab

struct ReplayRunTests {
    private static func replay(
        _ evaluator: any RuleEvaluating, _ lines: [String], state: AppState = AppState(), recipient: String? = nil,
        telling tell: (ReplayRun.Note) -> Void = { _ in }
    ) -> ReplayRun {
        let run = ReplayRun(evaluator, state: state, recipient: recipient)
        for batch in LoadedRules.batches(lines) { run.play(batch, telling: tell) }
        return run
    }

    private static let rules = """
        rule "Night" { on = "send", channel = "offers", quiet = { "21:00", "08:00", otherwise = "defer" } }
        rule "Two a day" { on = { "send", "due" }, channel = "offers", cap = { 2, per = "day" } }
        rule "Not b" { on = "send", channel = "b", decide = suppress "no b" }
        rule "Count" { on = { "send", "due" }, decide = { badge = "+1" } }
        """

    private static func line(_ at: String, _ id: String?, _ channel: String = "offers", event: String? = nil, person: String = "u-1")
        -> String
    {
        LoadedRules.line(at, id, data: #","channel":"\#(channel)""#, event: event).replacing("u-1", with: person)
    }

    @Test("Messages are counted by what came of them, by hour, channel and rule, and limits by how often they held")
    func counts() throws {
        let run = Self.replay(
            try LoadedRules.evaluator(Self.rules),
            [
                Self.line("05:00:00", "m-1"), Self.line("05:30:00", "m-2"), Self.line("09:00:00", "m-3"), Self.line("09:01:00", "m-4", "b"),
                Self.line("09:02:00", "m-5", "a", person: "u-2"), Self.line("09:02:00", "m-5", "a", person: "u-2"),
                Self.line("09:03:00", nil, event: #""resume""#),
            ])
        let report = run.report
        #expect(report.counts.shown == 1 && report.counts.notShown == 3 && report.counts.held == 2 && report.counts.nothing == 1)
        // Held back at night, both shown in the morning; after that the day is full.
        #expect(report.due == (2, 0, 0, 0))
        #expect(report.caps == [ReplayReport.Limit(rule: "Two a day", events: 1, people: 1)])
        #expect(report.quiet == [ReplayReport.Limit(rule: "Night", events: 2, people: 1)])
        #expect(report.hours[5].counts.held == 2 && report.hours[9].counts.events == 5)
        #expect(report.channels.map(\.name) == ["offers", "a", "", "b"])
        #expect(report.rules.first { $0.name == "Not b" }?.counts.notShown == 1)
        #expect(report.rules.first { $0.name == "guard:duplicate" }?.counts.notShown == 1)
        #expect(report.duplicates == 1 && report.waiting == (0, 0))
        #expect(report.people.map(\.recipient) == ["u-1", "u-2"])
        #expect(report.people[0].shownLater == 2 && report.people[0].badge == 2 && report.people[1].badge == 1)
    }

    @Test("What waits until the app comes to the front is handed over, what still waits at the end is told")
    func resume() throws {
        let rules = """
            rule "Until open" { on = "send", channel = "a", decide = defer("resume", "later") }
            rule "Tomorrow" { on = "send", channel = "b", decide = defer("2026-03-03 08:00", "later") }
            """
        let run = Self.replay(
            try LoadedRules.evaluator(rules),
            [
                Self.line("05:00:00", "m-1", "a"), Self.line("06:00:00", "m-2", "b"), Self.line("07:00:00", nil, event: #""resume""#),
                Self.line("08:00:00", "m-3", "a"),
            ])
        let report = run.report
        #expect(report.heldForResume == 2 && report.handedOver == 1)
        #expect(report.waiting == (1, 1))
    }

    @Test("Notes come in the order in which things happen, and name the lines")
    func notes() throws {
        var seen: [String] = []
        _ = Self.replay(
            try LoadedRules.evaluator(Self.rules), [Self.line("05:00:00", "m-1"), "{", Self.line("09:00:00", "m-2", "a")],
            telling: { note in
                switch note {
                case .due(let answer): seen.append("due \(answer.id) \(answer.at.text)")
                case .played(let played, let line, _): seen.append("line \(line.number) \(played.decisions.count)")
                case .unreadable(let line, let batch, let fault):
                    seen.append("\(fault.code) \(line.number) \(String(decoding: batch.text(of: line), as: UTF8.self))")
                }
            })
        #expect(seen == ["line 1 1", "json_unfinished 2 {", "due m-1 2026-03-02T08:00:00Z", "line 3 1"])
    }

    @Test("Lines that cannot be read, of other apps, and out of order are counted apart")
    func leftOut() throws {
        let run = Self.replay(
            try LoadedRules.evaluator(Self.rules),
            [
                Self.line("09:00:00", "m-1", "a"), "[]", LoadedRules.line("09:00:00", app: "other"), Self.line("08:00:00", "m-2", "a"),
                LoadedRules.line("09:30:00", "m-3", device: #","state":"asleep""#),
            ])
        let report = run.report
        #expect(report.counts.events == 2 && report.unreadable == 2 && report.otherApps == 1)
        #expect(report.outOfOrder == 1 && report.firstOutOfOrder == 4)
    }

    @Test("Timelines have marks and the stretches of waiting, of the person that is asked for only")
    func marks() throws {
        let lines = [
            Self.line("05:00:00", "m-1"), Self.line("05:00:00", "m-1", person: "u-2"), Self.line("09:00:00", "m-2", "b"),
        ]
        let all = Self.replay(try LoadedRules.evaluator(Self.rules), lines).report
        #expect(all.rows.map(\.person.recipient) == ["u-1", "u-2"])
        #expect(
            all.rows[0].marks.map(\.outcome) == [.held, .shown, .notShown] && all.rows[0].marks.map(\.wasHeld) == [false, true, false])
        #expect(all.rows[0].waits.map { "\($0.from.text) \($0.to.text)" } == ["2026-03-02T05:00:00Z 2026-03-02T08:00:00Z"])
        let one = Self.replay(try LoadedRules.evaluator(Self.rules), lines, recipient: "u-2").report
        #expect(one.rows.map(\.person.recipient) == ["u-2"] && one.people.count == 2)
    }

    @Test("What is kept for timelines has bounds, however much happens")
    func bounds() throws {
        let evaluator = try LoadedRules.evaluator("")
        let lines = (0..<1500).map { number in
            LoadedRules.line("09:00:00", "m-\(number)").replacing("u-1", with: number < 900 ? "u-1" : "u-\(number)")
        }
        let report = Self.replay(evaluator, lines).report
        #expect(report.rows.count == ReplayReport.mostRows && report.rows[0].marks.count == ReplayMarks.mostEach && report.rows[0].isCut)
        #expect(report.people.count == 601)
    }

    @Test("Errors of rules are counted by their places")
    func errors() throws {
        let run = Self.replay(
            try LoadedRules.evaluator(#"rule "Bad" { on = "send", decide = function(msg) return msg.x.y end }"#),
            ["09:00:00", "09:01:00"].enumerated().map { Self.line($0.element, "m-\($0.offset)") })
        #expect(run.report.errors.map(\.count) == [2] && run.report.errors[0].words.hasPrefix("rules.lua:1: “Bad”"))
    }

    @Test("The same traffic is the same replay, to the byte")
    func sameness() throws {
        let lines = (0..<200).map { number in
            Self.line(
                "\(10 + number / 60):\(number % 60 < 10 ? "0" : "")\(number % 60):00", "m-\(number)", ["offers", "a", "b"][number % 3]
            )
            .replacing("u-1", with: "u-\(number % 17)")
        }
        func bytes() throws -> [UInt8] {
            var writer = JSONWriter()
            ReplayWriter.write(Self.replay(try LoadedRules.evaluator(Self.rules), lines).report, into: &writer)
            return writer.bytes
        }
        #expect(try bytes() == bytes())
    }
}
