// One pure function from message, device, event, time and state to a decision and its effects.

public final class Evaluator {
    private var app: LoadedApp
    private var plan: Plan

    public init(_ app: LoadedApp) {
        self.app = app
        self.plan = Plan(app.ruleset)
    }

    public var ruleset: Ruleset { app.ruleset }

    public func evaluate(_ request: EvaluationRequest) -> Evaluation {
        let decision = Decision(app: app.ruleset.app, ruleset: app.ruleset.hash, event: request.event.name)
        return Evaluation(decision: decision, effects: [])
    }
}
