// Reads recorded traffic, one line at a time: bytes → moment, app, event, message, device. Keeps the memory of one line
// and uses it again. Whoever reads from a file or a pipe hands the lines over; nothing here opens anything.
import JSONDocument
import PushMessage
import RuleEngine

public final class TrafficReader {
    /// Bytes of one line. A line of the decision log holds the decision and its trace as well.
    public static let limit = 1 << 20
    /// Containers inside each other: a message may have 64, and stands one level down.
    private static let depth = 64 + 8

    private let document = JSONDocument()

    public init() {}

    /// Reads a line; the one before becomes invalid. Keys that are not known are passed over: a log says more.
    public func read(_ line: UnsafeRawBufferPointer) throws(TrafficFault) -> TrafficLine {
        do throws(JSONFault) {
            try document.read(line, limit: TrafficReader.limit, depth: TrafficReader.depth)
        } catch {
            throw TrafficFault(error)
        }
        guard let root = document.root, root.isObject else {
            throw TrafficFault("a line of traffic is an object", hint: TrafficReader.form, offset: document.root?.offset)
        }
        var found = Members()
        for member in root.children where !member.isNull { found.take(member) }
        guard let at = found.at else { throw missing("at", "when it happened, such as \"2026-01-01T12:00:00Z\"") }
        guard let instant = at.text.flatMap({ Instant($0) }) else {
            throw TrafficFault(
                "`at` is not an instant", hint: "write a date and time with zone: \"2026-01-01T12:00:00Z\"", offset: at.offset)
        }
        guard let app = found.app else { throw missing("app", "the name of the app, as its folder has it") }
        guard let name = app.text, !name.isEmpty else {
            throw TrafficFault("`app` must be the name of an app", hint: "put it in quotes", offset: app.offset)
        }
        guard let device = found.device else { throw missing("device", "what was known about the phone; {} when that is nothing") }
        guard device.isObject else { throw TrafficFault("`device` must be an object", hint: nil, offset: device.offset) }
        if let message = found.message, !message.isObject {
            throw TrafficFault("`message` must be an object", hint: "the message itself, not its text in quotes", offset: message.offset)
        }
        guard found.event != nil || found.message != nil else {
            throw TrafficFault("the line has neither `message` nor `event`", hint: TrafficReader.form)
        }
        return TrafficLine(
            at: instant, app: name, event: try found.event.map { value throws(TrafficFault) in try event(value) },
            message: found.message.map { text(of: $0) }, device: device, messageOffset: found.message?.offset ?? 0)
    }

    private static let form = "write {\"at\": …, \"app\": …, \"message\": {…}, \"device\": {…}}"

    private struct Members {
        var at, app, event, message, device: JSONValue?

        mutating func take(_ member: JSONValue) {
            switch member.key.count {
            case 2 where member.key == "at": at = member
            case 3 where member.key == "app": app = member
            case 5 where member.key == "event": event = member
            case 7 where member.key == "message": message = member
            case 6 where member.key == "device": device = member
            default: break
            }
        }
    }

    private func missing(_ key: String, _ what: String) -> TrafficFault {
        TrafficFault("the line has no `\(key)`", hint: "`\(key)` says \(what)")
    }

    private func event(_ value: JSONValue) throws(TrafficFault) -> Event {
        do throws(RequestFault) {
            return try Event.read(value)
        } catch {
            throw TrafficFault(error, "the event", in: value)
        }
    }

    /// A value's text in the line.
    private func text(of value: JSONValue) -> JSONText {
        let bytes = document.source.bytes[value.offset..<value.offset + value.sourceLength]
        return JSONText(start: bytes.baseAddress, count: bytes.count)
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    fileprivate var baseAddress: UnsafePointer<UInt8>? { base.baseAddress.map { $0 + startIndex } }
}
