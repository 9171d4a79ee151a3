// A message that was held back and is looked at again: which one an event means, and the request that looks at it, put
// together from what was kept and what is known now.
import JSONDocument
import PushMessage

struct WaitingMessage {
    let kept: DeferredMessage
    /// It waited for `resume`, and that is now.
    let isResuming: Bool

    enum Found {
        case waiting(DeferredMessage)
        /// The event says no id, and no message that waits is given.
        case notNamed
        /// A sentence.
        case notWaiting(String)
    }

    /// By `deferred_id`; without one, the message that is given, when it waits.
    static func find(in request: borrowing EvaluationRequest) -> Found {
        let waiting = request.state.recipients[request.device.recipient?.string ?? ""]?.deferred ?? []
        guard case .due(let id, let attempt) = request.event.meaning else {
            // However long it has been waiting.
            guard let message = request.message,
                let kept = waiting.first(where: { $0.holds(message, at: request.now, within: .max) })
            else { return .notNamed }
            return .waiting(kept)
        }
        guard let kept = waiting.first(where: { id == $0.id }) else {
            return .notWaiting("no message is held back as \"\(id.string)\" (any more): nothing is done")
        }
        if let attempt, attempt != Int64(kept.attempt) {
            return .notWaiting(
                "the message \"\(kept.id)\" waits for attempt \(kept.attempt), not \(attempt), which has been answered: nothing is done")
        }
        return .waiting(kept)
    }

    static func forResume(in request: borrowing EvaluationRequest) -> [DeferredMessage] {
        request.state.recipients[request.device.recipient?.string ?? ""]?.deferred.filter { $0.until == .resume } ?? []
    }
}

extension DeferredMessage {
    /// Ids end at the time for those messages that have no id of their own: the same text may come again.
    static func id(of message: Message, at now: Instant) -> String {
        message.idGenerated ? "\(message.id.string)@\(now.text)" : message.id.string
    }

    /// - Parameter window: milliseconds for which two messages with the same text are one.
    func holds(_ message: Message, at now: Instant, within window: Int64) -> Bool {
        if !message.idGenerated { return message.id == id }
        let start = "\(message.id.string)@"
        guard id.hasPrefix(start), let kept = Instant(String(id.dropFirst(start.count))) else { return false }
        return now.milliseconds &- kept.milliseconds <= window
    }
}

/// Reads what was kept. Its readers own the memory of the last one.
final class WaitingReader {
    private let messages: MessageReader
    private let devices = DeviceReader()
    private let document = JSONDocument()

    init(_ manifest: Manifest) { messages = MessageReader(fields: manifest.fields, links: manifest.linkOrder) }

    /// What is known of the phone now goes before what was known then. nil: what was kept cannot be read. Valid until
    /// the next one.
    func request(for kept: DeferredMessage, in request: EvaluationRequest) -> EvaluationRequest? {
        var again = request
        do {
            let text = try WaitingReader.device(kept.device, request.device, document)
            again.device = try text.withUnsafeBytes { bytes in try devices.read(bytes) }
            for warning in request.device.warnings where !again.device.warnings.contains(warning) {
                again.device.warnings.append(warning)
            }
            again.message = try messages.read(
                kept.message, as: kept.format, for: again.device.messageContext, limit: kept.message.count)
        } catch {
            return nil
        }
        again.event = Event(.due)
        return again
    }

    private static func device(_ kept: [UInt8], _ present: Device, _ document: JSONDocument) throws(JSONFault) -> [UInt8] {
        try document.read(kept)
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        for member in document.root?.children.map({ $0 }) ?? [] {
            guard let key = DeviceKey(member.key), !present.said.contains(key) else { continue }
            writer.key(member.key)
            writer.value(member)
        }
        for member in present.view?.children.map({ $0 }) ?? [] {
            guard let key = DeviceKey(member.key), present.said.contains(key) else { continue }
            writer.key(member.key)
            writer.value(member)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension Device {
    /// What stays true for a while, as JSON text.
    var lasting: [UInt8] {
        var writer = JSONWriter(reserving: 256)
        writer.beginObject()
        for member in view?.children.map({ $0 }) ?? [] {
            guard let key = DeviceKey(member.key), said.contains(key), key.isLasting else { continue }
            writer.key(member.key)
            writer.value(member)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension DeviceKey {
    fileprivate var isLasting: Bool {
        switch self {
        case .recipient, .os, .appVersion, .permission, .appPush, .channels, .topics, .locale, .timezone, .accounts: true
        case .state, .screen, .badge, .tap, .action, .localCopy: false
        }
    }
}

/// Keys of a device, one bit each.
struct DeviceKeys: Sendable {
    private var bits: UInt32 = 0

    func contains(_ key: DeviceKey) -> Bool { bits & (1 << UInt32(key.rawValue)) != 0 }
    mutating func insert(_ key: DeviceKey) { bits |= 1 << UInt32(key.rawValue) }
}
