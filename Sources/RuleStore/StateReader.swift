// Reads what an app remembers from JSON. Two shapes share it: a state file (all recipients) and the `state` of a case
// (the device's recipient). Unknown keys and wrong types are faults: state that is dropped silently is lost.
public import JSONDocument
public import PushMessage
public import RuleEngine

public enum StateReader {
    static let fileKeys = ["app", "expires", "recipients"]
    static let recipientKeys = [
        "values", "expires", "settings", "topics", "badge", "inbox", "pending", "seen", "caps", "deferred", "tokens",
    ]
    static let topicKeys = ["wanted", "confirmed"]
    static let tokenKeys = ["apns", "fcm", "waiting"]
    static let caseKeys = ["recipient", "app", "settings", "topics", "badge", "inbox", "pending", "deferred", "tokens", "seen", "caps"]

    /// `{"app": {key: value}, "recipients": {id: {"values": {…}, "settings": {…}, "topics": {…}, "badge": n, "inbox": […],
    /// "pending": […], "deferred": […], "tokens": {…}, "seen": […], "caps": {…},
    /// "expires": {key: instant}}}, "expires": {key: instant}}`
    public static func file(_ root: JSONValue) throws(StateFault) -> AppState {
        var state = AppState()
        for member in try members(of: root, .root) {
            let path = JSONPath.root.appending(member.key.string)
            switch member.key.string {
            case "app": state.shared = try values(member, path)
            case "expires": break
            case "recipients":
                for recipient in try members(of: member, path) {
                    let id = try StateBounds.key(recipient, in: path)
                    state.recipients[id] = try self.recipient(recipient, id, path.appending(id))
                }
            default: throw unknown(member, path, known: fileKeys)
            }
        }
        if let expires = root["expires"] { try expire(&state.shared, expires, JSONPath.root.appending("expires")) }
        return state
    }

    /// `{"recipient": {key: value}, "app": {…}, "settings": {…}, "topics": […], "badge": n, "inbox": […], "pending": […], "deferred": […],
    /// "tokens": {…}, "seen": [{"id": …, "event": …}], "caps": {key: [instant]}}`
    /// - Parameter now: when the messages in `seen` came, where they do not say.
    public static func inCase(
        _ value: JSONValue, recipient id: String, now: Instant, at path: JSONPath = .root
    ) throws(StateFault) -> AppState {
        var state = AppState()
        var recipient = RecipientState()
        for member in try members(of: value, path) {
            let key = member.key.string
            let place = path.appending(key)
            if member.isNull { continue }
            switch key {
            case "recipient": recipient.values = try values(member, place)
            case "app": state.shared = try values(member, place)
            case "seen": recipient.seen = try SeenText.readInCase(member, now: now, place)
            case _ where caseKeys.contains(key): try read(key, member, place, of: id, into: &recipient)
            default: throw unknown(member, place, known: caseKeys)
            }
        }
        if recipient != RecipientState() { state.recipients[id] = recipient }
        return state
    }

    private static func recipient(_ value: JSONValue, _ id: String, _ path: JSONPath) throws(StateFault) -> RecipientState {
        var recipient = RecipientState()
        for member in try members(of: value, path) {
            let key = member.key.string
            let place = path.appending(key)
            guard recipientKeys.contains(key) else { throw unknown(member, place, known: recipientKeys) }
            if !member.isNull { try read(key, member, place, of: id, into: &recipient) }
        }
        if let expires = value["expires"] { try expire(&recipient.values, expires, path.appending("expires")) }
        return recipient
    }

    private static func read(
        _ key: String, _ value: JSONValue, _ path: JSONPath, of id: String, into recipient: inout RecipientState
    ) throws(StateFault) {
        switch key {
        case "values": recipient.values = try values(value, path)
        case "settings": try settings(value, path, into: &recipient)
        case "topics": try topics(value, path, into: &recipient)
        case "badge":
            guard let badge = value.integer, badge >= 0, badge <= Int64(Int32.max) else {
                throw fault(value, path, "a badge must be a whole number from 0 to 2147483647")
            }
            recipient.badge = Int(badge)
        case "inbox": recipient.inbox = try list(value, path)
        case "pending": recipient.pendingRoutes = try list(value, path)
        case "deferred": recipient.deferred = DeferredMessages(try DeferredReader.list(value, of: id, path))
        case "tokens": try tokens(value, path, into: &recipient.tokens)
        case "seen": recipient.seen = try SeenText.read(value, path)
        case "caps": recipient.caps = try CapText.read(value, path)
        default: break
        }
    }

    /// `{"app_push": true, "timezone": "Asia/Seoul", "channels": {code: true}}`; a code may also stand beside them.
    private static func settings(_ value: JSONValue, _ path: JSONPath, into recipient: inout RecipientState) throws(StateFault) {
        for member in try members(of: value, path) {
            let key = member.key.string
            let place = path.appending(key)
            if key == "channels", member.isObject {
                for channel in try members(of: member, place) {
                    let code = try StateBounds.key(channel, in: place)
                    recipient.channels[code] = try truth(channel, place.appending(code))
                }
            } else if key == "app_push" {
                recipient.appPush = try truth(member, place)
            } else if key == "timezone", member.text != nil {
                recipient.timezone = try StateBounds.text(member, place, atMost: StateBounds.zone)
            } else {
                recipient.channels[try StateBounds.key(member, in: path)] = try truth(member, place)
            }
        }
    }

    /// A list sets both; `{"wanted": […], "confirmed": […]}` each.
    private static func topics(_ value: JSONValue, _ path: JSONPath, into recipient: inout RecipientState) throws(StateFault) {
        if value.isArray {
            recipient.wantedTopics = try texts(value, path)
            recipient.confirmedTopics = recipient.wantedTopics
            return
        }
        for member in try members(of: value, path) {
            let place = path.appending(member.key.string)
            switch member.key.string {
            case "wanted": recipient.wantedTopics = try texts(member, place)
            case "confirmed": recipient.confirmedTopics = try texts(member, place)
            default: throw unknown(member, place, known: topicKeys)
            }
        }
    }

    private static func tokens(_ value: JSONValue, _ path: JSONPath, into tokens: inout StoredTokens) throws(StateFault) {
        for member in try members(of: value, path) where !member.isNull {
            let place = path.appending(member.key.string)
            let fingerprint = try text(member, place)
            switch member.key.string {
            case "apns": tokens.apns = fingerprint
            case "fcm": tokens.fcm = fingerprint
            case "waiting": tokens.waiting = fingerprint
            default: throw unknown(member, place, known: tokenKeys)
            }
        }
    }

    private static func values(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> ExactTable<StoredValue> {
        var values = ExactTable<StoredValue>()
        for member in try members(of: value, path) {
            guard !member.isNull else {
                throw fault(member, path.appending(member.key.string), "null is not stored; leave the key out")
            }
            let key = try StateBounds.key(member, in: path, atMost: StateBounds.key)
            values[key] = StoredValue(json: try StateBounds.json(member, path.appending(key)))
        }
        return values
    }

    private static func expire(
        _ values: inout ExactTable<StoredValue>, _ expires: JSONValue, _ path: JSONPath
    ) throws(StateFault) {
        for member in try members(of: expires, path) {
            let place = path.appending(member.key.string)
            guard values[member.key.string] != nil else { throw fault(member, place, "there is no value of that key") }
            values[member.key.string]?.expiresAt = try instant(member, place)
        }
    }

    // MARK: single values

    static func members(of value: JSONValue, _ path: JSONPath) throws(StateFault) -> JSONChildren {
        guard value.isObject else { throw fault(value, path, "an object must stand here, { … }") }
        if let first = value.childrenWithShadowed.first(where: \.isShadowed) { throw twice(first, in: value, path) }
        return value.children
    }

    /// Of two values under one key one would be lost.
    private static func twice(_ first: JSONValue, in value: JSONValue, _ path: JSONPath) -> StateFault {
        let second = value.childrenWithShadowed.first { $0.offset > first.offset && $0.key == first.key } ?? first
        let key = first.key.string
        return StateFault(
            path: path.appending(key).text, offset: second.offset, message: "the key \"\(key)\" stands here for the second time",
            hint: "keep one of them")
    }

    static func elements(of value: JSONValue, _ path: JSONPath) throws(StateFault) -> [JSONValue] {
        guard value.isArray else { throw fault(value, path, "a list must stand here, [ … ]") }
        return Array(value.children)
    }

    static func texts(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> [String] {
        var texts: [String] = []
        for (index, element) in try elements(of: value, path).enumerated() {
            texts.append(try text(element, path.appending(index)))
        }
        return texts
    }

    static func list(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> [[UInt8]] {
        var list: [[UInt8]] = []
        for (index, element) in try elements(of: value, path).enumerated() {
            list.append(try StateBounds.json(element, path.appending(index)))
        }
        return list
    }

    static func text(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> String { try StateBounds.text(value, path) }

    static func truth(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> Bool {
        guard let truth = value.bool else { throw fault(value, path, "true or false must stand here") }
        return truth
    }

    static func instant(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> Instant {
        guard let text = value.text, let instant = Instant(text) else {
            throw fault(value, path, "an instant must stand here", hint: "such as \"2026-01-01T12:00:00Z\"")
        }
        return instant
    }

    static func fault(_ value: JSONValue, _ path: JSONPath, _ message: String, hint: String? = nil) -> StateFault {
        StateFault(path: path.text, offset: value.offset, message: path.steps.isEmpty ? message : "\(path.text): \(message)", hint: hint)
    }

    static func unknown(_ value: JSONValue, _ path: JSONPath, known: [String]) -> StateFault {
        let key = value.key.string
        let outer = JSONPath(path.steps.dropLast()).text
        let hint =
            DidYouMean.nearest(to: key, among: known).map { "did you mean \"\($0)\"?" }
            ?? "known keys: " + known.joined(separator: ", ")
        return StateFault(
            path: path.text, offset: value.offset,
            message: outer.isEmpty ? "there is no key \"\(key)\" in state" : "\(outer): there is no key \"\(key)\" here",
            hint: hint, isOfKey: true)
    }
}

extension JSONValue {
    /// The value as compact JSON text.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}
