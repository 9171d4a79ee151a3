// Two rulesets over the same lines: what is counted as different, whose doing it is, and what is kept as an example.
import JSONDocument
import PushMessage
import RuleEngine
import Testing

@testable import RuleLab

struct DiffRunTests {
    private struct CannotFail: Error {}

    private func diff(
        _ old: String, _ new: String, _ lines: [String], manifest: String = "return { api = 1 }", state: AppState = AppState(),
        batch: Int = 3,
        reporting: ((DiffExample) -> Void)? = nil, unreadable: ((Int, TrafficFault) -> Void)? = nil
    ) throws -> DiffReport {
        let run = DiffRun(
            try LoadedRules.evaluator(old, manifest: manifest), try LoadedRules.evaluator(new, manifest: manifest), state: state,
            reporting: reporting)
        var batches = LoadedRules.batches(lines, of: batch)[...]
        let report = try run.run(reading: { () throws(CannotFail) -> TrafficBatch? in batches.popFirst() }) { note in
            if case .unreadable(let line, _, let fault) = note { unreadable?(line, fault) }
        }
        return try #require(report)
    }

    private func counts(_ report: DiffReport) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: report.kinds.filter { $0.count > 0 }.map { ($0.kind.rawValue, $0.count) })
    }

    @Test("The same rules differ over nothing")
    func same() throws {
        let rules = #"rule "All" { on = "send", cap = { 2, per = "day" }, decide = { badge = "+1" } }"#
        let report = try diff(rules, rules, (0..<10).map { LoadedRules.line("09:0\($0):00", "m-\($0)") })
        #expect(report.events == 10 && report.changed == 0 && report.examples.isEmpty && counts(report).isEmpty)
        #expect(report.otherReasons == 0)
    }

    @Test(
        "Each way of being different has its kind, and only its kind",
        arguments: [
            ("decide = suppress 'no'", "decide = show()", ["newly_shown"]),
            ("decide = show()", "decide = suppress 'no'", ["newly_suppressed"]),
            ("decide = show()", "decide = defer('23:00', 'later')", ["newly_deferred"]),
            ("decide = suppress 'no'", "decide = defer('23:00', 'later')", ["newly_deferred"]),
            ("decide = defer('23:00', 'later')", "decide = suppress 'no'", ["newly_suppressed"]),
            ("decide = defer('23:00', 'later')", "decide = show()", ["newly_shown"]),
            ("decide = defer('22:00', 'later')", "decide = defer('23:00', 'later')", ["other"]),
            ("decide = { display = { 'banner' } }", "decide = { display = { 'list' } }", ["options"]),
            ("decide = { route = 'shop://a' }", "decide = { route = 'shop://b' }", ["route"]),
            ("decide = { badge = '+1' }", "decide = { badge = '+2' }", ["badge"]),
            ("decide = { badge = '+1' }", "decide = { badge = 1 }", ["badge"]),
            ("decide = { title = 'a' }", "decide = { title = 'b' }", ["content"]),
            ("decide = { topics = { subscribe = { 'a' } } }", "decide = { topics = { subscribe = { 'b' } } }", ["topics"]),
            ("decide = { labels = { a = '1' } }", "decide = { labels = { a = '2' } }", ["other"]),
            ("decide = { inbox = 1 }", "decide = { inbox = 2 }", ["other"]),
            ("decide = {}", "decide = function() error('no') end", ["error"]),
            ("decide = { badge = '+1' }", "decide = suppress 'no'", ["badge", "newly_suppressed"]),
            ("decide = suppress 'a'", "decide = suppress 'b'", []),
        ])
    func kinds(_ old: String, _ new: String, _ kinds: [String]) throws {
        let report = try diff(
            "rule \"R\" { on = \"send\", \(old) }", "rule \"R\" { on = \"send\", \(new) }", [LoadedRules.line("09:00:00")])
        #expect(counts(report).keys.sorted() == kinds)
        #expect(report.events == 1 && report.changed == (kinds.isEmpty ? 0 : 1))
        #expect(report.otherReasons == (kinds.isEmpty ? 1 : 0))
        #expect(report.examples.count == report.changed)
        // The counts of parts are those of the whole.
        #expect(report.channels.map(\.changed).reduce(0, +) == report.changed)
        #expect(report.hours.map(\.changed).reduce(0, +) == report.changed)
    }

    @Test("A rule that fails with the same words further down is the same failure")
    func moved() throws {
        let rule = #"rule "R" { on = "send", decide = function() error({}) end }"#
        #expect(try diff(rule, "-- a line more\n\n" + rule, [LoadedRules.line("09:00:00")]).changed == 0)
    }

    @Test("A rule with another name and the same deeds makes no difference, and is told as one that decides")
    func renamed() throws {
        let report = try diff(
            #"rule "A" { on = "send", decide = suppress "no" }"#, #"rule "B" { on = "send", decide = suppress "no" }"#,
            [LoadedRules.line("09:00:00")])
        #expect(report.changed == 0 && report.otherReasons == 1)
    }

    @Test("A journey is one event: its decisions are laid beside each other by their names")
    func journey() throws {
        let lines = [LoadedRules.line("09:00:00", device: #","state":"terminated","tap":true"#)]
        let report = try diff("", #"rule "T" { on = "open", decide = route { tab = "chat" } }"#, lines)
        // open keeps the way, resume hands it over.
        #expect(report.events == 1 && report.changed == 1)
        #expect(counts(report) == ["route": 1])
        let example = try #require(report.examples.first)
        #expect(example.new.map(\.event) == [.send, .open, .resume] && example.event == nil)
        #expect(example.new[1].trace?.rules.map(\.rule) == ["T"])
    }

    @Test("A named event is compared alone")
    func named() throws {
        let lines = [LoadedRules.line("09:00:00", event: #""open""#), LoadedRules.line("09:00:01", nil, event: #""resume""#)]
        let report = try diff("", #"rule "T" { on = "open", decide = route { tab = "chat" } }"#, lines)
        #expect(report.events == 2 && counts(report) == ["route": 1])
        #expect(report.examples.first?.event == .open)
    }

    // MARK: state that goes apart

    @Test("Each side lives on with what it has decided itself: a cap that fills up sooner suppresses later")
    func caps() throws {
        let old = #"rule "Cap" { on = "send", cap = { 3, per = "day" } }"#
        let new = #"rule "Cap" { on = "send", cap = { 2, per = "day" } }"#
        let report = try diff(old, new, (0..<6).map { LoadedRules.line("0\($0 + 1):00:00", "m-\($0)") })
        #expect(report.changed == 1 && counts(report) == ["newly_suppressed": 1])
        #expect(report.examples.first?.line == 3)
    }

    @Test("A badge that only goes on from another number is counted, and told apart")
    func carried() throws {
        let old = #"rule "B" { on = "send", decide = { badge = "+1" } }"#
        let new = old + #" rule "Q" { on = "send", when = function(msg) return msg.body == "quiet" end, decide = suppress "no" }"#
        let lines = (0..<5).map { LoadedRules.line("0\($0 + 1):00:00", "m-\($0)", alert: $0 == 1 ? "quiet" : "x") }
        let report = try diff(old, new, lines)
        #expect(report.changed == 4)
        #expect(counts(report) == ["newly_suppressed": 1, "badge": 4])
        #expect(report.carriedBadges == 3)
    }

    // MARK: what is held back

    private static let lines = [
        LoadedRules.line("04:00:00", "m-1"), LoadedRules.line("05:00:00", "m-2"), LoadedRules.line("09:00:00", "m-3"),
        LoadedRules.line("23:00:00", "m-4"),
    ]

    @Test("What one side holds back is an event of one kind, and what became of it is told")
    func heldBack() throws {
        let report = try diff("", #"rule "Night" { on = "send", quiet = { "21:00", "08:00", otherwise = "defer" } }"#, Self.lines)
        #expect(report.events == 4 && report.changed == 3)
        #expect(counts(report) == ["newly_deferred": 3])
        #expect(report.heldShown == 2 && report.heldNotShown == 0)
        #expect(report.waitingBefore == 0 && report.waitingAfter == 1)
    }

    @Test("Held back and then not shown is suppressed in the end, and the event is counted once")
    func heldBackForNothing() throws {
        let new = """
            rule "Night" { on = "send", quiet = { "21:00", "08:00", otherwise = "defer" } }
            rule "Too late" { on = "due", decide = suppress "too late" }
            """
        let report = try diff("", new, Self.lines)
        #expect(report.changed == 3)
        #expect(counts(report) == ["newly_deferred": 3, "newly_suppressed": 2])
        #expect(report.heldShown == 0 && report.heldNotShown == 2)
        #expect(report.rules.first { $0.name == "Too late" }?.events == 2)
        #expect(report.examples.contains { $0.event == .due && $0.line == 1 && $0.kinds.all == [.newlySuppressed] })
    }

    @Test("Of what both hold back the end is compared, also when one of them waits longer")
    func heldBackByBoth() throws {
        let old = #"rule "Night" { on = "send", quiet = { "21:00", "08:00", otherwise = "defer" } }"#
        let same = try diff(old, old + #" rule "Due" { on = "due", decide = { title = "Late" } }"#, Self.lines)
        #expect(counts(same) == ["content": 2] && same.changed == 2)
        let longer = try diff(
            old,
            #"rule "Night" { on = "send", quiet = { "21:00", "08:30", otherwise = "defer" } } rule "Due" { on = "due", decide = { title = "Late" } }"#,
            Self.lines)
        // Another end of waiting, for the one that still waits as well.
        #expect(counts(longer) == ["other": 3, "content": 2] && longer.changed == 3)
        #expect(longer.waitingBefore == 1 && longer.waitingAfter == 1)
    }

    @Test("What the state has held back is an event when its time comes")
    func fromState() throws {
        let night = #"rule "Night" { on = "send", quiet = { "21:00", "08:00", otherwise = "defer" } }"#
        let player = TrafficPlayer(try LoadedRules.evaluator(night))
        let reader = TrafficReader()
        try Array(LoadedRules.line("04:00:00", "m-0").utf8).withUnsafeBytes { _ = try player.play(try reader.read($0)) }
        let report = try diff("", #"rule "No" { on = "due", decide = suppress "no" }"#, [LoadedRules.line("09:00:00")], state: player.state)
        #expect(report.events == 2 && report.changed == 1 && counts(report) == ["newly_suppressed": 1])
        #expect(report.examples.first?.line == 0)
        #expect(report.hours[8].changed == 1)
    }

    @Test("What waits for the app to come to the front is compared there")
    func resume() throws {
        let old = #"rule "Hold" { on = "send", decide = { display = "defer", hold_until = "resume" } }"#
        let lines = [
            LoadedRules.line("09:00:00"), LoadedRules.line("09:30:00", nil, event: #""resume""#, device: #","state":"foreground""#),
        ]
        let report = try diff(old, old + #" rule "Due" { on = "due", decide = { title = "Late" } }"#, lines)
        #expect(report.events == 2 && counts(report) == ["content": 1])
        #expect(report.examples.first?.event == .resume)
    }

    // MARK: parts

    @Test("Parts are counted by rule on both sides, by channel, and by the hour on each person's clock")
    func parts() throws {
        let lines = [
            LoadedRules.line("00:30:00", "m-1", data: #","channel":"chat""#, device: #","timezone":"Asia/Seoul""#),
            LoadedRules.line("09:00:00", "m-2", data: #","channel":"chat""#),
            LoadedRules.line("09:30:00", "m-3", data: #","channel":"promo""#),
            LoadedRules.line("10:30:00", "m-4"),
        ]
        let report = try diff(
            #"rule "Off" { on = "send", channel = "chat", decide = suppress "no" }"#,
            #"rule "Show" { on = "send", channel = "promo", decide = { display = { "list" } } }"#,
            lines)
        #expect(
            report.rules.map { [$0.name, "\($0.events)", "\($0.before)", "\($0.after)"] } == [
                ["Off", "2", "2", "0"], ["Show", "1", "0", "1"],
            ])
        #expect(report.channels.map { [$0.name, "\($0.changed)", "\($0.events)"] } == [["chat", "2", "2"], ["promo", "1", "1"]])
        #expect(report.hours.filter { $0.changed > 0 }.map(\.name) == ["09"])
        #expect(report.hours[9].changed == 3 && report.hours[9].events == 3 && report.hours[10].events == 1)
        #expect(report.people == 1 && report.allPeople == 1)
        #expect(report.span?.from.text == "2026-03-02T00:30:00Z" && report.span?.to.text == "2026-03-02T10:30:00Z")
    }

    @Test("Channels without number are counted together from some point on")
    func channels() throws {
        let lines = (0..<600).map { LoadedRules.line("09:00:00", "m-\($0)", data: #","channel":"c-\#($0)""#) }
        let report = try diff("", #"rule "No" { on = "send", decide = suppress "no" }"#, lines, batch: 100)
        #expect(report.channels.count == 501)
        #expect(report.channels.last?.name == "(other channels)" && report.channels.last?.changed == 100)
        #expect(report.channels.map(\.changed).reduce(0, +) == 600)
    }

    @Test("Lines of other apps are left out, lines that are none are told with their number, and the rest goes on")
    func leftOut() throws {
        let lines = [
            LoadedRules.line("09:00:00"), LoadedRules.line("09:00:00", app: "other"), "{", LoadedRules.line("09:00:01", "m-2"), "[]",
        ]
        var told: [String] = []
        let report = try diff("", "", lines, unreadable: { told.append("\($0) \($1.code)") })
        #expect(report.events == 2 && report.otherApps == 1 && report.unreadable == 2)
        #expect(told == ["3 json_unfinished", "5 traffic_invalid"])
    }

    @Test("Lines out of order are counted, and the first is named")
    func order() throws {
        let lines = ["09:00:00", "08:00:00", "08:30:00"].enumerated().map { LoadedRules.line($0.element, "m-\($0.offset)") }
        let report = try diff("", "", lines)
        #expect(report.outOfOrder == 2 && report.firstOutOfOrder == 2)
    }

    // MARK: examples

    @Test("The rarest kinds come first, a few of each, and every rule before one a second time")
    func examples() throws {
        let old = #"rule "B" { on = "send", decide = { badge = "+1" } }"#
        let new = """
            rule "B" { on = "send", decide = { badge = "+2" } }
            rule "One" { on = "send", channel = "one", decide = { title = "x" } }
            rule "Two" { on = "send", channel = "two", decide = { title = "y" } }
            rule "Rare" { on = "send", channel = "rare", decide = { route = "shop://x" } }
            """
        var lines = (0..<40).map { LoadedRules.line("09:00:00", "m-\($0)", data: #","channel":"\#($0 < 30 ? "one" : "two")""#) }
        lines.append(LoadedRules.line("09:30:00", "m-x", data: #","channel":"rare""#))
        let report = try diff(old, new, lines)
        #expect(report.examples.first?.kinds.contains(.route) == true && report.examples.first?.line == 41)
        #expect(report.examples.count <= 16)
        let content = report.examples.filter { $0.kinds.contains(.content) }
        #expect(content.prefix(2).map(\.line) == [1, 31], "one of each rule")
        #expect(report.examples.allSatisfy { $0.old.first?.trace != nil && $0.new.first?.trace != nil })
    }

    @Test("The report is the same whatever the size of the batches, and on every run")
    func steady() throws {
        let old = #"rule "Cap" { on = "send", cap = { 3, per = "hour" } } rule "B" { on = "send", decide = { badge = "+1" } }"#
        let new =
            #"rule "Cap" { on = "send", cap = { 4, per = "hour" } } rule "B" { on = "send", decide = { badge = "+1" } } rule "Night" { on = "send", quiet = { "20:00", "08:00", otherwise = "defer" } }"#
        let lines = (0..<240).map { number in
            let hour = number / 10
            return LoadedRules.line("\(hour < 10 ? "0" : "")\(hour):\(10 + number % 10):00", "m-\(number % 200)").replacing(
                "u-1", with: "u-\(number % 7)")
        }
        func json(batch: Int) throws -> [UInt8] {
            var writer = JSONWriter()
            DiffWriter.write(try diff(old, new, lines, batch: batch), into: &writer)
            return writer.bytes
        }
        let first = try json(batch: 240)
        #expect(first.count > 1000)
        for size in [1, 7, 64, 240] { #expect(try json(batch: size) == first, "\(size)") }
    }

    @Test("Every event that differs is reported when that is asked for, in order")
    func reporting() throws {
        var lines: [Int] = []
        let report = try diff(
            "", #"rule "No" { on = "send", decide = suppress "no" }"#, (0..<30).map { LoadedRules.line("09:00:00", "m-\($0)") },
            reporting: { lines.append($0.line) })
        #expect(lines == Array(1...30) && report.changed == 30)
    }

    @Test("The JSON has the counts under their names, and examples with both decisions and their traces")
    func json() throws {
        let report = try diff(
            "", #"rule "No" { on = "send", decide = suppress "no" }"#,
            [LoadedRules.line("09:00:00", data: #","channel":"chat""#), LoadedRules.line("09:00:01", "m-2", event: #""send""#)])
        var writer = JSONWriter()
        DiffWriter.write(report, into: &writer)
        let document = JSONDocument()
        try document.read(writer.bytes, limit: .max)
        let root = try #require(document.root)
        #expect(root["events"]?.integer == 2 && root["changed"]?.integer == 2)
        let kinds = root["kinds"]?.children.map { $0.key.string } ?? []
        #expect(
            kinds == [
                "newly_shown", "newly_suppressed", "newly_deferred", "route", "badge", "content", "options", "topics", "other", "error",
            ])
        #expect(root["kinds"]?["newly_suppressed"]?.integer == 2)
        #expect(root["by_rule"]?["No"]?.integer == 2)
        #expect(root["by_channel"]?["chat"]?.integer == 1 && root["by_channel"]?["(no channel)"]?.integer == 1)
        #expect(root["by_hour"]?["09"]?.integer == 2)
        let examples = try #require(root["examples"]?.children.map { $0 })
        #expect(examples.count == 2)
        // A journey is a list, a named event one decision.
        #expect(examples[0]["new"]?.isArray == true && examples[0]["new"]?[0]?["display"]?["action"]?.text == "suppress")
        #expect(examples[1]["event"]?.text == "send" && examples[1]["old"]?["display"]?["action"]?.text == "show")
        #expect(examples[1]["new"]?["trace"]?["rules"]?[0]?["rule"]?.text == "No")
    }
}
