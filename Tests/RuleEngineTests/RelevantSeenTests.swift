// What a question takes along of the messages that a recipient has had: enough for the same answer, and no more however many there were.
import PushMessage
import Testing

@testable import RuleEngine

struct RelevantSeenTests {
    private static let rules = """
        rule "Hold" { on = "send", decide = function(msg, device, event)
          if event.name ~= "send" then return end
          if msg.body:sub(1, 4) == "time" then return defer("1h", "later") end
          if msg.body:sub(1, 4) == "open" then return defer("resume", "later") end
        end }
        """

    private static func message(_ text: String, id: String?) -> String {
        let name = id.map { #""message_id":"\#($0)","# } ?? ""
        return #"{\#(name)"aps":{"alert":"\#(text)"}}"#
    }

    /// Asks here, and there by what crosses; both give the same.
    /// - Returns: the bytes that crossed.
    @discardableResult
    private func ask(_ scene: inout Scene, _ here: Evaluator, _ there: Evaluator) throws -> (bytes: Int, isDuplicate: Bool) {
        let windows = here.ruleset.manifest.dedupe
        let reader = QuestionReader(here.ruleset.manifest)
        let state = scene.state
        let (bytes, evaluation) = try scene.asked(here) { request in
            let question = Question(request, windows: windows)
            let evaluation = here.evaluate(request)
            let other = try question.bytes.withUnsafeBytes { there.evaluate(try reader.read($0)) }
            #expect(DecisionWriter.bytes(of: evaluation.decision) == DecisionWriter.bytes(of: other.decision))
            #expect(evaluation.effects == other.effects)
            return (question.bytes.count, evaluation)
        }
        scene.state = state
        scene.state.apply(evaluation.effects, recipient: "u-1")
        return (bytes, evaluation.decision.isDuplicate)
    }

    private func evaluators(_ scene: Scene) throws -> (here: Evaluator, there: Evaluator) {
        (Evaluator(try scene.load()), Evaluator(try scene.load()))
    }

    @Test("A question is no longer for all the messages that were here before, with the same text, with the same id, waiting or not")
    func size() throws {
        var scene = Scene(rules: Self.rules)
        let (here, there) = try evaluators(scene)
        scene.event = #""send""#
        let start = scene.now.milliseconds
        func ask(_ text: String, id: String?, after milliseconds: Int64, event: String = #""send""#) throws -> Int {
            scene.message = event == #""resume""# ? nil : Self.message(text, id: id)
            (scene.event, scene.now) = (event, Instant(milliseconds: start + milliseconds))
            return try self.ask(&scene, here, there).bytes
        }
        var sizes: [[Int]] = []
        for round in 0..<3 {
            let base = Int64(round) * 10_800_000
            // All of them are remembered, and none is another's copy.
            for place in 0..<200 { _ = try ask("same", id: "m-\(round)-\(place)", after: base + Int64(place)) }
            for place in 0..<200 { _ = try ask("none", id: nil, after: base + Int64(place) * 6_000) }
            let late = base + 2_000_000
            sizes.append([
                try ask("same", id: "n-\(round)", after: late), try ask("same", id: nil, after: late),
                try ask("same", id: "m-\(round)-7", after: late), try ask("none", id: nil, after: late),
            ])
            _ = try ask("time", id: "t-\(round)", after: late)
            _ = try ask("time and again", id: nil, after: late)
            _ = try ask("open", id: "o-\(round)", after: late)
            _ = try ask("open it", id: nil, after: late)
            sizes[round].append(try ask("", id: nil, after: late + 1, event: #""resume""#))
            for kept in scene.state.one.deferred {
                scene.message = nil
                (scene.event, scene.now) = (#"{"name":"due","deferred_id":"\#(kept.id)"}"#, Instant(milliseconds: start + late + 3_700_000))
                sizes[round].append(try self.ask(&scene, here, there).bytes)
            }
        }
        #expect(scene.state.one.seen.count > 1_200)
        #expect(sizes[0].count == 7, "\(sizes)")
        #expect(sizes[1] == sizes[0] && sizes[2] == sizes[0], "\(sizes)")
    }

    @Test("Whatever was here in whichever order, the answer from there is the one from here", arguments: 0..<20)
    func same(_ seed: UInt64) throws {
        var scene = Scene(rules: Self.rules)
        scene.app = #"return { api = 1, dedupe = { window = "1m", content_window = "20s" } }"#
        let (here, there) = try evaluators(scene)
        var random = SeededNumbers(seed: seed)
        var duplicates = 0
        for _ in 0..<150 {
            // Clocks go back as well.
            scene.now = Instant(milliseconds: scene.now.milliseconds + Int64(random.below(13_000)) - 4_000)
            let text = ["time", "open", "just", "more"][random.below(4)]
            let id = random.below(2) == 0 ? "m-\(random.below(6))" : nil
            scene.message = Self.message(text, id: id)
            switch random.below(10) {
            case 0: (scene.event, scene.message) = (#""resume""#, nil)
            case 1, 2:
                let waiting = scene.state.one.deferred
                guard !waiting.isEmpty else { continue }
                let kept = waiting[random.below(waiting.count)]
                (scene.event, scene.message) = (#"{"name":"due","deferred_id":"\#(kept.id)"}"#, nil)
            case 3: scene.event = #""open""#
            case 4: scene.event = #""present""#
            default: scene.event = #""send""#
            }
            if try ask(&scene, here, there).isDuplicate { duplicates += 1 }
        }
        #expect(duplicates > 0)
    }
}
