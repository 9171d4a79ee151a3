// Writes what an app remembers as JSON, with sorted keys: the same state gives the same bytes.
public import JSONDocument
public import PushMessage
public import RuleEngine

public enum StateWriter {
    /// The shape of a state file, on several lines.
    public static func file(_ state: AppState) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if !state.shared.isEmpty { write(state.shared, key: "app", to: &writer) }
        writer.key("recipients")
        writer.beginObject()
        for (id, recipient) in state.recipients.inOrder {
            writer.key(id)
            writer.beginObject()
            if !recipient.values.isEmpty { write(recipient.values, key: "values", to: &writer) }
            writeRest(recipient, to: &writer)
            SeenText.write(recipient.seen, to: &writer)
            CapText.write(recipient.caps, short: false, to: &writer)
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
        return IndentedJSON.text(of: writer.bytes) + [UInt8(ascii: "\n")]
    }

    /// The shape of a case's `state`: what the app remembers for one recipient. Values that are gone by now are left out.
    public static func inCase(_ state: AppState, recipient id: String, now: Instant, to writer: inout JSONWriter) {
        let recipient = state.recipients[id] ?? RecipientState()
        writer.beginObject()
        let values = recipient.values.filter { $0.value.lives(at: now) }
        if !values.isEmpty { writePlain(values, key: "recipient", to: &writer) }
        let shared = state.shared.filter { $0.value.lives(at: now) }
        if !shared.isEmpty { writePlain(shared, key: "app", to: &writer) }
        writeRest(recipient, to: &writer)
        SeenText.writeInCase(recipient.seen, to: &writer)
        CapText.write(recipient.caps, short: true, to: &writer)
        writer.endObject()
    }

    private static func writeRest(_ recipient: RecipientState, to writer: inout JSONWriter) {
        if recipient.appPush != nil || recipient.timezone != nil || !recipient.channels.isEmpty {
            writer.key("settings")
            writer.beginObject()
            if let appPush = recipient.appPush {
                writer.key("app_push")
                writer.bool(appPush)
            }
            if let timezone = recipient.timezone {
                writer.key("timezone")
                writer.string(timezone)
            }
            if !recipient.channels.isEmpty {
                writer.key("channels")
                writer.beginObject()
                for (code, isOn) in recipient.channels.inOrder {
                    writer.key(code)
                    writer.bool(isOn)
                }
                writer.endObject()
            }
            writer.endObject()
        }
        if recipient.wantedTopics != nil || recipient.confirmedTopics != nil {
            writer.key("topics")
            writer.beginObject()
            write(recipient.wantedTopics, key: "wanted", to: &writer)
            write(recipient.confirmedTopics, key: "confirmed", to: &writer)
            writer.endObject()
        }
        if let badge = recipient.badge {
            writer.key("badge")
            writer.integer(badge)
        }
        write(recipient.inbox, key: "inbox", to: &writer)
        write(recipient.pendingRoutes, key: "pending", to: &writer)
        if !recipient.deferred.isEmpty {
            writer.key("deferred")
            writer.beginArray()
            for message in recipient.deferred { write(message, to: &writer) }
            writer.endArray()
        }
        if recipient.tokens != StoredTokens() {
            writer.key("tokens")
            writer.beginObject()
            write(recipient.tokens.apns, key: "apns", to: &writer)
            write(recipient.tokens.fcm, key: "fcm", to: &writer)
            write(recipient.tokens.waiting, key: "waiting", to: &writer)
            writer.endObject()
        }
    }

    private static func write(_ values: ExactTable<StoredValue>, key: StaticString, to writer: inout JSONWriter) {
        writePlain(values, key: key, to: &writer)
        let expiring = values.filter { $0.value.expiresAt != nil }
        guard !expiring.isEmpty else { return }
        writer.key("expires")
        writer.beginObject()
        for (key, value) in expiring.inOrder {
            guard let instant = value.expiresAt else { continue }
            writer.key(key)
            writer.string(instant.text)
        }
        writer.endObject()
    }

    private static func writePlain(_ values: ExactTable<StoredValue>, key: StaticString, to writer: inout JSONWriter) {
        writer.key(key)
        writer.beginObject()
        for (key, value) in values.inOrder {
            writer.key(key)
            writer.raw(value.json)
        }
        writer.endObject()
    }

    private static func write(_ message: DeferredMessage, to writer: inout JSONWriter) {
        writer.beginObject()
        write(message.id, key: "id", to: &writer)
        write(message.event.rawValue, key: "event", to: &writer)
        writer.key("attempt")
        writer.integer(message.attempt)
        writer.key("until")
        switch message.until {
        case .resume: writer.string("resume")
        case .at(let instant, let local, let zone):
            writer.beginObject()
            write(instant.text, key: "at", to: &writer)
            write(local, key: "local", to: &writer)
            write(zone, key: "zone", to: &writer)
            writer.endObject()
        }
        write(message.rule, key: "rule", to: &writer)
        write(message.ruleset, key: "ruleset", to: &writer)
        write(message.format?.rawValue, key: "format", to: &writer)
        writer.key("message")
        writer.raw(message.message)
        writer.key("device")
        writer.raw(message.device)
        writer.endObject()
    }

    private static func write(_ text: String?, key: StaticString, to writer: inout JSONWriter) {
        guard let text else { return }
        writer.key(key)
        writer.string(text)
    }

    private static func write(_ topics: [String]?, key: StaticString, to writer: inout JSONWriter) {
        guard let topics else { return }
        writer.key(key)
        writer.beginArray()
        for topic in topics { writer.string(topic) }
        writer.endArray()
    }

    private static func write(_ kept: [[UInt8]], key: StaticString, to writer: inout JSONWriter) {
        guard !kept.isEmpty else { return }
        writer.key(key)
        writer.beginArray()
        for json in kept { writer.raw(json) }
        writer.endArray()
    }
}

extension StoredValue {
    fileprivate func lives(at now: Instant) -> Bool { expiresAt.map { now < $0 } ?? true }
}
