// Writes a decision that tells what came earlier: a message that was held back, what is in the inbox, a way that waited. What was masked when
// that came does not stand in the line to be found again, so every text and number that a rule or a message can have put there is hidden,
// and what the host says by itself stays. Called by Masking, where anything of messages or devices is masked.
import JSONDocument

struct EarlierTexts {
    let names: MaskNames
    let hidesIDs: Bool
    /// What is masked in this line: the recipient.
    let found: MaskedValues

    /// Events at which that is told.
    private static let events: Set<String> = ["due", "resume"]
    /// Words of the host, and names of rules.
    private static let own: Set<String> = [
        "app", "ruleset", "event", "action", "options", "until", "at", "local", "zone", "rule", "guard", "op", "token_action",
        "fetch_result",
        "interruption_level", "code", "file",
    ]
    /// Made by rules or messages.
    private static let others: Set<String> = [
        "labels", "inbox", "payload", "route", "content", "attachments", "topics", "log", "device", "message",
    ]

    /// - Parameter decision: one of a line.
    static func tells(_ decision: JSONValue) -> Bool { decision["event"]?.text.map { events.contains($0.string) } ?? false }

    func write(_ value: JSONValue, into writer: inout JSONWriter) {
        switch value.kind {
        case .object:
            writer.beginObject()
            for member in value.children {
                let key = member.key.string
                writer.key(member.key)
                if EarlierTexts.others.contains(key) {
                    hide(member, namesToo: key == "labels" || key == "inbox", into: &writer)
                } else if EarlierTexts.own.contains(key) {
                    // A moment is one by itself, or with its zone.
                    if member.isObject { write(member, into: &writer) } else { JSONRewriting.copy(member, into: &writer) }
                } else if key == "recipient" || key == "message_id" && !hidesIDs {
                    copy(member, into: &writer)
                } else {
                    write(member, into: &writer)
                }
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for element in value.children { write(element, into: &writer) }
            writer.endArray()
        default:
            if let text = value.text { writer.string(names.name(of: Array(text.bytes))) } else { JSONRewriting.copy(value, into: &writer) }
        }
    }

    /// Everything in it.
    func hide(_ value: JSONValue, namesToo: Bool = false, into writer: inout JSONWriter) {
        JSONRewriting.write(value, into: &writer, names: { namesToo ? names.name(of: Array($0.bytes)) : nil }) { leaf, writer in
            if let text = leaf.text {
                writer.string(names.name(of: Array(text.bytes)))
            } else if leaf.bool != nil || leaf.isNull {
                JSONRewriting.copy(leaf, into: &writer)
            } else {
                writer.integer(0)
            }
        }
    }

    private func copy(_ value: JSONValue, into writer: inout JSONWriter) {
        if let text = value.text, let replaced = found.replaced(in: text) { return writer.string(replaced) }
        JSONRewriting.copy(value, into: &writer)
    }
}
