// Writes the question about a message whose time has come: the event `due` that names it, and a phone of which nothing is
// known but whose it is; what was known when the message was held back stands with the message.
import CivilTime
import JSONDocument
import RuleEngine

final class DueDesk {
    private let devices = DeviceReader()
    private let device = JSONDocument()
    private let event = JSONDocument()
    private let kept = JSONDocument()

    /// Valid until the next one. nil when the names cannot be written as JSON, which no text of a message brings about.
    func request(for message: DeferredMessage, of recipient: String) -> (device: Device, event: Event)? {
        do {
            try device.read(DueDesk.device(of: recipient), limit: .max)
            try event.read(DueDesk.event(for: message), limit: .max)
            guard let root = event.root else { return nil }
            return (try devices.read(device.root), try Event.read(root))
        } catch {
            return nil
        }
    }

    /// Where the person was when the message was held back.
    func zone(of message: DeferredMessage) -> Zone? {
        do throws(JSONFault) { try kept.read(message.device, limit: .max) } catch { return nil }
        return kept.root?["timezone"]?.text.flatMap { Zone($0) }
    }

    private static func device(of recipient: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if !recipient.isEmpty {
            writer.member("recipient", recipient)
        }
        writer.endObject()
        return writer.bytes
    }

    private static func event(for message: DeferredMessage) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("name", "due")
        writer.member("deferred_id", message.id)
        writer.member("attempt", message.attempt)
        writer.endObject()
        return writer.bytes
    }
}
