// A device and an event together with the text that they are views into.
import JSONDocument
import RuleEngine

/// A device that lives as long as this object.
final class DeviceDocument {
    let device: Device
    private let document: JSONDocument
    private let reader: DeviceReader

    init(_ input: DeviceInput) throws(CommandFault) {
        let (json, given) = try input.json()
        let document = JSONDocument()
        let reader = DeviceReader()
        do throws(JSONFault) {
            try document.read(json, limit: .max)
        } catch {
            throw .internalFault("the device was put together wrongly: \(error.code.rawValue)")
        }
        do throws(RequestFault) {
            device = try reader.read(document.root)
        } catch {
            throw .request(error, source: input.name, text: given ?? [])
        }
        self.document = document
        self.reader = reader
    }
}

/// An event that lives as long as this object.
final class EventDocument {
    /// What to write.
    static let form = "write the name alone, open, or with its details, {\"name\": \"open\", \"action\": \"reply\"}"

    let event: Event
    private let document: JSONDocument

    /// `--event present` as well as `--event '{"name":"present"}'`.
    static func json(of text: String) -> [UInt8] {
        if text.hasPrefix("{") { return Array(text.utf8) }
        var writer = JSONWriter()
        writer.string(text)
        return writer.bytes
    }

    init(_ json: [UInt8]) throws(CommandFault) {
        let document = JSONDocument()
        do throws(JSONFault) {
            try document.read(json)
        } catch {
            throw .unreadableEvent(text: json, error)
        }
        guard let root = document.root else { throw .notAnObject(source: "--event", text: json) }
        do throws(RequestFault) {
            event = try Event.read(root)
        } catch {
            var fault = error
            fault.hint = fault.hint ?? EventDocument.form
            throw .request(fault, source: "--event", text: root.isObject ? json : [])
        }
        self.document = document
    }
}
