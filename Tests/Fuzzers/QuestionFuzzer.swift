// Any bytes as what a parent asks: refused, or a question that has an answer; also as an app to load.
import JSONDocument
import PushMessage

@testable import RuleEngine

final class QuestionFuzzer: Fuzzer {
    private let scene = FuzzScene()
    private let evaluator: Evaluator
    private let reader: QuestionReader

    init() {
        evaluator = load(FuzzScene.files(rules: Array(Seeds.rules.utf8)))
        reader = QuestionReader(evaluator.ruleset.manifest)
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        do throws(CrossingFault) {
            // The state in it is its parent's and not looked at: only what is made of it here.
            let evaluation = evaluator.evaluate(try reader.read(bytes))
            demand(!evaluation.crossing.isEmpty, "there is an answer")
            demand(evaluation.decision.ruleset == evaluator.ruleset.hash, "the answer is this app's")
        } catch {
            demand(!error.expected.isEmpty, "a refusal says what was expected")
        }
        do throws(CrossingFault) {
            let (app, files, limits) = try AppCrossing.read(bytes)
            demand(AppCrossing.bytes(app: app, files: files, limits: limits).elementsEqual(bytes), "an app crosses whole")
        } catch {
            demand(!error.expected.isEmpty, "a refusal says what was expected")
        }
    }
}
