// A message in its own wire format again, with what a decision changed.

public enum Payload {
    /// The bytes of the message as it came, with the changes written in their places; every other byte is as it was.
    /// A field is changed in every place of the format that holds it, and in the place of the app's field map that it
    /// was read from; where no place holds it, it is added where the format has it. Fields that a format has no place
    /// for (thread, interruption level and relevance in legacy FCM; everything in unknown shapes) are left out.
    public static func write(_ message: Message, applying changes: ContentChanges = .init()) -> [UInt8] {
        let source = message.reader.source
        var plan = PayloadPlan(message)
        plan.apply(changes)
        return plan.edit.applied(to: source, root: message.raw)
    }
}
