// An evaluation request as bytes, complete in themselves: they can cross to another process, wait in a batch, and be
// read again here when nobody answers.
import JSONDocument
import PushMessage

public struct Question: Sendable {
    public let bytes: [UInt8]
    /// What the answer must be about.
    let event: EventName
    let recipient: String?
    /// nil: the answer may be about another message, one that waits.
    let messageID: String?
    /// What rules wrote on, for the quota of what they write.
    let now: Instant
    let stored: StoredValues

    /// - Parameter windows: of the app that is asked.
    public init(_ request: borrowing EvaluationRequest, windows: DedupeWindows) {
        var writer = CrossingWriter(reserving: (request.message?.source.count ?? 0) + 1024)
        event = request.event.name
        recipient = request.device.recipient?.string
        if case .none = request.event.meaning { messageID = request.message?.id.string } else { messageID = nil }
        now = request.now
        let state = request.state.recipients[recipient ?? ""] ?? RecipientState()
        stored = StoredValues(
            recipient: state.values, shared: request.state.shared, deferred: state.deferred, caps: state.caps,
            topicCount: max(
                state.wantedTopics?.count ?? 0, state.confirmedTopics?.count ?? 0,
                request.device.topics?.children.reduce(0) { count, _ in count + 1 } ?? 0))
        writer.flag(request.message != nil)
        if let message = request.message {
            writer.word(message.format)
            writer.raw(message.source.bytes)
        }
        writer.write(request.device.given)
        if let details = request.event.details {
            writer.write(details)
        } else {
            writer.flag(false)
            writer.word(event)
        }
        writer.number(now.milliseconds)
        writer.byte(request.options.bits)
        writer.write(state, seen: state.seen.relevant(to: request, deferred: state.deferred, windows))
        writer.write(request.state.shared)
        bytes = writer.bytes
    }
}

/// What an app has stored before the evaluation.
struct StoredValues: Sendable {
    let recipient: ExactTable<StoredValue>
    let shared: ExactTable<StoredValue>
    let deferred: DeferredMessages
    let caps: ExactTable<CapCount>
    /// Wanted, confirmed, or those that the device says: whichever are most.
    let topicCount: Int
}

/// Reads questions, one after the other, for one app. Its readers own the memory of the last one.
public final class QuestionReader {
    private let messages: MessageReader
    private let devices = DeviceReader()
    private let device = JSONDocument()
    private let event = JSONDocument()

    public init(_ manifest: Manifest) { messages = MessageReader(fields: manifest.fields, links: manifest.linkOrder) }

    /// Valid until the next one, and as long as the bytes.
    public func read(_ bytes: UnsafeRawBufferPointer) throws(CrossingFault) -> EvaluationRequest {
        var reader = CrossingReader(bytes)
        let format: MessageFormat? = try reader.optionalWord()
        let text = format == nil ? nil : try reader.span(atMost: Int(Int32.max))
        let device = try reader.device(by: devices, self.device)
        let event = try reader.event(self.event)
        let now = try reader.instant()
        let options = EvaluationOptions(bits: try reader.byte())
        var state = AppState()
        let recipient = try reader.recipientState()
        if recipient != RecipientState() { state.recipients[device.recipient?.string ?? ""] = recipient }
        state.shared = try reader.storedValues()
        try reader.finish()
        var message: Message?
        if let text {
            do throws(MessageFault) {
                message = try messages.read(text, as: format, for: device.messageContext, limit: text.count)
            } catch {
                throw CrossingFault("a message")
            }
        }
        return EvaluationRequest(message: message, device: device, event: event, now: now, state: state, options: options)
    }
}

extension EvaluationOptions {
    fileprivate var bits: UInt8 {
        let payload: UInt8 =
            switch payload {
            case .left: 0
            case .sent: 2
            case .shown: 8
            }
        return (tracesRules ? 1 : 0) | payload | (measuresMemory ? 4 : 0) | (tracesLines ? 16 : 0)
    }

    fileprivate init(bits: UInt8) {
        let payload: PayloadEmission = bits & 8 != 0 ? .shown : bits & 2 != 0 ? .sent : .left
        self.init(
            tracesRules: bits & 1 != 0, tracesLines: bits & 16 != 0, payload: payload, measuresMemory: bits & 4 != 0)
    }
}

extension CrossingWriter {
    /// As JSON text; nil: nothing.
    fileprivate mutating func write(_ value: JSONValue?) {
        flag(value != nil)
        guard let value else { return }
        var json = JSONWriter(reserving: 256)
        json.value(value)
        raw(json.bytes)
    }
}

extension CrossingReader {
    fileprivate mutating func device(by devices: DeviceReader, _ document: JSONDocument) throws(CrossingFault) -> Device {
        let value = try flag() ? try json(into: document) : nil
        do throws(RequestFault) {
            return try devices.read(value)
        } catch {
            throw CrossingFault("a device")
        }
    }

    fileprivate mutating func event(_ document: JSONDocument) throws(CrossingFault) -> Event {
        guard try flag() else { return Event(try word()) }
        let value = try json(into: document)
        do throws(RequestFault) {
            return try Event.read(value)
        } catch {
            throw CrossingFault("an event")
        }
    }

    private mutating func json(into document: JSONDocument) throws(CrossingFault) -> JSONValue {
        let bytes = try span(atMost: Int(Int32.max))
        do throws(JSONFault) {
            try document.read(bytes, limit: bytes.count, depth: 128)
        } catch {
            throw CrossingFault("JSON")
        }
        guard let root = document.root else { throw CrossingFault("JSON") }
        return root
    }
}
