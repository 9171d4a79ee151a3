// What one evaluation may look at: the request, the ruleset made ready, and what is stored for the recipient. Made once
// per evaluation and handed around by reference, because a copy of any of it costs more than most steps.
import JSONDocument
import PushMessage

final class Situation {
    let request: EvaluationRequest
    let plan: Plan
    /// nil: the device names nobody.
    let recipient: String?
    /// Of the recipient, or of nobody.
    let stored: RecipientState

    init(_ request: EvaluationRequest, plan: Plan) {
        self.request = request
        self.plan = plan
        recipient = request.device.recipient?.string
        stored = request.state.recipients[recipient ?? ""] ?? RecipientState()
    }

    var message: Message? { request.message }
    var event: EventName { request.event.name }
    var isTraced: Bool { request.options.tracesRules }
}
