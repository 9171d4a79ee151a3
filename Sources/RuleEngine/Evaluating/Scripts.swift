// The machine of an app with what it is given at the start of each evaluation. Made when an app is taken into use and
// again after a stop; two made from the same files behave the same.
import JSONDocument
import LuaSandbox
import PushMessage

final class Scripts {
    let machine: LuaMachine
    let host = RuleHost()
    private let eventTapes = JSONBuilder()
    private let actionTape = JSONBuilder()
    /// `{"name": …}` for each event, by `EventName.place`.
    private let events: [JSONValue]
    /// `{}`
    private let nothing: JSONValue?
    /// `msg` where there is no message: `data` and `raw` are there all the same, and empty.
    private let noMessage: JSONValue?

    init(machine: LuaMachine) {
        self.machine = machine
        eventTapes.open(.array)
        for name in EventName.allCases {
            eventTapes.open(.object)
            eventTapes.key("name")
            eventTapes.string(name.name)
            eventTapes.close()
        }
        eventTapes.open(.object)
        for field in [MessageField.data, .raw] {
            eventTapes.key(field.name)
            eventTapes.open(.object)
            eventTapes.close()
        }
        eventTapes.close()
        eventTapes.open(.object)
        eventTapes.close()
        eventTapes.close()
        let tapes = eventTapes.finish().map { Array($0.children) } ?? []
        events = Array(tapes.dropLast(2))
        noMessage = tapes.dropLast().last
        nothing = tapes.last
    }

    func begin(_ situation: Situation) {
        host.begin(situation)
        // Without memory for the tapes the machine is not begun, and every call of it is a fault.
        guard let nothing else { return }
        machine.tracesLines = situation.request.options.tracesLines
        machine.begin(
            message: situation.message?.view ?? noMessage, device: situation.request.device.view ?? nothing,
            event: details(in: situation) ?? events[situation.event.place], host: host,
            seed: Scripts.seed(situation))
    }

    private func details(in situation: Situation) -> JSONValue? {
        if let waiting = situation.waiting { return due(waiting.kept) }
        return situation.request.event.details ?? chosenAction(in: situation)
    }

    /// A message is looked at again: which, for the how manieth time, and what was deferred.
    private func due(_ kept: DeferredMessage) -> JSONValue? {
        actionTape.reset()
        actionTape.open(.object)
        actionTape.key("name")
        actionTape.string(EventName.due.name)
        actionTape.key("deferred_id")
        actionTape.string(kept.id)
        actionTape.key("attempt")
        actionTape.integer(kept.attempt)
        actionTape.key("of")
        actionTape.string(kept.event.name)
        actionTape.close()
        return actionTape.finish()
    }

    /// A tap on an action of the notification: the event carries its name.
    private func chosenAction(in situation: Situation) -> JSONValue? {
        guard situation.event == .open, let action = situation.request.device.action else { return nil }
        actionTape.reset()
        actionTape.open(.object)
        actionTape.key("name")
        actionTape.string(EventName.open.name)
        actionTape.key("action")
        actionTape.string(action)
        actionTape.close()
        return actionTape.finish()
    }

    /// From message and recipient, so that the same input draws the same numbers. FNV-1a.
    private static func seed(_ situation: Situation) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        if let id = situation.message?.id { add(id, to: &hash) }
        hash = (hash ^ 0xff) &* 0x100_0000_01b3
        if let recipient = situation.request.device.recipient { add(recipient, to: &hash) }
        return hash
    }

    private static func add(_ text: JSONText, to hash: inout UInt64) {
        for byte in text.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
}
