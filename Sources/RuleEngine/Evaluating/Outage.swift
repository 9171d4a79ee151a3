// The answer of an app whose rules cannot be asked at this moment: what its manifest says for errors, with everything that
// needs no script - second copies, guards, counts, the default - as always.
import LuaSandbox

/// Answers in place of rules. Belongs to one thread at a time.
public final class Outage {
    private let ruleset: Ruleset
    private let reader: QuestionReader
    /// nil: there was no memory for it.
    private let evaluator: Evaluator?

    public init(of ruleset: Ruleset) {
        self.ruleset = ruleset
        reader = QuestionReader(ruleset.manifest)
        let limits = LoadLimits()
        do throws(ScriptFault) {
            // It is never given a script; an evaluator has one.
            let machine = try LuaMachine(limits: limits.script, functions: [], schemas: ScriptWorld.schemas)
            evaluator = Evaluator(LoadedApp(ruleset: ruleset, warnings: [], machine: machine, limits: limits, manifest: []))
        } catch {
            evaluator = nil
        }
    }

    /// - Parameter error: why no rule is asked; it stands in the decision's errors.
    public func answer(_ question: Question, because error: RuleError) -> Evaluation {
        let answer = question.bytes.withUnsafeBytes { bytes -> Evaluation? in
            do throws(CrossingFault) {
                return evaluator?.answer(try reader.read(bytes), withoutRules: error)
            } catch {
                return nil
            }
        }
        return answer ?? bare(question, error)
    }

    /// Without memory to read the question again: what the app says for errors, and nothing changes.
    private func bare(_ question: Question, _ error: RuleError) -> Evaluation {
        var decision = Decision(app: ruleset.app, ruleset: ruleset.hash, event: question.event)
        decision.recipient = question.recipient
        decision.errors = [error]
        if question.event.displaysByDefault {
            let shows = ruleset.manifest.onError == .show
            decision.display = Display(
                action: shows ? .show : .suppress, options: shows ? [.banner, .list] : [], reason: error.message, rule: nil,
                until: nil)
        }
        return Evaluation(decision: decision, effects: [])
    }
}
