// Warnings that an evaluation gives beside the message's lint.
import LuaSandbox
import PushMessage

extension Warning {
    static var nobodyNamed: Warning {
        Warning(
            code: .noRecipient, path: "recipient",
            message: "the device names no recipient; what is remembered belongs to the recipient \"\"",
            hint: "give the device a recipient")
    }

    static var noShareOfNobody: Warning {
        Warning(
            code: .noRecipient, path: "recipient",
            message: "the device names no recipient; rules with rollout or holdout are for nobody then",
            hint: "give the device a recipient")
    }

    /// A field that a script has read and that its view does not have.
    static func unknownField(_ field: UnknownField) -> Warning {
        let schema = field.view == "device" ? ScriptWorld.schemas.device : ScriptWorld.schemas.message
        let fields = schema.fields ?? []
        var (owner, name, known) = (field.view, field.field[...], fields)
        if let dot = name.firstIndex(of: ".") {
            let table = name[...dot]
            known = fields.filter { $0.hasPrefix(table) }.map { String($0.dropFirst(table.count)) }
            owner += "." + name[..<dot]
            name = name[dot...].dropFirst()
        }
        let nearest = PushMessage.DidYouMean.nearest(to: String(name), among: known)
        return Warning(
            code: .unknownField, path: "\(owner).\(String(name).shortened)",
            message: "`\(owner)` has no field `\(String(name).shortened)` (\(field.file), line \(field.line))",
            hint: nearest.map { "did you mean `\($0)`?" })
    }

    static func eventNotAnswered(_ event: EventName) -> Warning {
        let example =
            switch event {
            case .account: "{\"name\": \"account\", \"op\": \"login\", \"account\": \"u-1\"}"
            case .token: "{\"name\": \"token\", \"kind\": \"fcm\", \"value\": \"…\"}"
            case .settings: "{\"name\": \"settings\", \"changed\": {\"channels\": {\"offers\": false}}}"
            default: "{\"name\": \"due\", \"deferred_id\": \"m-1\"}"
            }
        return Warning(
            code: .eventNotAnswered, path: "event",
            message: "the event \"\(event.rawValue)\" does not say what has happened: only rules answer it",
            hint: "give its details, such as \(example)")
    }

    /// - Parameter why: a sentence.
    static func notDeferred(_ why: String) -> Warning {
        Warning(code: .notDeferred, path: "event.deferred_id", message: why, hint: "`deferred` in the state lists what waits")
    }

    static func deferralNotKept(_ event: EventName) -> Warning {
        Warning(
            code: .deferralNotKept, path: "display",
            message: "nothing can be held back at \"\(event.rawValue)\": the message is not kept",
            hint: "defer at send, enrich, receive or present")
    }

    /// - Parameter rule: nil: no rule, the message's own hours.
    static func heldBackAgain(_ kept: DeferredMessage, by rule: String?) -> Warning {
        Warning(
            code: .deferredAgain, path: "display",
            message: "\(speaker(rule)) holds the message \"\(kept.id.shortened)\" back again, at attempt \(kept.attempt)",
            hint: "a function is asked each time; at attempt \(DeferredMessage.mostAttempts) the message is shown")
    }

    static func heldBackTooOften(_ kept: DeferredMessage, by rule: String?) -> Warning {
        Warning(
            code: .deferredAgain, path: "display",
            message:
                "\(speaker(rule)) would hold the message \"\(kept.id.shortened)\" back again, at attempt \(kept.attempt): it is shown instead",
            hint: "let the rule look at `event.attempt`")
    }

    private static func speaker(_ rule: String?) -> String { rule.map { "the rule \"\($0.shortened)\"" } ?? "its own start" }

    static var deferredFull: Warning {
        Warning(
            code: .deferredFull, path: "display",
            message:
                "\(DeferredMessages.most) messages, or \(DeferredMessages.mostBytes >> 20) MiB, are held back for the recipient: this one is not, and is shown",
            hint: "ask with the event `due` for what is over, or hold back less")
    }

    /// - Parameter lost: how many of the oldest values make room.
    static func inboxFull(_ lost: Int) -> Warning {
        Warning(
            code: .inboxFull, path: "inbox",
            message:
                "the inbox holds \(Inbox.most) values and \(Inbox.mostBytes >> 10) KiB: \(lost == 1 ? "the oldest value is" : "the \(lost) oldest values are") dropped",
            hint: "values are handed over at `resume`; keep what the app cannot fetch itself")
    }

    /// - Parameter lost: how many topics are not subscribed to.
    static func topicsFull(_ lost: Int) -> Warning {
        Warning(
            code: .topicsFull, path: "topics",
            message:
                "one phone is in at most \(TopicList.most) topics: \(lost == 1 ? "one is" : "\(lost) are") not subscribed to",
            hint: "FCM has no room for more; unsubscribe from what is over")
    }

    static func rulesetPinned(_ kept: DeferredMessage, answering ruleset: String) -> Warning {
        Warning(
            code: .rulesetPinned, path: "ruleset",
            message:
                "the message \"\(kept.id.shortened)\" was to be decided by the ruleset \(kept.ruleset ?? ""), which is not at hand; \(ruleset) has decided",
            hint: "`pin = true` holds where rulesets are kept by their hash")
    }
}
