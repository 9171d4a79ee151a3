// The JSON answer of `rulehost inspect` to one message.
public import JSONDocument

public enum InspectAnswer {
    /// `{"message": {…}, "sources": {field: path}, "journey": [event names], "size": {"bytes", "limit"}}`, without a
    /// line's end. `message` leaves `raw` out: that is the input itself.
    public static func write(
        _ message: Message, state: DeviceState, platform: Platform, tapped: Bool, into writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.key("message")
        writer.beginObject()
        for field in message.view.children where field.key != JSONText("raw") {
            writer.key(field.key)
            writer.value(field)
        }
        writer.endObject()
        writer.key("sources")
        writer.beginObject()
        for (field, path) in message.sources {
            writer.key(field)
            writer.string(path)
        }
        writer.endObject()
        writer.key("journey")
        writer.beginArray()
        for callback in Journey.events(for: message, state: state, platform: platform, tapped: tapped) {
            writer.string(callback.rawValue)
        }
        writer.endArray()
        writer.key("size")
        writer.beginObject()
        writer.key("bytes")
        writer.integer(message.size.bytes)
        writer.key("limit")
        writer.integer(message.size.limit)
        writer.endObject()
        writer.endObject()
    }

    /// The answer as bytes of its own.
    public static func json(
        for message: Message, state: DeviceState = .background, platform: Platform = .ios, tapped: Bool = false
    ) -> [UInt8] {
        var writer = JSONWriter(reserving: 2048)
        write(message, state: state, platform: platform, tapped: tapped, into: &writer)
        return writer.bytes
    }
}
