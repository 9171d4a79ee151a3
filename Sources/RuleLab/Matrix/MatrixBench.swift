// Puts one combination together and has it decided: the one evaluation of everywhere, on a phone with some fields set anew.
// One thread; what it reads is valid until the next combination.
import CivilTime
import JSONDocument
import PushMessage
import RuleEngine

final class MatrixBench {
    let evaluator: any RuleEvaluating
    private let question: MatrixQuestion
    private let base = JSONDocument()
    private let devices = DeviceReader()
    private let messages: MessageReader
    /// Events that have been asked, each with the text it is a view into.
    private var events: [(json: [UInt8], event: Event, text: JSONDocument)] = []
    private let zone: Zone

    init(_ evaluator: any RuleEvaluating, _ question: MatrixQuestion) throws(MatrixFault) {
        self.evaluator = evaluator
        self.question = question
        let manifest = evaluator.ruleset.manifest
        messages = MessageReader(fields: manifest.fields, links: manifest.linkOrder)
        zone = manifest.zone ?? .utc
        do throws(JSONFault) { try base.read(question.device) } catch { throw .unreadable(error) }
    }

    struct Answer {
        let decisions: [Decision]
        let state: DeviceState
    }

    /// Calls `body` with the phone and the message as they are without anything set.
    func withBase<Result>(_ body: (Device, Message?) -> Result) throws(MatrixFault) -> Result {
        let device = try device(with: [])
        return body(device, try message(for: device))
    }

    func answer(to settings: [MatrixInput.Setting]) throws(MatrixFault) -> Answer {
        var fields: [DeviceField] = []
        var now = question.now
        var clock: TimeOfDay?
        var eventText = question.event
        for setting in settings {
            switch setting {
            case .device(let field): fields.append(field)
            case .now(let instant): now = instant
            case .clock(let time): clock = time
            case .event(let json): eventText = json
            }
        }
        let device = try device(with: fields)
        if let clock { now = instant(of: clock, around: now, on: device) }
        let message = try message(for: device)
        guard let eventText else {
            let request = EvaluationRequest(message: message, device: device, event: Event(.send), now: now, state: question.state)
            return Answer(decisions: evaluator.evaluateJourney(request).evaluations.map(\.decision), state: device.state)
        }
        let request = EvaluationRequest(
            message: message, device: device, event: try event(eventText), now: now, state: question.state)
        return Answer(decisions: [evaluator.evaluate(request).decision], state: device.state)
    }

    /// On the day that it is there.
    private func instant(of clock: TimeOfDay, around now: Instant, on device: Device) -> Instant {
        let remembered = question.state.recipients[device.recipient?.string ?? ""]?.timezone
        let zone = device.zone ?? remembered.flatMap { Zone($0) } ?? self.zone
        let day = zone.civil(at: now)
        return zone.instant(
            of: CivilTime(year: day.year, month: day.month, day: day.day, hour: clock.minutes / 60, minute: clock.minutes % 60))
    }

    private func device(with fields: [DeviceField]) throws(MatrixFault) -> Device {
        let text = JSONLine.device(base.root, with: fields)
        do throws(DeviceFault) {
            return try text.withUnsafeBufferPointer { text throws(DeviceFault) in
                try devices.read(UnsafeRawBufferPointer(text), limit: .max)
            }
        } catch {
            switch error {
            case .unreadable(let fault): throw .unreadable(fault)
            case .wrong(let fault): throw .request(fault)
            }
        }
    }

    private func message(for device: Device) throws(MatrixFault) -> Message? {
        guard let text = question.message else { return nil }
        do throws(MessageFault) {
            return try messages.read(text, as: question.format, for: device.messageContext)
        } catch {
            throw .message(error)
        }
    }

    private func event(_ json: [UInt8]) throws(MatrixFault) -> Event {
        if let known = events.first(where: { $0.json == json }) { return known.event }
        let text = JSONDocument()
        do throws(JSONFault) { try text.read(json) } catch { throw .unreadable(error) }
        guard let root = text.root else { return Event(.send) }
        do throws(RequestFault) {
            let event = try Event.read(root)
            events.append((json, event, text))
            return event
        } catch {
            throw .request(error)
        }
    }
}
