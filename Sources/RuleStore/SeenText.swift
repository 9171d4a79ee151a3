// The messages that a recipient has had, as JSON: all that is known of each in a state file, id and event in a case.
// StateReader and StateWriter call it.
import JSONDocument
import PushMessage
import RuleEngine

enum SeenText {
    static let fileKeys = ["id", "first", "events", "generated", "content", "badge_counted", "caps", "route"]
    static let caseKeys = ["id", "event", "at"]
    /// An event of a recipient-time carrier, which is not the one of the notification that is made of it.
    private static let carrier = "carrier:"

    // MARK: a state file

    /// `[{"id": "m-1", "first": instant, "events": ["present"], "content": "hash:…", "badge_counted": true, "caps": [key],
    /// "route": {…}}]`, oldest first.
    static func write(_ seen: SeenMessages, to writer: inout JSONWriter) {
        guard !seen.isEmpty else { return }
        writer.key("seen")
        writer.beginArray()
        for message in seen.messages {
            writer.beginObject()
            writer.key("id")
            writer.string(message.id)
            writer.key("first")
            writer.string(message.first.text)
            writer.key("events")
            writer.beginArray()
            for name in names(of: message.events) { writer.string(name) }
            writer.endArray()
            if message.isIDGenerated {
                writer.key("generated")
                writer.bool(true)
            }
            if message.content != .unknown {
                writer.key("content")
                writer.string(message.content.text)
            }
            if message.hasCountedBadge {
                writer.key("badge_counted")
                writer.bool(true)
            }
            if !message.caps.isEmpty {
                writer.key("caps")
                writer.beginArray()
                for cap in message.caps { writer.string(cap) }
                writer.endArray()
            }
            if let route = message.openRoute {
                writer.key("route")
                writer.raw(route)
            }
            writer.endObject()
        }
        writer.endArray()
    }

    static func read(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> SeenMessages {
        var messages: [SeenMessage] = []
        for (index, element) in try StateReader.elements(of: value, path).enumerated() {
            messages.append(try message(element, path.appending(index)))
        }
        return SeenMessages(messages)
    }

    private static func message(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> SeenMessage {
        var message = SeenMessage(id: try id(of: value, path), first: Instant(milliseconds: 0))
        guard let first = value["first"] else {
            throw StateReader.fault(value, path, "a message that was seen needs `first`, an instant")
        }
        message.first = try StateReader.instant(first, path.appending("first"))
        for member in try StateReader.members(of: value, path) {
            let key = member.key.string
            let place = path.appending(key)
            switch key {
            case "id", "first": break
            case "events":
                for (index, name) in try StateReader.texts(member, place).enumerated() {
                    message.events.formUnion(try event(name, member, place.appending(index)))
                }
            case "generated": message.isIDGenerated = try StateReader.truth(member, place)
            case "content":
                guard let content = member.text.flatMap({ ContentDigest($0) }) else {
                    throw StateReader.fault(member, place, "\"hash:\" and 32 hexadecimal digits must stand here")
                }
                message.content = content
            case "badge_counted": message.hasCountedBadge = try StateReader.truth(member, place)
            case "caps": message.caps = try StateReader.texts(member, place)
            case "route": message.openRoute = try StateBounds.json(member, place)
            default: throw StateReader.unknown(member, place, known: fileKeys)
            }
        }
        return message
    }

    // MARK: a case

    /// `[{"id": "m-1", "event": "present"}]`, oldest first; a message that came at several events stands there as often.
    static func writeInCase(_ seen: SeenMessages, to writer: inout JSONWriter) {
        guard !seen.isEmpty else { return }
        writer.key("seen")
        writer.beginArray()
        for message in seen.messages {
            for name in names(of: message.events) {
                writer.beginObject()
                writer.key("id")
                writer.string(message.id)
                writer.key("event")
                writer.string(name)
                writer.endObject()
            }
        }
        writer.endArray()
    }

    /// An id alone stands for every event.
    ///
    /// - Parameter now: when they came, where they do not say `at`.
    static func readInCase(_ value: JSONValue, now: Instant, _ path: JSONPath) throws(StateFault) -> SeenMessages {
        var messages: [SeenMessage] = []
        for (index, element) in try StateReader.elements(of: value, path).enumerated() {
            let path = path.appending(index)
            if let id = element.text, !id.isEmpty {
                add(SeenMessage(id: id.string, first: now, events: everyEvent), to: &messages)
                continue
            }
            var message = SeenMessage(id: try id(of: element, path), first: now)
            for member in try StateReader.members(of: element, path) {
                let key = member.key.string
                let place = path.appending(key)
                switch key {
                case "id": break
                case "event":
                    guard let name = member.text else { throw StateReader.fault(member, place, "text must stand here") }
                    message.events = try event(name.string, member, place)
                case "at": message.first = try StateReader.instant(member, place)
                default: throw StateReader.unknown(member, place, known: caseKeys)
                }
            }
            guard !message.events.isEmpty else {
                throw StateReader.fault(element, path, "a message that was seen needs an `event`", hint: "such as \"present\"")
            }
            add(message, to: &messages)
        }
        return SeenMessages(messages)
    }

    /// One record for each message, whatever number of its events stand there.
    private static func add(_ message: SeenMessage, to messages: inout [SeenMessage]) {
        if let known = messages.firstIndex(where: { $0.id.isExactly(message.id) }) {
            messages[known].events.formUnion(message.events)
            return
        }
        var message = message
        if let content = ContentDigest(message.id) { (message.content, message.isIDGenerated) = (content, true) }
        messages.append(message)
    }

    // MARK: parts

    /// The names of events at which copies are recognised.
    static let events = SeenEvents.named.map(name)

    private static let everyEvent = SeenEvents.named.reduce(into: SeenEvents()) { events, named in
        events.formUnion(SeenEvents(named.event, ofCarrier: named.isCarrier))
    }

    private static func id(of value: JSONValue, _ path: JSONPath) throws(StateFault) -> String {
        guard value.isObject else {
            throw StateReader.fault(value, path, "an object must stand here", hint: "such as { \"id\": \"m-1\", \"event\": \"present\" }")
        }
        guard let id = value["id"]?.text, !id.isEmpty else {
            throw StateReader.fault(value, path, "a message that was seen needs an `id`, as text")
        }
        return id.string
    }

    private static func names(of events: SeenEvents) -> [String] {
        SeenEvents.named.filter { events.isSuperset(of: SeenEvents($0.event, ofCarrier: $0.isCarrier)) }.map(name)
    }

    private static func name(_ event: EventName, isCarrier: Bool) -> String {
        (isCarrier ? carrier : "") + event.rawValue
    }

    private static func event(_ name: String, _ value: JSONValue, _ path: JSONPath) throws(StateFault) -> SeenEvents {
        guard let known = SeenEvents.named.first(where: { self.name($0, isCarrier: $1) == name }) else {
            let words = events.filter { !$0.hasPrefix(carrier) }
            throw StateReader.fault(
                value, path, "\"\(name)\" is not an event at which copies are recognised",
                hint: DidYouMean.nearest(to: name, among: words).map { "did you mean \"\($0)\"?" }
                    ?? "one of " + words.joined(separator: ", "))
        }
        return SeenEvents(known.event, ofCarrier: known.isCarrier)
    }
}
