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
        let waiting = request.state.recipients[request.device.recipient?.string ?? ""]?.deferred ?? DeferredMessages()
        guard case .due(let id, let attempt) = request.event.meaning else {
            guard let message = request.message else { return .notNamed }
            // However long it has been waiting.
            let kept =
                message.idGenerated ? waiting.oldest(withoutID: message.id.string) : waiting.message(message.id.string)
            return kept.map(Found.waiting)
                ?? .notWaiting("the message \"\(message.id.string)\" is not held back (any more): nothing is done")
        }
        guard let kept = waiting.message(id.string) else {
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

/// Reads what was kept. Its readers own the memory of the last one.
final class WaitingReader {
    private let messages: MessageReader
    private let devices = DeviceReader()
    private let document = JSONDocument()

    init(_ manifest: Manifest) { messages = MessageReader(fields: manifest.fields, links: manifest.linkOrder) }

    /// What is known of the phone now goes before what was known then. nil: what was kept is no message. Valid until
    /// the next one.
    func request(for kept: DeferredMessage, in request: EvaluationRequest) -> EvaluationRequest? {
        var again = request
        again.device = device(kept.device, request.device)
        do throws(MessageFault) {
            again.message = try messages.read(
                kept.message, as: kept.format, for: again.device.messageContext, limit: kept.message.count)
        } catch {
            return nil
        }
        again.event = Event(.due)
        return again
    }

    /// The phone with another number on its icon, for rules to see.
    func device(_ present: Device, badge: Int) -> Device {
        var present = present
        present.badge = badge
        return present.said.contains(.badge) ? device(Array("{}".utf8), present) : present
    }

    private func device(_ kept: [UInt8], _ present: Device) -> Device {
        do {
            let text = try WaitingReader.text(kept, present, document)
            var device = try text.withUnsafeBytes { bytes in try devices.read(bytes, limit: text.count) }
            for warning in present.warnings where !device.warnings.contains(warning) { device.warnings.append(warning) }
            return device
        } catch {
            // Somebody has spoilt it: what is known now is enough to decide, and no reason to lose the message.
            return present
        }
    }

    private static func text(_ kept: [UInt8], _ present: Device, _ document: JSONDocument) throws(JSONFault) -> [UInt8] {
        try document.read(kept, limit: kept.count)
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
            if key == .badge, let badge = present.badge { writer.integer(badge) } else { writer.value(member) }
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
