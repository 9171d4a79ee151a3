// The message in its own wire format with the decision applied: what goes out at `send`, and what the phone will show of
// it at `enrich`. Only for a message that is shown; called when somebody wants payloads at all.
import PushMessage

/// Which decisions carry the message in its own wire format with the decision applied.
public enum PayloadEmission: Sendable {
    /// None: whoever counts or compares decisions has no use for it.
    case left
    /// Those on `send`.
    case sent
    /// Those on `send` and `enrich`.
    case shown
}

extension DecisionMaking {
    func emitPayload(_ decision: inout Decision) {
        switch situation.occasion {
        case .send: break
        case .enrich where situation.request.options.payload == .shown: break
        default: return
        }
        guard let message = situation.message, let display = decision.display, display.action == .show else { return }
        let content = decision.content
        decision.payload = Payload.write(
            message,
            applying: ContentChanges(
                title: content.title, subtitle: content.subtitle, body: content.body, sound: content.sound,
                category: content.category, thread: content.thread, interruptionLevel: content.interruptionLevel,
                relevance: content.relevance, badge: decision.badge?.rule == nil ? nil : decision.badge?.value,
                attachments: content.attachments?.map(\.url), withheld: withheld(display.options, message, content)))
    }

    /// What the options leave out. Where no rule names options nothing is decided about them, and the message stays as it
    /// came; but a provisional permission makes it a quiet one.
    private func withheld(_ options: DisplayOptions, _ message: Message, _ content: Content) -> Withheld {
        let isSaid = rules.merge.values.fields.contains(.display)
        guard isSaid || isProvisional && !message.hasNoText else { return [] }
        var withheld: Withheld = []
        if !options.contains(.sound), isSaid || message.sound != nil { withheld.insert(.sound) }
        if !options.contains(.badge), isSaid || message.badge != nil { withheld.insert(.badge) }
        if options.isDisjoint(with: [.banner, .list, .alert]) {
            if message.hasAlert || !content.isEmpty { withheld.insert(.text) }
        } else if options.isDisjoint(with: [.banner, .alert]) {
            withheld.insert(.banner)
        }
        return withheld
    }

    private var isProvisional: Bool {
        situation.request.device.permission == .provisional && situation.plan.guardModes[.permission] == .on
    }
}
