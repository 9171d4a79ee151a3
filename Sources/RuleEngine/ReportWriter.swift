// The parts of a decision's JSON that are for people: warnings, errors and the trace.
import JSONDocument
import PushMessage

enum ReportWriter {
    static func write(_ warnings: [Warning], into writer: inout JSONWriter) {
        writer.key("warnings")
        writer.beginArray()
        for warning in warnings {
            writer.beginObject()
            DecisionWriter.text("code", warning.code.rawValue, into: &writer)
            DecisionWriter.text("path", warning.path, into: &writer)
            DecisionWriter.text("message", warning.message, into: &writer)
            DecisionWriter.text("hint", warning.hint, into: &writer)
            writer.endObject()
        }
        writer.endArray()
    }

    static func write(_ errors: [RuleError], into writer: inout JSONWriter) {
        writer.key("errors")
        writer.beginArray()
        for error in errors {
            writer.beginObject()
            DecisionWriter.text("code", error.code, into: &writer)
            DecisionWriter.text("rule", error.rule, into: &writer)
            DecisionWriter.text("file", error.file, into: &writer)
            writer.key("line")
            writer.integer(error.line)
            DecisionWriter.text("message", error.message, into: &writer)
            DecisionWriter.text("hint", error.hint, into: &writer)
            writer.endObject()
        }
        writer.endArray()
    }

    static func write(_ trace: Trace, into writer: inout JSONWriter) {
        writer.key("trace")
        writer.beginObject()
        writer.key("rules")
        writer.beginArray()
        for line in trace.rules { write(line, into: &writer) }
        writer.endArray()
        writer.key("guards")
        writer.beginArray()
        for line in trace.guards {
            writer.beginObject()
            DecisionWriter.text("guard", line.guard.rawValue, into: &writer)
            DecisionWriter.text("effect", line.effect, into: &writer)
            writer.endObject()
        }
        writer.endArray()
        list("notes", trace.notes, into: &writer)
        list("log", trace.log, into: &writer)
        writer.endObject()
    }

    private static func write(_ line: Trace.RuleLine, into writer: inout JSONWriter) {
        writer.beginObject()
        DecisionWriter.text("rule", line.rule, into: &writer)
        DecisionWriter.text("file", line.file, into: &writer)
        writer.key("line")
        writer.integer(line.line)
        DecisionWriter.text("outcome", line.outcome.rawValue, into: &writer)
        DecisionWriter.text("because", line.because, into: &writer)
        if !line.set.isEmpty {
            writer.key("set")
            writer.beginObject()
            for entry in line.set {
                writer.key(entry.field)
                writer.raw(entry.json)
            }
            writer.endObject()
        }
        if !line.lost.isEmpty {
            writer.key("lost")
            writer.beginObject()
            for entry in line.lost { DecisionWriter.text(entry.field, entry.winner, into: &writer) }
            writer.endObject()
        }
        if !line.lines.isEmpty { write(line.lines, into: &writer) }
        integer("lines_left_out", line.linesLeftOut, into: &writer)
        writer.endObject()
    }

    private static func write(_ lines: [Trace.RanLine], into writer: inout JSONWriter) {
        writer.key("lines")
        writer.beginArray()
        for line in lines {
            writer.beginObject()
            DecisionWriter.text("call", line.call.rawValue, into: &writer)
            DecisionWriter.text("file", line.file, into: &writer)
            writer.key("line")
            writer.integer(line.line)
            DecisionWriter.text("source", line.source, into: &writer)
            writer.key("times")
            writer.integer(line.times)
            writer.key("values")
            writer.beginArray()
            for value in line.values {
                writer.beginObject()
                DecisionWriter.text("path", value.path, into: &writer)
                writer.key("value")
                writer.raw(value.json)
                writer.endObject()
            }
            writer.endArray()
            integer("values_left_out", line.valuesLeftOut, into: &writer)
            writer.endObject()
        }
        writer.endArray()
    }

    /// Absent when it is none.
    private static func integer(_ key: StaticString, _ number: Int, into writer: inout JSONWriter) {
        guard number > 0 else { return }
        writer.key(key)
        writer.integer(number)
    }

    private static func list(_ key: StaticString, _ texts: [String], into writer: inout JSONWriter) {
        guard !texts.isEmpty else { return }
        writer.key(key)
        writer.beginArray()
        for text in texts { writer.string(text) }
        writer.endArray()
    }
}

extension DecisionWriter {
    fileprivate static func text(_ key: String, _ value: String, into writer: inout JSONWriter) {
        writer.key(key)
        writer.string(value)
    }
}
