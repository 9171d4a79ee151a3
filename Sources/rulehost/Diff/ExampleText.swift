// An example in words: what the message says, what the phone was doing, and what each side decides, rule by rule.
import CivilTime
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab

struct ExampleText {
    /// What both sides said about one rule.
    struct RulePair {
        let rule: String
        let old: Trace.RuleLine?
        let new: Trace.RuleLine?

        /// Worth a look: it had a say on a side, or the sides tell different things about it.
        var isTelling: Bool {
            let outcomes = [old?.outcome, new?.outcome]
            return outcomes.contains { $0 == .matched || $0 == .error } || old?.outcome != new?.outcome || old?.because != new?.because
        }
    }

    let example: DiffExample
    /// "Mina: Lunch at noon?"; nil: an event without a message, or a message without text.
    let saying: String?
    /// "app in front, chat › room-8812"
    let phone: String
    /// On the person's clock: "Mon 2026-03-02 09:14 Asia/Seoul".
    let time: String
    let state: DeviceState

    init(_ example: DiffExample, _ manifest: Manifest) {
        self.example = example
        let read = ExampleText.read(example, manifest)
        (state, phone, time, saying) = (read.state, read.phone, read.time, read.saying)
    }

    private static func read(
        _ example: DiffExample, _ manifest: Manifest
    ) -> (state: DeviceState, phone: String, time: String, saying: String?) {
        let devices = DeviceReader()
        let messages = MessageReader(fields: manifest.fields, links: manifest.linkOrder)
        // What is read are views into the readers.
        return withExtendedLifetime((devices, messages)) {
            let device = device(example.device, devices)
            let zone = device.zone ?? manifest.zone ?? .utc
            let weekday = WallClock(example.at, zone: zone.name).weekday
            let time = "\(weekday) \(zone.civil(at: example.at).text) \(zone.name)"
            return (device.state, words(of: device), time, example.message.flatMap { saying($0, device, messages) })
        }
    }

    // Both have been read before, or there would be no example.

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

    /// Each decision's sentences. Empty: the message causes nothing.
    func lines(_ decisions: [Decision]) -> [(event: EventName, lines: [StepWords.Line])] {
        decisions.map { ($0.event, StepWords(decision: $0, badgeBefore: nil, state: state).lines) }
    }

    /// The events with the rules that were asked at them, in order.
    var rules: [(event: EventName, pairs: [RulePair])] {
        var events: [(event: EventName, pairs: [RulePair])] = []
        for decision in example.old + example.new where !events.contains(where: { $0.event == decision.event }) {
            let old = example.old.first { $0.event == decision.event }?.trace?.rules ?? []
            var new = example.new.first { $0.event == decision.event }?.trace?.rules ?? []
            var pairs: [RulePair] = []
            for line in old {
                let place = new.firstIndex { $0.rule == line.rule }
                pairs.append(RulePair(rule: line.rule, old: line, new: place.map { new.remove(at: $0) }))
            }
            pairs += new.map { RulePair(rule: $0.rule, old: nil, new: $0) }
            events.append((decision.event, pairs))
        }
        return events
    }

    /// What a rule did, in a few words.
    static func words(_ line: Trace.RuleLine?) -> String {
        guard let line else { return "there is no such rule" }
        let because = line.because.map { ": \($0)" } ?? ""
        switch line.outcome {
        case .matched:
            var words = line.set.isEmpty ? "matches" : "sets \(line.set.map(\.field).joined(separator: ", "))"
            if let lost = line.lost.first {
                words += line.set.isEmpty ? ", but “\(lost.winner)” counts" : "; for the rest “\(lost.winner)” counts"
            }
            return words + because
        case .noMatch: return "does not match\(because)"
        case .disabled: return "is switched off\(because)"
        case .notRun: return "is not asked\(because)"
        case .error: return "fails\(because)"
        }
    }
}
