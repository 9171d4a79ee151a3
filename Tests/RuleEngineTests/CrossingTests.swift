// Answers that come from another process are claims: whatever is not a whole answer to the very question is refused, and
// no bytes trap.
import Foundation
import JSONDocument
import PushMessage
import Testing

@testable import RuleEngine

struct CrossingTests {
    private static let rules = """
        rule "Everything" {
          on = "present",
          decide = function(msg)
            state.set("a", { 1, "two" }, { ttl = "1d" })
            state.app.set("b", 1)
            log("said")
            return {
              title = "T", body = "B", badge = "+1", route = { tab = "chat", path = { "r-1" }, mode = "push" },
              display = { "banner" }, topics = { subscribe = { "news" } }, labels = { kind = "x" }, inbox = { id = 1 }, reason = "because",
              attachments = { { url = "https://example.com/a.png" } }, relevance = 0.5,
            }
          end,
        }
        """

    /// A question, its honest answer, and whose it is.
    private func scene() throws -> (Question, Evaluation, Ruleset) {
        var scene = Scene(rules: Self.rules)
        scene.options.tracesRules = true
        scene.state.one.values["old"] = StoredValue(json: Array("1".utf8))
        let app = try scene.load()
        let evaluator = Evaluator(app)
        let (question, evaluation) = try scene.asked(evaluator) { request in
            (Question(request, windows: DedupeWindows()), evaluator.evaluate(request))
        }
        return (question, evaluation, app.ruleset)
    }

    private func read(_ bytes: [UInt8], _ question: Question, _ ruleset: Ruleset) throws(CrossingFault) -> Evaluation {
        try bytes.withUnsafeBufferPointer { bytes throws(CrossingFault) in
            try Evaluation(crossing: UnsafeRawBufferPointer(bytes), to: question, of: ruleset)
        }
    }

    @Test("A decision with everything comes back as it went")
    func whole() throws {
        let (question, evaluation, ruleset) = try scene()
        let back = try read(evaluation.crossing, question, ruleset)
        #expect(DecisionWriter.bytes(of: back.decision) == DecisionWriter.bytes(of: evaluation.decision))
        #expect(back.effects == evaluation.effects)
        #expect(back.decision.errors.isEmpty)
        #expect(back.effects.count > 3 && back.decision.trace != nil && back.decision.content.attachments != nil)
    }

    @Test("A question read again has the same answer")
    func question() throws {
        let (question, evaluation, ruleset) = try scene()
        let evaluator = Evaluator(try Scene(rules: Self.rules).load())
        let reader = QuestionReader(ruleset.manifest)
        let answer = try question.bytes.withUnsafeBytes { evaluator.evaluate(try reader.read($0)) }
        #expect(DecisionWriter.bytes(of: answer.decision) == DecisionWriter.bytes(of: evaluation.decision))
        #expect(answer.effects == evaluation.effects)
    }

    @Test("An answer that was cut off anywhere, or goes on, is none")
    func cut() throws {
        let (question, evaluation, ruleset) = try scene()
        let bytes = evaluation.crossing
        for length in 0..<bytes.count {
            #expect(throws: CrossingFault.self) { try read(Array(bytes.prefix(length)), question, ruleset) }
        }
        #expect(throws: CrossingFault.self) { try read(bytes + [0], question, ruleset) }
    }

    @Test("Damaged bytes are refused or are an answer; none traps", arguments: 0..<8)
    func damaged(bit: Int) throws {
        let (question, evaluation, ruleset) = try scene()
        var bytes = evaluation.crossing
        for place in bytes.indices {
            bytes[place] ^= 1 << UInt8(bit)
            do {
                let answer = try read(bytes, question, ruleset)
                #expect(answer.decision.recipient == "u-1" && answer.decision.app == ruleset.app)
                // It can be written, applied and read again.
                let document = JSONDocument()
                try document.read(DecisionWriter.bytes(of: answer.decision), limit: 1 << 20, depth: 128)
                var state = AppState()
                state.apply(answer.effects, recipient: "u-1")
                #expect(state.recipients.allSatisfy { $0.key == "u-1" })
            } catch let refused as CrossingFault {
                #expect(!refused.expected.isEmpty)
            }
            bytes[place] ^= 1 << UInt8(bit)
        }
    }

    @Test(
        "An answer about somebody else, or that writes more than rules may, is refused",
        arguments: [
            "recipient", "nobody", "app", "ruleset", "event", "key too long", "no key", "value too large", "too much together",
            "shared too large", "channel", "cap", "seen cap", "not JSON", "inbox not JSON", "badge too large", "badge shown too large",
            "too many",
        ])
    func refused(lie: String) throws {
        var (question, evaluation, ruleset) = try scene()
        let json = { (count: Int) in StoredValue(json: [34] + [UInt8](repeating: 97, count: count) + [34]) }
        let long = String(repeating: "k", count: 129)
        switch lie {
        case "recipient": evaluation.decision.recipient = "u-2"
        case "nobody": evaluation.decision.recipient = nil
        case "app": evaluation.decision.app = "other"
        case "ruleset": evaluation.decision.ruleset = "0123456789ab"
        case "event": evaluation.decision.event = .open
        case "key too long": evaluation.effects.append(.setValue(scope: .recipient, key: long, value: json(1)))
        case "no key": evaluation.effects.append(.deleteValue(scope: .app, key: ""))
        case "value too large": evaluation.effects.append(.setValue(scope: .recipient, key: "k", value: json(70_000)))
        case "too much together":
            for key in ["x", "y"] { evaluation.effects.append(.setValue(scope: .recipient, key: key, value: json(40_000))) }
        case "shared too large":
            for key in 0..<30 { evaluation.effects.append(.setValue(scope: .app, key: "\(key)", value: json(60_000))) }
        case "channel": evaluation.effects.append(.setChannel(code: long, on: true))
        case "cap": evaluation.effects.append(.countForCap(key: long, at: Instant(milliseconds: 0), limit: 1, span: 1))
        case "seen cap":
            var message = SeenMessage(id: "m-1", first: Instant(milliseconds: 0))
            message.caps = [long]
            evaluation.effects.append(.sawMessage(SeenMark(record: nil, message: message, window: 1)))
        case "not JSON": evaluation.effects.append(.setValue(scope: .recipient, key: "k", value: StoredValue(json: Array("{".utf8))))
        case "inbox not JSON": evaluation.effects.append(.keepInInbox(Array("nope".utf8)))
        case "badge too large": evaluation.effects.append(.setBadge(1 << 31))
        case "badge shown too large": evaluation.decision.badge?.value = 1 << 31
        default: evaluation.effects += [Effect](repeating: .takeInbox, count: 20_001)
        }
        #expect(throws: CrossingFault.self) { try read(evaluation.crossing, question, ruleset) }
    }
}
