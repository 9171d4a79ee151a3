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

    /// A field that a script has read and that its view does not have.
    static func unknownField(_ field: UnknownField) -> Warning {
        let known = field.view == "device" ? DeviceKey.names : field.view == "msg" ? MessageField.all : []
        let nearest = PushMessage.DidYouMean.nearest(to: field.field, among: known)
        return Warning(
            code: .unknownField, path: "\(field.view).\(field.field)",
            message: "`\(field.view)` has no field `\(field.field)` (\(field.file), line \(field.line))",
            hint: nearest.map { "did you mean `\($0)`?" })
    }
}
