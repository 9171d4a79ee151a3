// What one evaluation may look at: the request, the ruleset made ready, and what is stored for the recipient. Made once
// per evaluation and handed around by reference, because a copy of any of it costs more than most steps.
import CivilTime
import JSONDocument
import PushMessage

final class Situation {
    let request: EvaluationRequest
    let plan: Plan
    let messageID: String?
    /// nil: the device names nobody.
    let recipient: String?
    /// Of the recipient, or of nobody.
    let stored: RecipientState
    /// The message that was held back and is looked at again; nil: none is.
    let waiting: WaitingMessage?
    /// What the event itself changes, before rules are asked; done in `stored` already.
    let changes: [Effect]

    init(_ request: consuming EvaluationRequest, plan: Plan, waiting: WaitingMessage? = nil) {
        recipient = request.device.recipient?.string
        messageID = request.message?.id.string
        // Copied once: what is remembered of a recipient has more than thirty parts, and each is counted with a copy.
        if request.event.name == .settings {
            changes = SettingsChange.effects(of: request.event)
            var changed = request.state.recipients[recipient ?? ""] ?? RecipientState()
            changed.apply(changes)
            stored = changed
        } else if let known = request.state.recipients[recipient ?? ""] {
            changes = []
            stored = known
        } else {
            changes = []
            stored = RecipientState()
        }
        self.waiting = waiting
        self.plan = plan
        self.request = request
        seen = lookUp()
    }

    /// Where the person is: as the device says, else as stored, else as the app says, else UTC; never where the machine
    /// stands.
    private(set) lazy var zone: Zone =
        request.device.zone ?? stored.timezone.flatMap { Zone($0) } ?? plan.ruleset.manifest.zone ?? .utc

    /// What is remembered of the message; nil: it is new.
    private(set) var seen: SeenMessage?

    /// Computed when the message is new to the recipient, once, and only for apps that look for second copies.
    private(set) lazy var content: ContentDigest =
        plan.guardModes[.duplicate] == .off ? .unknown : message?.contentDigest ?? .unknown

    /// The bit of this event in the message's record; empty when a copy of it is none: for events that may come again, and
    /// for notifications that the app has posted itself.
    var copyEvent: SeenEvents { request.copyEvent }

    /// The message as it is kept when it is held back: JSON text.
    private(set) lazy var held: [UInt8] = {
        guard let message else { return [] }
        var writer = JSONWriter(reserving: message.size.bytes + 256)
        writer.value(message.raw)
        return writer.bytes
    }()

    /// Nothing is remembered of the message.
    var isNew: Bool { if case .none = seen { true } else { false } }

    /// The message has been here at this very event.
    var isSecondCopy: Bool {
        let event = copyEvent
        guard !event.isEmpty, let seen else { return false }
        return seen.events.isSuperset(of: event)
    }

    private func lookUp() -> SeenMessage? {
        guard let message, let messageID, !stored.seen.isEmpty else { return nil }
        let question = SeenMessages.Question(
            id: messageID, isIDGenerated: message.idGenerated, event: copyEvent, now: request.now, window: plan.seenWindow,
            // What is due is the message that was held back, however long.
            contentWindow: event == .due ? plan.seenWindow : plan.contentWindow, first: waiting?.kept.first)
        return stored.seen.find(question) { content }
    }

    /// The message's channel passes switches and quiet hours.
    var isCritical: Bool {
        guard let channels = plan.ruleset.manifest.channels, let code = message?.channel else { return false }
        return channels.contains { $0.isCritical && code == $0.code }
    }

    var message: Message? { request.message }
    var event: EventName { request.event.name }
    /// Whose rules, guards and defaults count: the event itself, or the one that was deferred.
    var occasion: EventName { waiting?.kept.event ?? event }
    var isTraced: Bool { request.options.tracesRules }
}

extension EvaluationRequest {
    /// See `Situation.copyEvent`.
    var copyEvent: SeenEvents {
        guard let message, !device.isLocalCopy else { return [] }
        return SeenEvents(event.name, ofCarrier: message.isCarrier)
    }
}
