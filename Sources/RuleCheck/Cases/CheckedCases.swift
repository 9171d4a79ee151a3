// What the cases of an app bring to light: cases that cannot be run, rules that came near a limit, rules that no case
// reaches. They run once, on the one machine; whether an answer is as expected is the business of `test`.
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab
import RuleStore

struct CheckedCases {
    /// As they stand in the folder.
    let files: [SourceFile]
    /// A file, and what is wrong in it.
    private(set) var broken: [(file: String, fault: CaseFault)] = []
    private(set) var warnings: [RuleWarning] = []
    /// Places in the ruleset of rules that matched in some case.
    private(set) var reached: Set<String> = []
    /// Rules that failed where no case expects it, with the case.
    private(set) var failures: [(error: RuleError, file: String, line: Int, name: String)] = []
    /// Cases that could be run.
    private(set) var count = 0

    init(of app: String, in folder: RulesFolder, files sources: [SourceFile], _ outcome: LoadOutcome) throws(StoreFault) {
        files = try folder.cases(of: app)
        guard case .loaded(let loaded) = outcome, !files.isEmpty else { return }
        let witness = CaseWitness(Evaluator(loaded))
        var isFirst = true
        let ran = try AppCases.run(
            app, in: folder,
            loading: { _, _ in
                // One machine is enough: nothing is compared here.
                defer { isFirst = false }
                return isFirst ? .ready(witness) : .failed([])
            }, tell: { warnings.append($0) })
        guard case .ran(let results, let unread) = ran else { return }
        broken = unread.map { ($0.file, $0.fault) }
        for result in results {
            switch result.outcome {
            case .broken(let fault): broken.append((result.file, fault))
            case .passed: count += 1
            case .failed(let misses):
                count += 1
                for error in misses.flatMap(\.failures) { failures.append((error, result.file, result.line, result.name)) }
            }
        }
        // What the rules themselves say is told without cases, too.
        let own = loaded.warnings
        warnings.removeAll(where: own.contains)
        reached = witness.reached
    }
}

/// Answers as the evaluator does, and notes which rules matched.
private final class CaseWitness: RuleEvaluating {
    private let evaluator: Evaluator
    private(set) var reached: Set<String> = []

    init(_ evaluator: Evaluator) { self.evaluator = evaluator }

    var ruleset: Ruleset { evaluator.ruleset }
    var warnings: [RuleWarning] { evaluator.warnings }

    func evaluate(_ request: consuming EvaluationRequest) -> Evaluation {
        let isTraced = request.options.tracesRules
        request.options.tracesRules = true
        var evaluation = evaluator.evaluate(request)
        for line in evaluation.decision.trace?.rules ?? [] where line.outcome == .matched || line.outcome == .error {
            reached.insert(line.rule)
        }
        if !isTraced { evaluation.decision.trace = nil }
        return evaluation
    }
}
