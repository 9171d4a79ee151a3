// What one evaluation may look at: the request, the ruleset made ready, and what is stored for the recipient. Made once
// per evaluation and handed around by reference, because a copy of any of it costs more than most steps.
import CivilTime
import JSONDocument
import PushMessage

final class Situation {
    let request: EvaluationRequest
    let plan: Plan
    /// nil: the device names nobody.
    let recipient: String?
    /// Of the recipient, or of nobody.
    let stored: RecipientState

    init(_ request: consuming EvaluationRequest, plan: Plan) {
        recipient = request.device.recipient?.string
        stored = request.state.recipients[recipient ?? ""] ?? RecipientState()
        self.plan = plan
        self.request = request
    }

    /// Where the person is: as the device says, else as stored, else as the app says, else UTC; never where the machine
    /// stands.
    private(set) lazy var zone: Zone =
        request.device.zone ?? stored.timezone.flatMap { Zone($0) } ?? plan.ruleset.manifest.zone ?? .utc

    /// The message's channel passes switches and quiet hours.
    var isCritical: Bool {
        guard let channels = plan.ruleset.manifest.channels, let code = message?.channel else { return false }
        return channels.contains { $0.isCritical && code == $0.code }
    }

    var message: Message? { request.message }
    var event: EventName { request.event.name }
    var isTraced: Bool { request.options.tracesRules }
}
