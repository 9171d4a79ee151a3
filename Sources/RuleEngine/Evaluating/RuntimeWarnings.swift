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
            code: .unknownField, path: "\(owner).\(name)",
            message: "`\(owner)` has no field `\(name)` (\(field.file), line \(field.line))",
            hint: nearest.map { "did you mean `\($0)`?" })
    }

    static func eventNotAnswered(_ event: EventName) -> Warning {
        Warning(
            code: .eventNotAnswered, path: "event",
            message: "rules run for `\(event.rawValue)`, but this version of rulehost has no answer of its own to that event",
            hint: "what is decided is what the rules say")
    }

    static func deferralNotKept(_ until: Until?) -> Warning {
        let end =
            switch until {
            case .at(_, let local, let zone): "at \(local) (\(zone))"
            case .resume: "when the app is opened"
            case nil: "later"
            }
        return Warning(
            code: .deferralNotKept, path: "display.until",
            message: "this version of rulehost does not keep deferred messages; the caller must send it again \(end)",
            hint: "keep the message and ask again then")
    }
}
