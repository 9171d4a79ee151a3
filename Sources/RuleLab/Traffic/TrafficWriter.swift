// Writes lines of traffic: whoever records what happens, and whoever makes traffic up. The five keys come first and always
// in this order; a recorder adds its own behind them.
public import JSONDocument
public import PushMessage

public enum TrafficWriter {
    /// One line, its end included, behind what the writer holds.
    /// - Parameters:
    ///   - event: JSON text of a name or an object; nil: the journey of the message.
    ///   - message: JSON text; nil: an event without a message.
    ///   - device: JSON text.
    ///   - more: writes further keys.
    public static func line(
        at: Instant, app: String, event: [UInt8]? = nil, message: [UInt8]? = nil, device: [UInt8],
        more: (inout JSONWriter) -> Void = { _ in }
    ) -> [UInt8] {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.member("at", at.text)
        writer.member("app", app)
        writer.member("event", json: event)
        writer.member("message", json: message)
        writer.member("device", json: device)
        more(&writer)
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
