// One line of the decision log: a line of traffic, with what was decided behind it. Made on the log's own thread, from the bytes of the
// request and of the decision.
import JSONDocument
import PushMessage
import RuleHosting

/// Keeps the memory of one line and uses it again.
final class DecisionLine {
    private let request = JSONDocument()
    private let decision = JSONDocument()
    private var writer = JSONWriter(reserving: 8_192)
    private var masking: Masking?
    private static let limit = 8 << 20
    private static let depth = 256

    init(_ masks: [MaskPath], salt: [UInt8]) { masking = masks.isEmpty ? nil : Masking(masks, salt: salt) }

    /// nil: what was decided cannot be told, because the request is not what it was when it was decided.
    func bytes(of record: DecisionRecord) -> [UInt8]? {
        do throws(JSONFault) {
            try request.read(record.body, limit: DecisionLine.limit, depth: DecisionLine.depth)
            if masking != nil { try decision.read(record.decision, limit: DecisionLine.limit, depth: DecisionLine.depth) }
        } catch {
            return nil
        }
        guard let root = request.root, root.isObject else { return nil }
        writer.reset()
        masking?.begin()
        writer.beginObject()
        writer.key("at")
        writer.string(record.at.text)
        writer.key("app")
        writer.string(record.app)
        for name in ["event", "message"] {
            guard let value = root[name], !value.isNull else { continue }
            writer.key(name)
            write(value, of: name)
        }
        writer.key("device")
        if let device = root["device"], device.isObject { write(device, of: "device") } else { writer.raw("{}") }
        writer.key("decision")
        if masking != nil, let value = decision.root {
            masking?.writeDecision(value, into: &writer)
        } else {
            // The payload in it may have the line breaks that the message had.
            record.decision.withUnsafeBufferPointer { writer.minified(JSONText(start: $0.baseAddress, count: $0.count)) }
        }
        writer.key("ruleset")
        writer.string(record.ruleset)
        if let context = record.traceparent {
            writer.key("traceparent")
            writer.string(context)
        }
        if let met = masking?.metPaths, !met.isEmpty {
            writer.key("masked")
            writer.beginArray()
            for path in met { writer.string(path) }
            writer.endArray()
        }
        writer.endObject()
        return writer.bytes + [0x0A]
    }

    private func write(_ value: JSONValue, of root: String) {
        if masking != nil {
            masking?.write(value, of: root, into: &writer)
        } else {
            // As it came, but on one line.
            let source = request.source.bytes[value.offset..<value.offset + value.sourceLength]
            let text = UnsafeBufferPointer(rebasing: source)
            writer.minified(JSONText(start: text.baseAddress, count: text.count))
        }
    }
}
