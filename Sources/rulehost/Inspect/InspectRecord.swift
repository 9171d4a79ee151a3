// The answer of inspect as JSON: the message with its lint, where fields came from, the journey, the size.
import JSONDocument
import PushMessage
import RuleEngine

enum InspectRecord {
    static func write(_ message: Message, on device: Device, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("message")
        writer.beginObject()
        for field in message.shownFields {
            writer.key(field.key)
            writer.value(field)
        }
        writer.key("lint")
        writer.beginArray()
        for warning in message.lint { write(warning, into: &writer) }
        writer.endArray()
        writer.endObject()
        writer.key("sources")
        writer.beginObject()
        for source in message.sources {
            writer.key(source.field)
            writer.string(source.path)
        }
        writer.endObject()
        writer.key("journey")
        writer.beginArray()
        for event in Evaluator.events(of: message, on: device) { writer.string(event.rawValue) }
        writer.endArray()
        writer.key("size")
        writer.beginObject()
        writer.key("bytes")
        writer.integer(message.size.bytes)
        if let limit = message.size.limit {
            writer.key("limit")
            writer.integer(limit)
        }
        writer.endObject()
        writer.endObject()
    }

    private static func write(_ warning: Warning, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("code")
        writer.string(warning.code.rawValue)
        writer.key("path")
        writer.string(warning.path)
        writer.key("message")
        writer.string(warning.message)
        if let hint = warning.hint {
            writer.key("hint")
            writer.string(hint)
        }
        writer.endObject()
    }
}

extension Message {
    /// The normalised message without the copy of what came in; lint is written apart.
    var shownFields: [JSONValue] { view.children.filter { !($0.key == "raw" || $0.key == "lint") } }
}
