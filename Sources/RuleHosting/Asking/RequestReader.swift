// Reads the body of a request: bytes → event, message, device, moment. Keeps the memory of one body and uses it again. Belongs
// to one app, because its manifest says where a message has its fields, and so to that app's shard.
import JSONDocument
import PushMessage
import RuleEngine
import RuleStore

/// Valid until its reader reads again, and as long as the body.
struct ReadRequest {
    let message: Message?
    let device: Device
    /// nil: the journey of the message.
    let event: Event?
    /// nil: the body does not say.
    let now: Instant?

    var recipient: String { device.recipient?.string ?? "" }
}

final class RequestReader {
    private let document = JSONDocument()
    private let devices = DeviceReader()
    private let messages: MessageReader
    private let limit: Int
    /// Containers inside each other: a message may have 64, and stands one level down.
    private static let depth = 64 + 8
    private static let keys = ["event", "message", "device", "now"]

    init(_ manifest: Manifest, limit: Int) {
        messages = MessageReader(fields: manifest.fields, links: manifest.linkOrder)
        self.limit = limit
    }

    /// - Parameter outline: of the body; nil: it is made here.
    func read(_ body: [UInt8], _ outline: RequestOutline? = nil) throws(HostProblem) -> ReadRequest {
        if let read = parts(of: body, outline) { return read }
        do throws(JSONFault) {
            try document.read(body, limit: limit, depth: RequestReader.depth)
        } catch {
            throw HostProblem(error)
        }
        guard let root = document.root, root.isObject else {
            var problem = HostProblem(
                code: "not_an_object", status: 400, detail: "the body is not a JSON object", hint: RequestReader.form, pointer: "")
            problem.place = document.root.map { TextPlace(of: $0.offset, in: body) }
            throw problem
        }
        let found = try members(of: root, in: body)
        let device = try device(found.device, in: body)
        let event: Event? = if let value = found.event { try self.event(value, in: body) } else { nil }
        guard found.message != nil || !(event?.needsMessage ?? true) else {
            throw RequestReader.problem(
                event.map { "the event \"\($0.name.rawValue)\" is one of a message, and the request has no `message`" }
                    ?? "the request has no `message`", hint: RequestReader.form)
        }
        let message: Message? = if let value = found.message { try self.message(value, for: device, in: body) } else { nil }
        let now: Instant? = if let value = found.now { try self.now(value, in: body) } else { nil }
        return ReadRequest(message: message, device: device, event: event, now: now)
    }

    /// A request as most are, its message and device each read from their own bytes and nothing read twice. nil: there is something else
    /// in it, or something wrong with it; then it is read as a whole, which tells what and where.
    private func parts(of body: [UInt8], _ outline: RequestOutline?) -> ReadRequest? {
        guard body.count <= limit, let parts = outline ?? RequestOutline.of(body).parts, let message = parts.message else { return nil }
        return body.withText { (text) -> ReadRequest? in
            do {
                let device =
                    if let device = parts.device {
                        try devices.read(UnsafeRawBufferPointer(text.part(device).bytes), limit: limit)
                    } else {
                        try devices.read(nil)
                    }
                var event: Event?
                if let named = parts.event {
                    try document.read(text.part(named), limit: limit)
                    event = try document.root.map { value throws(RequestFault) in try Event.read(value) }
                }
                let read = try messages.read(UnsafeRawBufferPointer(text.part(message).bytes), for: device.messageContext)
                return ReadRequest(message: read, device: device, event: event, now: nil)
            } catch {
                return nil
            }
        }
    }

    /// nil: nobody, or it cannot be read.
    func recipient(of body: [UInt8]) -> String? {
        do throws(JSONFault) { try document.read(body, limit: limit, depth: RequestReader.depth) } catch { return nil }
        guard let root = document.root, root.isObject else { return nil }
        return root["device"]?["recipient"]?.text?.string
    }

    private static let form = "write {\"message\": {…}, \"device\": {…}}"

    private struct Members {
        var event, message, device, now: JSONValue?
    }

    private func members(of root: JSONValue, in body: [UInt8]) throws(HostProblem) -> Members {
        var found = Members()
        var others: [JSONValue] = []
        for member in root.children {
            switch member.key.count {
            case 5 where member.key == "event": if !member.isNull { found.event = member }
            case 7 where member.key == "message": if !member.isNull { found.message = member }
            case 6 where member.key == "device": if !member.isNull { found.device = member }
            case 3 where member.key == "now": if !member.isNull { found.now = member }
            // Of a log.
            case 3 where member.key == "app": break
            default: others.append(member)
            }
        }
        for other in others.prefix(8) where other.key.count <= 16 {
            let key = other.key.string
            guard let meant = DidYouMean.nearest(to: key, among: RequestReader.keys), root[meant] == nil else { continue }
            var problem = RequestReader.problem("a request has no key `\(key)`", hint: "did you mean `\(meant)`?")
            problem.pointer = "/\(key.pointerStep)"
            problem.place = TextPlace(ofKey: other, in: body)
            throw problem
        }
        return found
    }

    private func device(_ value: JSONValue?, in body: [UInt8]) throws(HostProblem) -> Device {
        do throws(RequestFault) {
            return try devices.read(value)
        } catch {
            throw HostProblem(error, at: "device", value, in: body)
        }
    }

    private func event(_ value: JSONValue, in body: [UInt8]) throws(HostProblem) -> Event {
        do throws(RequestFault) {
            return try Event.read(value)
        } catch {
            throw HostProblem(error, at: "event", value, in: body)
        }
    }

    /// From its own bytes, so that the answer is the same as for the message by itself.
    private func message(_ value: JSONValue, for device: Device, in body: [UInt8]) throws(HostProblem) -> Message {
        do throws(MessageFault) {
            return try document.source.bytes[value.offset..<value.offset + value.sourceLength].withBytes { bytes throws(MessageFault) in
                try messages.read(bytes, for: device.messageContext)
            }
        } catch {
            throw HostProblem(error, start: value.offset, in: body)
        }
    }

    private func now(_ value: JSONValue, in body: [UInt8]) throws(HostProblem) -> Instant {
        if let instant = value.text.flatMap({ Instant($0) }) { return instant }
        var problem = RequestReader.problem("`now` is not an instant", hint: "write a date and time with zone: \"2026-01-01T12:00:00Z\"")
        problem.pointer = "/now"
        problem.place = TextPlace(of: value.offset, in: body)
        throw problem
    }

    private static func problem(_ detail: String, hint: String) -> HostProblem {
        HostProblem(.requestInvalid, status: 400, detail: detail, hint: hint)
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    fileprivate func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: self)))
    }
}
