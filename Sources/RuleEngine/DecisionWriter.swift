// A decision as JSON: the keys always in one order, absent when there is nothing to say. Used by everything that
// shows, sends, stores or compares decisions; the same decision gives the same bytes.
public import JSONDocument
import PushMessage

public enum DecisionWriter {
    public static func bytes(of decision: borrowing Decision) -> [UInt8] {
        var writer = JSONWriter(reserving: 1024)
        write(decision, into: &writer)
        return writer.bytes
    }

    /// What a request is answered with: the decision of the event that it named, or those of the journey.
    public static func write(_ evaluations: [Evaluation], ofEvent isNamed: Bool, into writer: inout JSONWriter) {
        // Where they stand: a decision is dear to copy, and out of an array it would be.
        evaluations.withUnsafeBufferPointer { evaluations in
            let start = evaluations.baseAddress
            if isNamed, !evaluations.isEmpty, let start { return write(start.pointee.decision, into: &writer) }
            writer.beginArray()
            if let start { for place in evaluations.indices { write((start + place).pointee.decision, into: &writer) } }
            writer.endArray()
        }
    }

    public static func write(_ decision: borrowing Decision, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("app")
        writer.string(decision.app)
        writer.key("ruleset")
        writer.string(decision.ruleset)
        writer.key("event")
        writer.string(decision.event.name)
        text("message_id", decision.messageID, into: &writer)
        text("recipient", decision.recipient, into: &writer)
        if decision.isDuplicate { flag("duplicate", into: &writer) }
        if let display = decision.display { write(display, into: &writer) }
        if !decision.content.isEmpty { write(decision.content, into: &writer) }
        if let badge = decision.badge { write(badge, into: &writer) }
        if let route = decision.route {
            writer.key("route")
            RouteText.write(route, into: &writer)
        }
        if !decision.topics.isEmpty { write(decision.topics, into: &writer) }
        text("token_action", decision.tokenAction?.rawValue, into: &writer)
        if let result = decision.fetchResult {
            writer.key("fetch_result")
            writer.string(result.name)
        }
        json("inbox", decision.inbox, into: &writer)
        if !decision.deferred.isEmpty {
            writer.key("deferred")
            writer.beginArray()
            for held in decision.deferred { write(held, into: &writer) }
            writer.endArray()
        }
        if !decision.labels.isEmpty {
            writer.key("labels")
            writer.beginObject()
            for label in decision.labels {
                writer.key(label.name)
                writer.string(label.value)
            }
            writer.endObject()
        }
        json("payload", decision.payload, into: &writer)
        if !decision.warnings.isEmpty { ReportWriter.write(decision.warnings, into: &writer) }
        if !decision.errors.isEmpty { ReportWriter.write(decision.errors, into: &writer) }
        if let trace = decision.trace { ReportWriter.write(trace, into: &writer) }
        write(decision.usage, into: &writer)
        writer.endObject()
    }

    private static func write(_ display: Display, into writer: inout JSONWriter) {
        writer.key("display")
        writer.beginObject()
        writer.key("action")
        writer.string(display.action.name)
        writer.key("options")
        writer.beginArray()
        for option in DisplayOptions.inOrder where display.options.contains(option.bit) { writer.string(option.name) }
        writer.endArray()
        text("reason", display.reason, into: &writer)
        text("detail", display.detail, into: &writer)
        text("rule", display.rule, into: &writer)
        if let until = display.until { write(until, into: &writer) }
        writer.endObject()
    }

    private static func write(_ until: Until, into writer: inout JSONWriter) {
        writer.key("until")
        switch until {
        case .resume: writer.string("resume")
        case .at(let instant, let local, let zone):
            writer.beginObject()
            writer.key("at")
            writer.string(instant.text)
            writer.key("local")
            writer.string(local)
            writer.key("zone")
            writer.string(zone)
            writer.endObject()
        }
    }

    private static func write(_ content: Content, into writer: inout JSONWriter) {
        writer.key("content")
        writer.beginObject()
        text("title", content.title, into: &writer)
        text("subtitle", content.subtitle, into: &writer)
        text("body", content.body, into: &writer)
        text("sound", content.sound, into: &writer)
        text("category", content.category, into: &writer)
        text("thread", content.thread, into: &writer)
        text("interruption_level", content.interruptionLevel, into: &writer)
        if let relevance = content.relevance {
            writer.key("relevance")
            writer.decimal(relevance)
        }
        if let attachments = content.attachments {
            writer.key("attachments")
            writer.beginArray()
            for attachment in attachments {
                writer.beginObject()
                text("url", attachment.url, into: &writer)
                text("type", attachment.type, into: &writer)
                text("extension", attachment.kind?.fileExtension, into: &writer)
                integer("max_bytes", attachment.kind?.largest, into: &writer)
                integer("bytes", attachment.bytes, into: &writer)
                integer("budget_seconds", attachment.budgetSeconds, into: &writer)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
    }

    private static func write(_ badge: Badge, into writer: inout JSONWriter) {
        writer.key("badge")
        writer.beginObject()
        writer.key("value")
        writer.integer(badge.value)
        writer.key("change")
        writer.integer(badge.change)
        writer.key("absolute")
        writer.bool(badge.isAbsolute)
        text("reason", badge.reason, into: &writer)
        text("rule", badge.rule, into: &writer)
        writer.endObject()
    }

    private static func write(_ topics: [TopicOperation], into writer: inout JSONWriter) {
        writer.key("topics")
        writer.beginArray()
        for operation in topics {
            writer.beginObject()
            writer.key("op")
            writer.string(operation.kind == .subscribe ? "subscribe" : "unsubscribe" as StaticString)
            writer.key("topic")
            writer.string(operation.topic)
            writer.endObject()
        }
        writer.endArray()
    }

    private static func write(_ usage: Usage, into writer: inout JSONWriter) {
        writer.key("usage")
        writer.beginObject()
        writer.key("fuel")
        writer.integer(usage.fuel)
        if let memory = usage.memoryBytes {
            writer.key("memory_bytes")
            writer.integer(memory)
        }
        if let time = usage.microseconds {
            writer.key("microseconds")
            writer.integer(time)
        }
        writer.endObject()
    }

    static func text(_ key: StaticString, _ value: String?, into writer: inout JSONWriter) {
        guard let value else { return }
        writer.key(key)
        writer.string(value)
    }

    private static func integer(_ key: StaticString, _ value: Int?, into writer: inout JSONWriter) {
        guard let value else { return }
        writer.key(key)
        writer.integer(value)
    }

    private static func flag(_ key: StaticString, into writer: inout JSONWriter) {
        writer.key(key)
        writer.bool(true)
    }

    private static func json(_ key: StaticString, _ value: [UInt8]?, into writer: inout JSONWriter) {
        guard let value else { return }
        writer.key(key)
        writer.raw(value)
    }
}
