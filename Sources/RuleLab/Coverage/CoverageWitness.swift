// Answers as the evaluator does, and notes which lines ran, what each rule came to, and which guards acted. Made by CoverageDesk.
import LuaSandbox
import PushMessage
import RuleEngine

final class CoverageWitness: RuleEvaluating {
    /// What has come of one rule.
    struct RuleNotes {
        var asked = 0
        var matched = 0
        var failed = 0
        var branches: [RuleBranch: Int] = [:]
    }

    let counts: LineCounts
    private let evaluator: Evaluator
    /// By the name of the rule, to the letter.
    private(set) var rules: [ExactText: RuleNotes] = [:]
    private(set) var guards: [GuardName: Int] = [:]
    private(set) var decisions = 0

    init(_ evaluator: Evaluator, _ counts: LineCounts) {
        self.evaluator = evaluator
        self.counts = counts
    }

    var ruleset: Ruleset { evaluator.ruleset }
    var warnings: [RuleWarning] { evaluator.warnings }

    func evaluate(_ request: consuming EvaluationRequest) -> Evaluation {
        let isTraced = request.options.tracesRules
        request.options.tracesRules = true
        var evaluation = evaluator.evaluate(request)
        note(evaluation.decision)
        if !isTraced { CoverageWitness.dropTrace(of: &evaluation.decision) }
        return evaluation
    }

    /// At `resume` there are others inside of one.
    private func note(_ decision: Decision) {
        decisions += 1
        for line in decision.trace?.rules ?? [] {
            let rule = ExactText(line.rule)
            switch line.outcome {
            case .disabled, .notRun: continue
            case .matched: rules[rule, default: RuleNotes()].matched += 1
            case .error: rules[rule, default: RuleNotes()].failed += 1
            case .noMatch: break
            }
            rules[rule, default: RuleNotes()].asked += 1
            for branch in RuleBranch.allCases where line.branches.contains(branch) {
                rules[rule, default: RuleNotes()].branches[branch, default: 0] += 1
            }
        }
        for line in decision.trace?.guards ?? [] { guards[line.guard, default: 0] += 1 }
        for held in decision.deferred { note(held) }
    }

    private static func dropTrace(of decision: inout Decision) {
        decision.trace = nil
        for place in decision.deferred.indices { dropTrace(of: &decision.deferred[place]) }
    }
}
