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
        number("events", report.events, into: &writer)
        number("changed", report.changed, into: &writer)
        counts("kinds", report.kinds.map { ($0.kind.rawValue, $0.count) }, into: &writer)
        counts("by_rule", report.rules.map { ($0.name.isEmpty ? "(no rule)" : $0.name, $0.events) }, into: &writer)
        counts("by_channel", report.channels.map { ($0.name.isEmpty ? "(no channel)" : $0.name, $0.changed) }, into: &writer)
        counts("by_hour", report.hours.filter { $0.changed > 0 }.map { ($0.name, $0.changed) }, into: &writer)
        writer.key("examples")
        writer.beginArray()
        for example in report.examples { write(example, into: &writer) }
        writer.endArray()
        number("people", report.people, into: &writer)
        counts(
            "waiting", [("old", report.waitingBefore), ("new", report.waitingAfter)], into: &writer)
        number("badge_carried", report.carriedBadges, into: &writer)
        number("other_reason", report.otherReasons, into: &writer)
        counts(
            "left_out", [("other_apps", report.otherApps), ("unreadable", report.unreadable)], into: &writer)
        number("out_of_order", report.outOfOrder, into: &writer)
        writer.endObject()
    }

    public static func write(_ example: DiffExample, into writer: inout JSONWriter) {
        writer.beginObject()
        number("line", example.line, into: &writer)
        writer.key("at")
        writer.string(example.at.text)
        writer.key("recipient")
        writer.string(example.recipient)
        if let channel = example.channel {
            writer.key("channel")
            writer.string(channel)
        }
        if let event = example.event {
            writer.key("event")
            writer.string(event.rawValue)
        }
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

    private static func number(_ key: StaticString, _ value: Int, into writer: inout JSONWriter) {
        writer.key(key)
        writer.integer(value)
    }

    private static func counts(_ key: StaticString, _ counts: [(String, Int)], into writer: inout JSONWriter) {
        writer.key(key)
        writer.beginObject()
        for (name, count) in counts {
            writer.key(name)
            writer.integer(count)
        }
        writer.endObject()
    }
}
