// Caps against an oracle that remembers everything and counts by going through all of it.
import CivilTime
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct CapTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        let cap: String
        let limit: Int
        /// Milliseconds; nil: the calendar day of Berlin.
        let span: Int64?
        let seed: UInt64
        var testDescription: String { "\(cap) from \(seed)" }
    }

    private static let settings: [Setting] = [
        Setting(cap: #"{ 1, per = "10m" }"#, limit: 1, span: 600_000, seed: 1),
        Setting(cap: #"{ 3, per = "10m" }"#, limit: 3, span: 600_000, seed: 2),
        Setting(cap: #"{ 4, per = "hour" }"#, limit: 4, span: 3_600_000, seed: 3),
        Setting(cap: #"{ 2, per = "day", window = "calendar" }"#, limit: 2, span: nil, seed: 4),
        Setting(cap: #"{ 5, per = "day", window = "calendar" }"#, limit: 5, span: nil, seed: 5),
    ]

    @Test("A cap answers as an oracle that remembers everything", arguments: settings)
    func oracle(setting: Setting) throws {
        let rules = """
            rule "Offers" { on = { "send", "enrich", "present", "receive" }, cap = \(setting.cap) }
            rule "Hidden" { on = { "send", "enrich", "present", "receive" }, channel = "hidden", decide = suppress "hidden" }
            """
        var scene = Scene(rules: rules, device: #"{"recipient":"u-1","state":"foreground","timezone":"Europe/Berlin"}"#)
        let evaluator = try Evaluator(scene.load())
        let berlin = try #require(Zone("Europe/Berlin"))
        var random = Dice(seed: setting.seed)
        // The day on which the clocks jump lies within.
        scene.now = try #require(Instant("2026-03-27T20:00:00Z"))
        var counted: [(id: String, at: Instant)] = []
        var seen: Set<String> = []
        var shown = 0
        var capped = 0
        for step in 0..<600 {
            // So that windows are full about as often as not.
            let pause = (setting.span ?? 86_400_000) / Int64(setting.limit) / 2
            scene.now = Instant(milliseconds: scene.now.milliseconds + random.below(pause))
            let id = "m-\(max(0, step / 2 - Int(random.below(6))))"
            let event = ["send", "enrich", "present"][Int(random.below(3))]
            let isHidden = random.below(4) == 0
            scene.message = #"{"message_id":"\#(id)","aps":{"alert":"\#(id)"},"channel":"\#(isHidden ? "hidden" : "other")"}"#
            scene.event = "\"\(event)\""
            let isCopy = !seen.insert("\(id) \(event)").inserted
            let now = scene.now
            let room =
                counted.contains { $0.id == id }
                || counted.count { one in
                    if let span = setting.span { return now.milliseconds - one.at.milliseconds < span }
                    return berlin.startOfDay(one.at) == berlin.startOfDay(now)
                } < setting.limit
            let answer = try scene.answer(from: evaluator)
            scene.state = answer.state
            let display = try #require(answer.decision.display)
            if isCopy {
                #expect(answer.decision.isDuplicate && display.rule == "guard:duplicate" && answer.effects.isEmpty)
                continue
            }
            #expect((display.action == .show) == (room && !isHidden), "step \(step)")
            #expect((display.rule == "Offers") == !room, "step \(step)")
            if display.action == .show {
                shown += 1
                if !counted.contains(where: { $0.id == id }) { counted.append((id, now)) }
            }
            if !room {
                capped += 1
                #expect(display.reason == "cap")
                #expect(display.detail?.hasPrefix("\(setting.limit) of \(setting.limit) shown ") == true)
            }
            #expect(scene.state.one.caps["Offers"]?.instants.count ?? 0 <= setting.limit)
        }
        #expect(shown > 50 && capped > 50)
    }

    @Test("Keys that are over go when there are many")
    func pruned() {
        var caps = ExactTable<CapCount>()
        for number in 0..<10_000 {
            caps.count("room \(number)", at: Instant(milliseconds: Int64(number) * 1_000), keeping: 1, span: 20_000)
        }
        #expect(caps.count <= 64)
        #expect(caps["room 9999"]?.instants == [Instant(milliseconds: 9_999_000)])
    }

    @Test("A rule that fails counts nothing, and neither does one whose decide is not reached")
    func failing() throws {
        let failing = try Scene(
            rules: #"rule "R" { on = "present", cap = { 1 }, decide = function() error("x") end }"#
        ).answer()
        #expect(failing.decision.display?.action == .show && failing.state.one.caps.isEmpty)
        let unreached = try Scene(
            rules: """
                rule "First" { on = "present", final = true }
                rule "R" { on = "present", cap = { 1 } }
                """
        ).answer()
        #expect(unreached.decision.display?.action == .show && unreached.state.one.caps.isEmpty)
    }

    @Test(
        "A key that raises, or is too long, is an error of its rule", arguments: [#"error("x")"#, #"return ("k"):rep(129)"#, "return {}"])
    func badKey(body: String) throws {
        let answer = try Scene(
            rules: #"rule "R" { on = "present", cap = { 1, key = function(msg) \#(body) end }, decide = { title = "t" } }"#
        ).answer()
        #expect(answer.decision.errors.map(\.rule) == ["R"])
        #expect(answer.decision.content.title == nil && answer.decision.display?.action == .show)
        #expect(answer.state.one.caps.isEmpty)
    }

    @Test("The trace says what a full cap did")
    func trace() throws {
        var scene = Scene(rules: #"rule "R" { on = "present", cap = { 1, per = "week", window = "calendar" } }"#)
        var count = CapCount()
        count.instants = [scene.now]
        scene.state.one.caps = ["R": count]
        scene.options.tracesRules = true
        let line = try #require(try scene.answer().decision.trace?.rules.first)
        #expect(line.outcome == .matched && line.because == "cap: 1 of 1 shown this week")
        #expect(line.set.map(\.field) == ["display", "reason"])
    }
}

/// A generator of random numbers that begins at the same place every time.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// 0 ..< bound
    mutating func below(_ bound: Int64) -> Int64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int64((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
