// All events that one message causes on one device, evaluated in order, each on the state that the one before left.
public import PushMessage

public struct JourneyResult {
    public var evaluations: [Evaluation]
    /// The state after the last event; the state that was given is untouched.
    public var state: AppState
}

extension Evaluator {
    /// The events of a message on a device; those of `request.event` are not looked at.
    public static func events(of message: Message, on device: Device) -> [EventName] {
        Journey.events(for: message, state: device.state, platform: device.platform, tapped: device.isTapped)
            .map(EventName.init)
    }
}

extension RuleEvaluating {
    /// Evaluates the journey of the request's message; empty when there is no message or it causes nothing.
    ///
    /// Pass the request as a temporary where its state goes on: a request that is kept makes every change copy the state.
    /// - Parameters:
    ///   - details: the events of that name as they are to be evaluated, when there is more to say about them.
    ///   - measure: calls what it is given, once; whoever has a clock can time each evaluation with it.
    public func evaluateJourney(
        _ request: consuming EvaluationRequest, details: (EventName) -> Event? = { _ in nil },
        measuring measure: (() -> Evaluation) -> Evaluation = { $0() }
    ) -> JourneyResult {
        guard let message = request.message else { return JourneyResult(evaluations: [], state: request.state) }
        let events = Evaluator.events(of: message, on: request.device)
        var step = consume request
        var evaluations: [Evaluation] = []
        for name in events {
            step.event = details(name) ?? Event(name)
            let evaluation = measure { evaluate(step) }
            step.state.apply(evaluation.effects, recipient: evaluation.decision.recipient ?? "")
            evaluations.append(evaluation)
        }
        return JourneyResult(evaluations: evaluations, state: step.state)
    }
}

extension EventName {
    init(_ callback: Callback) {
        self =
            switch callback {
            case .send: .send
            case .enrich: .enrich
            case .present: .present
            case .receive: .receive
            case .open: .open
            case .resume: .resume
            }
    }
}
