// An app lives through recorded lines: on a state that goes on, with what was held back decided at its time.
import JSONDocument
import PushMessage
import RuleEngine
import Testing

@testable import RuleLab

struct TrafficPlayerTests {
    private let reader = TrafficReader()

    /// What came of each line, and of what was due before it.
    private func play(_ player: TrafficPlayer, _ lines: [String]) throws -> [(due: [DueAnswer], line: PlayedLine)] {
        try lines.map { text in
            try Array(text.utf8).withUnsafeBytes { bytes in
                let line = try reader.read(bytes)
                var due: [DueAnswer] = []
                while let answer = player.playNextDue(until: line.at) { due.append(answer) }
                return (due, try player.play(line))
            }
        }
    }

    private static let night = """
        rule "Night" { on = "send", quiet = { "21:00", "08:00", otherwise = "defer" } }
        rule "Count" { on = { "send", "due" }, decide = { badge = "+1" } }
        """

    @Test("State goes on from line to line, and each line is decided at its own moment")
    func state() throws {
        let player = TrafficPlayer(try LoadedRules.evaluator(#"rule "Two an hour" { on = "send", cap = { 2, per = "hour" } }"#))
        let played = try play(
            player, ["09:00:00", "09:10:00", "09:20:00", "10:05:00"].enumerated().map { LoadedRules.line($0.element, "m-\($0.offset)") })
        #expect(played.map { $0.line.decisions.first?.display?.action } == [.show, .show, .suppress, .show])
    }

    @Test("What is held back is decided at its time, before the first line that is not earlier")
    func due() throws {
        let player = TrafficPlayer(try LoadedRules.evaluator(Self.night))
        let played = try play(
            player,
            [
                LoadedRules.line("04:00:00", "m-1"), LoadedRules.line("07:59:59", "m-2"), LoadedRules.line("08:00:00", "m-3"),
                LoadedRules.line("09:00:00", "m-4"),
            ])
        #expect(played.map(\.due.count) == [0, 0, 2, 0])
        #expect(played[0].line.held == ["m-1"])
        let due = played[2].due
        #expect(due.map(\.id) == ["m-1", "m-2"])
        #expect(due.allSatisfy { $0.at.text == "2026-03-02T08:00:00Z" && $0.decision?.display?.action == .show && !$0.waitsAgain })
        // Counted one after the other, before the line.
        #expect(due.map { $0.decision?.badge?.value } == [1, 2])
        #expect(played[2].line.decisions.first?.badge?.value == 3)
        #expect(String(decoding: due[0].message, as: UTF8.self).contains("m-1"))
    }

    @Test("People are each on their own clock: who is where it is later gets it earlier")
    func zones() throws {
        let player = TrafficPlayer(try LoadedRules.evaluator(Self.night))
        func line(_ at: String, _ id: String, _ person: String, _ zone: String) -> String {
            #"{"at":"2026-03-02T\#(at)Z","app":"app","message":{"aps":{"alert":"x"},"message_id":"\#(id)"},"device":{"recipient":"\#(person)","timezone":"\#(zone)"}}"#
        }
        let played = try play(
            player,
            [
                line("06:00:00", "m-1", "u-1", "Europe/Berlin"), line("06:10:00", "m-2", "u-2", "Europe/London"),
                line("23:00:00", "m-3", "u-1", "UTC"),
            ])
        #expect(played[2].due.map(\.recipient) == ["u-1", "u-2"])
        #expect(played[2].due.map { $0.at.text } == ["2026-03-02T07:00:00Z", "2026-03-02T08:00:00Z"])
        #expect(played[2].due.map(\.hour) == [8, 8])
        #expect(played.map(\.line.hour) == [7, 6, 23])
    }

    @Test("What a state file holds back becomes due as well")
    func fromState() throws {
        let first = TrafficPlayer(try LoadedRules.evaluator(Self.night))
        _ = try play(first, [LoadedRules.line("04:00:00", "m-1")])
        let second = TrafficPlayer(try LoadedRules.evaluator(Self.night), state: first.state)
        #expect(try play(second, [LoadedRules.line("12:00:00", "m-2")])[0].due.map(\.id) == ["m-1"])
    }

    @Test("A message that something else has answered meanwhile is said to be gone, once")
    func gone() throws {
        let rules = """
            rule "Later" { on = "send", decide = defer("08:00", "later") }
            """
        let player = TrafficPlayer(try LoadedRules.evaluator(rules))
        let played = try play(
            player,
            [
                LoadedRules.line("04:00:00", "m-1"),
                LoadedRules.line("05:00:00", "m-1", event: #""present""#, device: #","state":"foreground""#),
                LoadedRules.line("09:00:00", "m-2"),
            ])
        #expect(played[1].line.decisions.first?.display?.action == .show)
        #expect(played[2].due.count == 1)
        #expect(played[2].due.first?.decision == nil)
    }

    @Test("A moment that has passed already is now, and the clock does not go back")
    func past() throws {
        let player = TrafficPlayer(
            try LoadedRules.evaluator(#"rule "Then" { on = "send", decide = { display = "defer", hold_until = "2026-03-01 08:00" } }"#))
        let played = try play(player, [LoadedRules.line("04:00:00", "m-1"), LoadedRules.line("04:00:01", "m-2")])
        #expect(played[1].due.first?.at.text == "2026-03-02T04:00:00Z")
    }

    @Test("A line that is earlier than another of the same person is marked, and decided at its own moment")
    func order() throws {
        let player = TrafficPlayer(
            try LoadedRules.evaluator(
                #"rule "Hour" { on = "send", decide = function() return { labels = { hour = tostring(time.wall.hour) } } end }"#))
        let played = try play(
            player,
            [
                LoadedRules.line("09:00:00", "m-1"), LoadedRules.line("08:00:00", "m-2"),
                LoadedRules.line("08:30:00", "m-3").replacing("u-1", with: "u-2"), LoadedRules.line("09:00:00", "m-4"),
            ])
        #expect(played.map(\.line.isOutOfOrder) == [false, true, false, false])
        #expect(played.map { $0.line.decisions.first?.labels.first?.value } == ["9", "8", "8", "9"])
    }

    @Test("A line whose message, phone or event cannot be read says so, with its place in the line")
    func faults() throws {
        let player = TrafficPlayer(try LoadedRules.evaluator(""))
        let line = #"{"at":"2026-03-02T09:00:00Z","app":"app","message":{},"device":{"state":"asleep"}}"#
        #expect {
            _ = try play(player, [line])
        } throws: { error in
            guard let fault = error as? TrafficFault else { return false }
            return fault.code == "device_invalid" && fault.offset == line.utf8.count - #""asleep"}}"#.utf8.count
        }
    }

    @Test("A day with deferrals ends in the state that its events lead to one by one")
    func oneByOne() throws {
        let rules = Self.night + #"rule "Cap" { on = { "send", "due" }, cap = { 3, per = "day" } }"#
        let lines = (0..<60).map { number in
            LoadedRules.line("\(number / 3 < 10 ? "0" : "")\(number / 3):\(10 + number % 3 * 20):00", "m-\(number % 50)").replacing(
                "u-1", with: "u-\(number % 4)")
        }
        let player = TrafficPlayer(try LoadedRules.evaluator(rules))
        _ = try play(player, lines)

        // The same by hand: every event is one evaluation, and its effects are applied.
        let evaluator = try LoadedRules.evaluator(rules)
        var state = AppState()
        let messages = MessageReader()
        let devices = DeviceReader()
        let document = JSONDocument()
        for text in lines {
            let line = try Array(text.utf8).withUnsafeBytes { try reader.read($0) }
            while true {
                var waiting: [(at: Instant, recipient: String, message: DeferredMessage)] = []
                for (recipient, remembered) in state.recipients.inOrder {
                    for message in remembered.deferred {
                        if let at = message.dueAt, at <= line.at { waiting.append((at, recipient, message)) }
                    }
                }
                guard let next = waiting.min(by: { $0.at < $1.at }) else { break }
                try document.read(
                    #"{"device":{"recipient":"\#(next.recipient)"},"event":{"name":"due","deferred_id":"\#(next.message.id)"}}"#)
                let root = try #require(document.root)
                let evaluation = evaluator.evaluate(
                    EvaluationRequest(
                        message: nil, device: try devices.read(root["device"]), event: try Event.read(try #require(root["event"])),
                        now: next.at, state: state))
                state.apply(evaluation.effects, recipient: next.recipient)
            }
            let device = try devices.read(line.device)
            let message = try messages.read(Array(try #require(line.message).string.utf8), for: device.messageContext)
            state =
                evaluator.evaluateJourney(
                    EvaluationRequest(message: message, device: device, event: Event(.send), now: line.at, state: state)
                ).state
        }
        #expect(player.state == state)
        #expect(player.state.recipients.contains { !$0.value.caps.isEmpty })
    }
}
