// What a rule returns, by chance: the answer is a decision or names what is wrong, and then the message is shown. The same
// table written down instead of returned says the same, or is refused at load.
import JSONDocument
import PushMessage

@testable import RuleEngine

final class DecisionFuzzer: Fuzzer {
    private let scene = FuzzScene()
    private static let events = ["present", "open", "receive", "send", "enrich", "resume"]

    func run(_ bytes: UnsafeRawBufferPointer) {
        var dice = Dice(bytes)
        let name = dice.pick(Self.events)
        var text = DecisionText(dice)
        let table = text.decision()
        let head = """
            local shared = { 1, { 2 } }
            local deep = { shared, { shared, { shared, { shared } } } }
            rule "R" { on = "\(name)", decide =
            """
        let returned = rules(head + " function(msg, device, event) return \(table) end }")
        guard case .loaded(let app) = returned else { return demand(false, "a rule that returns something loads: \(table)") }
        let evaluation = evaluate(Evaluator(app), name, table)
        guard text.isPlain, case .loaded(let app) = rules(head + " \(table) }") else { return }
        let written = evaluate(Evaluator(app), name, table)
        var (a, b) = (evaluation.decision, written.decision)
        (a.usage, b.usage, a.ruleset, b.ruleset) = (Usage(), Usage(), "", "")
        demand(DecisionWriter.bytes(of: a) == DecisionWriter.bytes(of: b), "written down it says the same: \(table)")
        demand(kept(evaluation) == kept(written), "written down it changes the same: \(table)")
    }

    private func rules(_ text: String) -> LoadOutcome {
        let files = FuzzScene.files(app: Array("return { api = 1, tabs = { \"chat\" } }".utf8), rules: Array(text.utf8))
        let outcome = RulesetLoader.load(app: "app", files: files, limits: FuzzScene.limits)
        if case .failed(let faults) = outcome {
            for fault in faults { demand(fault.line >= 1 && fault.column >= 1 && !fault.message.isEmpty, "a fault has a place: \(fault)") }
        }
        return outcome
    }

    private func evaluate(_ evaluator: Evaluator, _ event: String, _ table: String) -> Evaluation {
        let hasMessage = event != "resume"
        let request = scene.request(event: "\"\(event)\"", message: hasMessage ? FuzzScene.message : nil)
        let question = Question(request, windows: DedupeWindows())
        let evaluation = evaluator.evaluate(request)
        scene.demandWhole(evaluation, to: question, of: evaluator.ruleset)
        if !evaluation.decision.errors.isEmpty, event == "present" || event == "send" || event == "enrich" {
            demand(evaluation.decision.display?.action == .show, "where a rule fails the message is shown: \(table)")
        }
        return evaluation
    }

    /// What is held back names the rules that did it.
    private func kept(_ evaluation: Evaluation) -> [Effect] {
        evaluation.effects.map { effect in
            guard case .keepDeferred(var message) = effect else { return effect }
            message.ruleset = nil
            return .keepDeferred(message)
        }
    }
}
