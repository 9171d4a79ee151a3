// A comparison as JSON: the counts under names that scripts rely on, then the examples, each with the decisions of both
// sides as they are written everywhere. The same comparison gives the same bytes.
public import JSONDocument
import PushMessage
import RuleEngine

public enum DiffWriter {
    /// - Parameter head: writes further keys in front: what has been compared.
    static func write(_ report: DiffReport, into writer: inout JSONWriter, head: (inout JSONWriter) -> Void = { _ in }) {
        writer.beginObject()
        head(&writer)
        writer.member("events", report.events)
        writer.member("changed", report.changed)
        writer.member("kinds", report.kinds.map { ($0.kind.rawValue, $0.count) })
        writer.member("by_rule", report.rules.map { ($0.name.isEmpty ? "(no rule)" : $0.name, $0.events) })
        writer.member("by_channel", report.channels.map { ($0.name.isEmpty ? "(no channel)" : $0.name, $0.changed) })
        writer.member("by_hour", report.hours.filter { $0.changed > 0 }.map { ($0.name, $0.changed) })
        writer.key("examples")
        writer.beginArray()
        for example in report.examples { write(example, into: &writer) }
        writer.endArray()
        writer.member("people", report.people)
        writer.member("waiting", [("old", report.waitingBefore), ("new", report.waitingAfter)])
        writer.member("badge_carried", report.carriedBadges)
        writer.member("other_reason", report.otherReasons)
        writer.member("left_out", [("other_apps", report.otherApps), ("unreadable", report.unreadable)])
        writer.member("out_of_order", report.outOfOrder)
        writer.endObject()
    }

    public static func write(_ example: DiffExample, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("line", example.line)
        writer.member("at", example.at.text)
        writer.member("recipient", example.recipient)
        writer.member("channel", example.channel)
        writer.member("event", example.event?.rawValue)
        writer.key("kinds")
        writer.beginArray()
        for kind in example.kinds.all { writer.string(kind.rawValue) }
        writer.endArray()
        writer.key("rules")
        writer.beginArray()
        for rule in example.rules where !rule.isEmpty { writer.string(rule) }
        writer.endArray()
        if let message = example.message {
            writer.key("message")
            minified(message, into: &writer)
        }
        writer.key("device")
        minified(example.device, into: &writer)
        decisions("old", example.old, isOne: example.event != nil, into: &writer)
        decisions("new", example.new, isOne: example.event != nil, into: &writer)
        writer.endObject()
    }

    /// A named event has one decision, a journey a list of them.
    private static func decisions(_ key: StaticString, _ decisions: [Decision], isOne: Bool, into writer: inout JSONWriter) {
        writer.key(key)
        if isOne {
            if let decision = decisions.first { DecisionWriter.write(decision, into: &writer) } else { writer.null() }
            return
        }
        writer.beginArray()
        for decision in decisions { DecisionWriter.write(decision, into: &writer) }
        writer.endArray()
    }

    private static func minified(_ json: [UInt8], into writer: inout JSONWriter) {
        json.withUnsafeBufferPointer { writer.minified(JSONText(start: $0.baseAddress, count: $0.count)) }
    }
}
