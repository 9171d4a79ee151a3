// Any bytes as what a child says: refused, or an answer that is about the question, can be written, and leaves a state that
// can be written and read. The first byte says what the bytes are given for.
import JSONDocument
import PushMessage

@testable import RuleEngine
@testable import RuleWorkers

final class AnswerFuzzer: Fuzzer {
    private let scene = FuzzScene()
    private let question: Question
    private let ruleset: Ruleset

    init() {
        ruleset = load(FuzzScene.files(rules: Array(Seeds.rules.utf8))).ruleset
        question = Question(scene.request(), windows: DedupeWindows())
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        guard let kind = bytes.first else { return }
        let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        do {
            switch kind {
            case 0: try look(at: Evaluation(crossing: rest, to: question, of: ruleset))
            case 1: _ = try AppCrossing.outline(rest, app: "app", files: ruleset.files, limits: FuzzScene.limits)
            case 2: demand(!(try AppCrossing.faults(rest)).isEmpty, "faults are at least one")
            default: try frames(rest, inPiecesOf: Int(kind))
            }
        } catch {
            demand(!((error as? CrossingFault)?.expected.isEmpty ?? true), "a refusal says what was expected: \(error)")
        }
    }

    private func look(at answer: Evaluation) throws {
        demand(answer.decision.recipient == "u-1" && answer.decision.app == "app", "the answer is about the question")
        demandJSON(DecisionWriter.bytes(of: answer.decision), "a decision")
        scene.demandKept(answer, from: AppState())
        let again = try answer.crossing.withUnsafeBytes { try Evaluation(crossing: $0, to: question, of: ruleset) }
        demand(again.effects == answer.effects, "what was read crosses again")
    }

    private func frames(_ bytes: UnsafeRawBufferPointer, inPiecesOf size: Int) throws {
        var buffer = FrameBuffer(longest: 1 << 20)
        var rest = bytes[...]
        var total = 0
        while !rest.isEmpty {
            _ = buffer.fill { room in
                let count = min(size, room.count, rest.count)
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
                rest = rest.dropFirst(count)
                return count
            }
            while let frame = try buffer.next() { total += Frame.header + frame.content.count }
        }
        demand(total <= bytes.count, "frames hold what came")
    }
}
