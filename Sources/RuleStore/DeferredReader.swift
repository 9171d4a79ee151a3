// Reads messages that are held back from JSON: a part of what is remembered for a recipient, written by StateWriter or
// by people in a case. What people may leave out has a plain meaning.
import JSONDocument
import PushMessage
import RuleEngine

enum DeferredReader {
    static let keys = ["id", "event", "attempt", "until", "rule", "ruleset", "format", "message", "device"]
    private static let events: [EventName] = [.send, .enrich, .receive, .present]

    /// `[{"id": text, "event": "send", "attempt": 1, "until": "resume" | {"at": instant, "local": wall time, "zone": text},
    /// "rule": text, "ruleset": text, "format": text, "message": {…}, "device": {…}}]`; needed are `id`, `event` and `message`.
    /// - Parameter recipient: whose messages they are.
    static func list(
        _ value: JSONValue, of recipient: String, _ path: JSONPath
    ) throws(StateFault) -> [DeferredMessage] {
        var list: [DeferredMessage] = []
        for (place, element) in try StateReader.elements(of: value, path).enumerated() {
            list.append(try one(element, path.appending(place)))
            try check(element["device"]?["recipient"], of: recipient, path.appending(place))
        }
        return list
    }

    /// What was kept for somebody must never be shown to another.
    private static func check(_ stranger: JSONValue?, of recipient: String, _ path: JSONPath) throws(StateFault) {
        guard let stranger, let text = stranger.text, text != recipient else { return }
        throw StateReader.fault(
            stranger, path.appending("device").appending("recipient"), "the phone is not that of the recipient it stands under")
    }

    private static func one(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> DeferredMessage {
        var message = DeferredMessage(
            id: "", event: .send, message: [], format: nil, device: Array("{}".utf8), until: .resume)
        for member in try StateReader.members(of: value, path) {
            let key = member.key.string
            let place = path.appending(key)
            guard keys.contains(key) else { throw StateReader.unknown(member, place, known: keys) }
            if !member.isNull { try read(key, member, place, into: &message) }
        }
        guard !message.id.isEmpty, value["event"] != nil, value["message"]?.isObject ?? false else {
            throw StateReader.fault(value, path, "a message that is held back has an `id`, an `event` and a `message`")
        }
        return message
    }

    private static func read(
        _ key: String, _ value: JSONValue, _ path: JSONPath, into message: inout DeferredMessage
    ) throws(StateFault) {
        switch key {
        case "id": message.id = try StateReader.text(value, path)
        case "event":
            let name = try StateReader.text(value, path)
            guard let event = events.first(where: { $0.rawValue == name }) else {
                throw StateReader.fault(
                    value, path, "no message is held back at \"\(name)\"",
                    hint: "one of " + events.map(\.rawValue).joined(separator: ", "))
            }
            message.event = event
        case "attempt":
            guard let attempt = value.integer, attempt >= 1, attempt <= Int64(Int32.max) else {
                throw StateReader.fault(value, path, "an attempt is a whole number from 1 on")
            }
            message.attempt = Int(attempt)
        case "until": message.until = try until(value, path)
        case "rule": message.rule = try StateReader.text(value, path)
        case "ruleset": message.ruleset = try StateReader.text(value, path)
        case "format":
            let name = try StateReader.text(value, path)
            guard let format = MessageFormat(rawValue: name) else {
                throw StateReader.fault(value, path, "there is no format \"\(name)\"")
            }
            message.format = format
        case "message": message.message = try StateBounds.json(value, path)
        default:
            _ = try StateReader.members(of: value, path)
            message.device = try StateBounds.json(value, path)
        }
    }

    private static func until(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> Until {
        if value.text.map({ $0 == "resume" }) ?? false { return .resume }
        guard value.isObject, let at = value["at"], let local = value["local"], let zone = value["zone"] else {
            throw StateReader.fault(
                value, path, "\"resume\" or a time must stand here",
                hint: "such as {\"at\": \"2026-01-02T07:00:00Z\", \"local\": \"2026-01-02 08:00\", \"zone\": \"Europe/Berlin\"}")
        }
        return .at(
            try StateReader.instant(at, path.appending("at")),
            local: try StateBounds.text(local, path.appending("local"), atMost: StateBounds.zone),
            zone: try StateBounds.text(zone, path.appending("zone"), atMost: StateBounds.zone))
    }
}
