// Whoever answers for one app: an Evaluator in this process, or a stand-in that asks another process. Dry run, cases and
// servers do not look which.

public protocol RuleEvaluating: AnyObject {
    /// Of an app that is run elsewhere only what is seen from outside: manifest, files, and where its rules stand.
    var ruleset: Ruleset { get }

    /// What is probably not meant in its files, in reading order.
    var warnings: [RuleWarning] { get }

    /// Evaluates one event. Pass the request as a temporary when its state is changed afterwards.
    func evaluate(_ request: consuming EvaluationRequest) -> Evaluation
}

extension Evaluator: RuleEvaluating {}

/// What came of taking an app into use.
public enum EvaluatorOutcome {
    case ready(any RuleEvaluating)
    /// At least one, in reading order.
    case failed([RuleFault])

    public init(_ outcome: LoadOutcome) {
        switch outcome {
        case .loaded(let app): self = .ready(Evaluator(app))
        case .failed(let faults): self = .failed(faults)
        }
    }
}
