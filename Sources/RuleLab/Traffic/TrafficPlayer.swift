// One app that lives through recorded traffic: line after line is evaluated on the state that those before have left, and
// a message that was held back is decided again when its time has come. The same evaluation as everywhere; the only clock
// is what the lines say. Used by whatever compares or replays; one thread.
import CivilTime
import JSONDocument
public import PushMessage
public import RuleEngine

/// What came of one line.
public struct PlayedLine: Sendable {
    public var at: Instant
    /// "" when the device names none.
    public var recipient: String
    public var channel: String?
    /// On the clock of whoever the phone belongs to, 0…23.
    public var hour: Int
    /// The event that the line names; nil: the journey of its message.
    public var event: EventName?
    /// In order; of a named event exactly one.
    public var decisions: [Decision]
    /// Ids under which the message waits for a moment from now on.
    public var held: [String]
    /// The recipient has had a later line before.
    public var isOutOfOrder: Bool
    /// Where in the line the message and the phone stand, in bytes; nil: an event without a message.
    public var messageText: Range<Int>?
    public var deviceText: Range<Int>
}

/// What came of a message whose time had come.
public struct DueAnswer: Sendable {
    public var recipient: String
    /// As it was kept.
    public var id: String
    public var at: Instant
    public var hour: Int
    /// nil: it was no longer waiting; something else has answered it.
    public var decision: Decision?
    /// It waits again.
    public var waitsAgain: Bool
    /// JSON text of the message, and of what was known about the phone.
    public var message: [UInt8]
    public var device: [UInt8]
}

public final class TrafficPlayer {
    public let evaluator: any RuleEvaluating
    public private(set) var state: AppState
    private let options: EvaluationOptions
    private let zone: Zone
    private let messages: MessageReader
    private let devices = DeviceReader()
    private let desk = DueDesk()
    private var queue = DueQueue()
    /// Of each recipient's last line.
    private var last = ExactTable<Instant>()

    /// - Parameter state: what is remembered before the first line; messages that it holds back become due, too.
    public init(_ evaluator: any RuleEvaluating, state: AppState = AppState(), tracesRules: Bool = false) {
        self.evaluator = evaluator
        self.state = state
        options = EvaluationOptions(tracesRules: tracesRules)
        let manifest = evaluator.ruleset.manifest
        zone = manifest.zone ?? .utc
        messages = MessageReader(fields: manifest.fields, links: manifest.linkOrder)
        for (recipient, remembered) in state.recipients.inOrder {
            for message in remembered.deferred { wait(message, of: recipient) }
        }
    }

    // MARK: lines

    /// Evaluates a line at its own moment, and keeps what it changes. What is due by then has to be played before.
    /// - Parameter text: the whole line.
    public func play(_ line: TrafficLine) throws(TrafficFault) -> PlayedLine {
        let device = try device(of: line)
        let message = try line.message.map { text throws(TrafficFault) in try self.message(text, of: line, for: device) }
        let recipient = device.recipient?.string ?? ""
        var played = PlayedLine(
            at: line.at, recipient: recipient, channel: message?.channel?.string, hour: hour(at: line.at, device, recipient),
            event: line.event?.name, decisions: [], held: [], isOutOfOrder: isOutOfOrder(line.at, recipient),
            messageText: line.message.map { line.messageOffset..<line.messageOffset + $0.count },
            deviceText: line.device.offset..<line.device.offset + line.device.sourceLength)
        if let event = line.event {
            answer(message, device, event, line.at, &played)
        } else if let message {
            for name in Evaluator.events(of: message, on: device) { answer(message, device, Event(name), line.at, &played) }
        }
        return played
    }

    private func answer(_ message: Message?, _ device: Device, _ event: Event, _ now: Instant, _ played: inout PlayedLine) {
        let evaluation = evaluator.evaluate(
            EvaluationRequest(message: message, device: device, event: event, now: now, state: state, options: options))
        keep(evaluation, of: played.recipient, now: now)
        for effect in evaluation.effects {
            switch effect {
            case .keepDeferred(let kept):
                if kept.dueAt != nil, !played.held.contains(where: kept.id.isExactly) { played.held.append(kept.id) }
            case .dropDeferred(let id): played.held.removeAll(where: id.isExactly)
            default: break
            }
        }
        played.decisions.append(evaluation.decision)
    }

    private func device(of line: TrafficLine) throws(TrafficFault) -> Device {
        do throws(RequestFault) {
            return try devices.read(line.device)
        } catch {
            throw TrafficFault(error, "the device", in: line.device)
        }
    }

    private func message(_ text: JSONText, of line: TrafficLine, for device: Device) throws(TrafficFault) -> Message {
        do throws(MessageFault) {
            return try messages.read(UnsafeRawBufferPointer(text.bytes), for: device.messageContext)
        } catch {
            throw TrafficFault(error, start: line.messageOffset)
        }
    }

    private func isOutOfOrder(_ at: Instant, _ recipient: String) -> Bool {
        if let before = last[recipient], before > at { return true }
        last[recipient] = at
        return false
    }

    private func hour(at instant: Instant, _ device: Device, _ recipient: String) -> Int {
        let remembered = state.recipients[recipient]?.timezone
        return (device.zone ?? remembered.flatMap { Zone($0) } ?? zone).civil(at: instant).hour
    }

    // MARK: what was held back

    /// Decides the next message whose time comes no later than `now`; nil when there is none. To be called until then
    /// before each line.
    public func playNextDue(until now: Instant) -> DueAnswer? {
        while let entry = queue.next(until: now) {
            let waiting = state.recipients[entry.recipient]?.deferred
            guard let kept = waiting?.message(entry.id) else {
                return DueAnswer(
                    recipient: entry.recipient, id: entry.id, at: entry.at, hour: 0, decision: nil, waitsAgain: false, message: [],
                    device: [])
            }
            // Held back until another moment since: there is an entry for that.
            guard kept.dueAt == entry.due else { continue }
            return play(kept, entry)
        }
        return nil
    }

    private func play(_ kept: DeferredMessage, _ entry: DueQueue.Entry) -> DueAnswer {
        let zone = desk.zone(of: kept) ?? state.recipients[entry.recipient]?.timezone.flatMap { Zone($0) } ?? self.zone
        var answer = DueAnswer(
            recipient: entry.recipient, id: kept.id, at: entry.at, hour: zone.civil(at: entry.at).hour, decision: nil, waitsAgain: false,
            message: kept.message, device: kept.device)
        guard let (device, event) = desk.request(for: kept, of: entry.recipient) else { return answer }
        let evaluation = evaluator.evaluate(
            EvaluationRequest(message: nil, device: device, event: event, now: entry.at, state: state, options: options))
        keep(evaluation, of: entry.recipient, now: entry.at)
        answer.decision = evaluation.decision
        answer.waitsAgain = evaluation.effects.contains {
            if case .keepDeferred(let again) = $0 { again.id.isExactly(kept.id) } else { false }
        }
        return answer
    }

    private func keep(_ evaluation: Evaluation, of recipient: String, now: Instant) {
        state.apply(evaluation.effects, recipient: evaluation.decision.recipient ?? "")
        for case .keepDeferred(let message) in evaluation.effects { wait(message, of: recipient, notBefore: now) }
    }

    private func wait(_ message: DeferredMessage, of recipient: String, notBefore now: Instant? = nil) {
        guard let due = message.dueAt else { return }
        queue.add(due: due, notBefore: now, recipient: recipient, id: message.id)
    }
}
