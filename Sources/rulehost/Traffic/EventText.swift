// An event of recorded traffic in words: what the message says, what the phone was doing, and when, on the person's clock.
import CivilTime
import JSONDocument
import PushMessage
import RuleEngine

struct EventText {
    /// "Mina: Lunch at noon?"; nil: an event without a message, or a message without text.
    let saying: String?
    /// "app in front, chat › room-8812"
    let phone: String
    /// On the person's clock: "Mon 2026-03-02 09:14 Asia/Seoul".
    let time: String
    /// "Mon 2026-03-02 Asia/Seoul", and "09:14" or "09:14:07".
    let day: String
    let clock: String
    let state: DeviceState

    /// - Parameters:
    ///   - message: JSON text; nil: an event without a message.
    ///   - device: JSON text.
    init(at instant: Instant, message: [UInt8]?, device: [UInt8], _ manifest: Manifest) {
        let devices = DeviceReader()
        let messages = MessageReader(fields: manifest.fields, links: manifest.linkOrder)
        // What is read are views into the readers.
        (state, phone, day, clock, time, saying) = withExtendedLifetime((devices, messages)) {
            let device = EventText.device(device, devices)
            let zone = device.zone ?? manifest.zone ?? .utc
            let weekday = WallClock(instant, zone: zone.name).weekday
            let wall = zone.civil(at: instant).text
            return (
                device.state, EventText.words(of: device), "\(weekday) \(wall.prefix(10)) \(zone.name)", String(wall.dropFirst(11)),
                "\(weekday) \(wall) \(zone.name)", message.flatMap { EventText.saying($0, device, messages) }
            )
        }
    }

    // Both have been read before, or there would be no event.

    private static func device(_ text: [UInt8], _ reader: DeviceReader) -> Device {
        do throws(DeviceFault) {
            return try text.withUnsafeBufferPointer { text throws(DeviceFault) in
                try reader.read(UnsafeRawBufferPointer(text), limit: .max)
            }
        } catch {
            return Device()
        }
    }

    private static func saying(_ text: [UInt8], _ device: Device, _ reader: MessageReader) -> String? {
        do throws(MessageFault) {
            let message = try reader.read(text, for: device.messageContext, limit: .max)
            let texts = [message.title, message.body].compactMap { $0?.string }.filter { !$0.isEmpty }
            return texts.isEmpty ? nil : texts.joined(separator: ": ")
        } catch {
            return nil
        }
    }

    private static func words(of device: Device) -> String {
        var words: [String]
        switch device.state {
        case .foreground: words = ["app in front"]
        case .inactive: words = ["app in front, but covered"]
        case .background: words = ["app in the background"]
        case .terminated, .notRunning: words = ["app not running"]
        case .forceQuit: words = ["app swiped away"]
        }
        if device.state == .foreground || device.state == .inactive, let tab = device.screenTab {
            let path = device.screenPath?.children.map { $0.text?.string ?? $0.literal?.string ?? "" } ?? []
            words.append(([tab.string] + path).joined(separator: " › "))
        }
        if device.permission != .authorized { words.append("permission \(device.permission.rawValue)") }
        if device.isTapped { words.append("tapped") }
        return words.joined(separator: ", ")
    }
}
