// A made-up day of the chat app, with channels, deferrals and caps put over it: replayed, it ends in the state that the same
// events lead to when each is evaluated by itself.
// `make test` takes three thousand events; RULEHOST_WHOLE=1 takes a hundred thousand, which needs minutes.
import Foundation
import JSONDocument
import PushMessage
import RuleEngine
import Testing

@testable import RuleLab

struct MadeUpDayTests {
    private static let isWhole = ProcessInfo.processInfo.environment["RULEHOST_WHOLE"] == "1"

    /// What the generator of examples/traffic writes.
    private static func day(events: Int, people: Int) throws -> [String] {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let process = Process()
        let pipe = Pipe()
        process.executableURL = folder.appendingPathComponent("make-traffic")
        process.arguments = ["--seed", "11", "--events", "\(events)", "--people", "\(people)"]
        process.standardOutput = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static let rules = """
        rule "Offers: not at night" { on = { "send", "present" }, channel = "offers", quiet = { "20:00", "08:00", otherwise = "defer" } }
        rule "Offers: one a day" { on = { "send", "present", "due" }, channel = "offers", cap = { 1, per = "day", window = "calendar" } }
        rule "Not while the app is in front" { on = "present", channel = "chat", decide = defer("resume", "the app is in front") }
        rule "Count" { on = { "send", "present", "due" }, decide = function() state.incr("seen") state.app.incr("all") return { badge = "+1" } end }
        rule "Opened" { on = "open", decide = { badge = "clear", route = { tab = "chat" } } }
        """

    @Test("Thousands of events replayed end in the state of the same events one by one")
    func oneByOne() throws {
        let count = Self.isWhole ? 100_000 : 3_000
        let lines = try Self.day(events: count, people: Self.isWhole ? 1_000 : 120)
        #expect(lines.count == count)
        let run = ReplayRun(try LoadedRules.evaluator(Self.rules, app: "chat"))
        for batch in LoadedRules.batches(lines, of: 64) { run.play(batch) { _ in } }
        let report = run.report
        #expect(report.unreadable == 0 && report.counts.events == count)
        // It has everything in it that a day can have.
        #expect(report.due.shown > 0 && !report.caps.isEmpty && !report.quiet.isEmpty && report.handedOver > 0 && report.duplicates > 0)

        // By hand: every event is one evaluation on the state that the one before has left.
        let evaluator = try LoadedRules.evaluator(Self.rules, app: "chat")
        let reader = TrafficReader()
        let messages = MessageReader()
        let devices = DeviceReader()
        let question = JSONDocument()
        var state = AppState()
        func evaluate(_ message: Message?, _ device: Device, _ event: Event, at now: Instant) {
            let evaluation = evaluator.evaluate(
                EvaluationRequest(message: message, device: device, event: event, now: now, state: state))
            state.apply(evaluation.effects, recipient: device.recipient?.string ?? "")
        }
        var order: [String: Int] = [:]
        for text in lines {
            let line = try Array(text.utf8).withUnsafeBytes { try reader.read($0) }
            while true {
                // The earliest of all that has come; of the same moment the one that was held back first.
                var next: (at: Instant, number: Int, recipient: String, id: String)?
                for (recipient, remembered) in state.recipients {
                    for message in remembered.deferred {
                        guard let at = message.dueAt, at <= line.at else { continue }
                        let number = order["\(recipient) \(message.id)"] ?? 0
                        if let found = next, (found.at, found.number) <= (at, number) { continue }
                        next = (at, number, recipient, message.id)
                    }
                }
                guard let next else { break }
                try question.read(
                    #"{"device":{"recipient":"\#(next.recipient)"},"event":{"name":"due","deferred_id":"\#(next.id)"}}"#)
                let root = try #require(question.root)
                let event = try #require(root["event"])
                evaluate(nil, try devices.read(root["device"]), try Event.read(event), at: next.at)
            }
            let device = try devices.read(line.device)
            let before = Set((state.recipients[device.recipient?.string ?? ""]?.deferred ?? []).map(\.id))
            if let event = line.event {
                let message = try line.message.map { try messages.read(Array($0.string.utf8), for: device.messageContext) }
                evaluate(message, device, event, at: line.at)
            } else if let text = line.message {
                let message = try messages.read(Array(text.string.utf8), for: device.messageContext)
                for name in Evaluator.events(of: message, on: device) { evaluate(message, device, Event(name), at: line.at) }
            }
            let recipient = device.recipient?.string ?? ""
            for message in state.recipients[recipient]?.deferred ?? [] where !before.contains(message.id) {
                order["\(recipient) \(message.id)"] = order.count
            }
        }
        #expect(run.state == state)
        #expect(state.shared["all"] != nil && state.recipients.count == report.people.count)
    }
}
