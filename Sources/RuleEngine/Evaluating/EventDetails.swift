// What the object form of an event says, checked and typed: events without a message are nothing but their details. Read
// with the event, so that a slip is told to whoever asks and never becomes a change that nobody wanted.
public import JSONDocument
import PushMessage

/// Valid as long as the value it was read from.
public enum EventDetails: Sendable {
    /// Only a name was given, or details that mean nothing to the host itself.
    case none
    case account(AccountOperation, account: JSONText?, previous: JSONText?)
    case token(TokenKind, value: JSONText)
    /// `channels` is an object of booleans.
    case settings(appPush: Bool?, channels: JSONValue?, resets: Bool)
    case due(id: JSONText, attempt: Int64?)

    public enum AccountOperation: String, Sendable, CaseIterable { case login, logout, `switch` }
    public enum TokenKind: String, Sendable, CaseIterable { case apns, fcm }

    /// - Parameter value: an object with the event's name.
    static func read(_ value: JSONValue, of name: EventName) throws(RequestFault) -> EventDetails {
        switch name {
        case .send, .enrich, .receive, .present, .open, .resume: return .none
        case .account: return try account(value)
        case .token: return try token(value)
        case .settings: return try settings(value)
        case .due: return try due(value)
        }
    }

    private static func account(_ value: JSONValue) throws(RequestFault) -> EventDetails {
        guard let operation = try word(value, "op", of: "account", AccountOperation.self) else { return .none }
        return .account(operation, account: try text(value, "account"), previous: try text(value, "previous"))
    }

    private static func token(_ value: JSONValue) throws(RequestFault) -> EventDetails {
        guard let kind = try word(value, "kind", of: "token", TokenKind.self) else { return .none }
        guard let token = try text(value, "value") else {
            throw fault(
                "value", "the event \"token\" has no `value`",
                hint: "give the token itself: {\"name\": \"token\", \"kind\": \"\(kind.rawValue)\", \"value\": \"…\"}")
        }
        return .token(kind, value: token)
    }

    /// Of `changed`.
    static let changedKeys = ["app_push", "channels"]

    private static func settings(_ value: JSONValue) throws(RequestFault) -> EventDetails {
        var appPush: Bool?
        var channels: JSONValue?
        if let changed = present(value["changed"]) {
            guard changed.isObject else {
                throw fault(
                    "changed", "`changed` must be an object",
                    hint: "such as {\"app_push\": false, \"channels\": {\"promo\": true}}")
            }
            for member in changed.children where !member.isNull {
                let key = member.key.string
                switch key {
                case "app_push": appPush = try truth(member, "changed.app_push")
                case "channels": channels = try switches(member)
                default:
                    throw fault(
                        "changed.\(key.shortened)", "`changed` has no key `\(key.shortened)`",
                        hint: DidYouMean.nearest(to: key, among: changedKeys).map { "did you mean `\($0)`?" }
                            ?? "known are " + changedKeys.joined(separator: ", "))
                }
            }
        }
        let resets = try present(value["reset"]).map { reset throws(RequestFault) in try truth(reset, "reset") } ?? false
        guard appPush != nil || channels != nil || resets else {
            guard value.count > 1 else { return .none }
            throw fault(
                "", "the event \"settings\" has neither `changed` nor `reset`",
                hint: "such as \"changed\": {\"channels\": {\"promo\": false}}")
        }
        return .settings(appPush: appPush, channels: channels, resets: resets)
    }

    private static func switches(_ value: JSONValue) throws(RequestFault) -> JSONValue {
        guard value.isObject else {
            throw fault("changed.channels", "`changed.channels` must be an object of true and false", hint: "such as {\"promo\": false}")
        }
        for member in value.children where !member.isNull {
            guard (1...StateQuota.key).contains(member.key.count) else {
                throw fault("changed.channels", "a channel code has 1 to \(StateQuota.key) bytes")
            }
            _ = try truth(member, "changed.channels.\(member.key.string)")
        }
        return value
    }

    private static func due(_ value: JSONValue) throws(RequestFault) -> EventDetails {
        guard let id = try text(value, "deferred_id") else { return .none }
        guard let attempt = present(value["attempt"]) else { return .due(id: id, attempt: nil) }
        // 2.0 is the same number.
        guard let number = attempt.integer ?? attempt.double.flatMap({ Int64(exactly: $0) }), number >= 1 else {
            throw fault("attempt", "`attempt` must be a whole number from 1 on")
        }
        return .due(id: id, attempt: number)
    }

    // MARK: single values

    /// nil when the event says nothing but its name.
    private static func word<W: RawRepresentable & CaseIterable>(
        _ value: JSONValue, _ key: StaticString, of event: String, _: W.Type
    ) throws(RequestFault) -> W? where W.RawValue == String {
        let words = W.allCases.map(\.rawValue)
        guard let text = try text(value, key)?.string else {
            guard value.count > 1 else { return nil }
            throw fault("\(key)", "the event \"\(event)\" has no `\(key)`", hint: "one of " + words.joined(separator: ", "))
        }
        guard let word = W(rawValue: text) else {
            throw fault(
                "\(key)", "`\(key)` = \"\(text.shortened)\" is not known",
                hint: DidYouMean.nearest(to: text, among: words).map { "did you mean \"\($0)\"?" }
                    ?? "one of " + words.joined(separator: ", "))
        }
        return word
    }

    /// nil when it is not there or empty.
    private static func text(_ value: JSONValue, _ key: StaticString) throws(RequestFault) -> JSONText? {
        guard let member = present(value[JSONText(key)]) else { return nil }
        guard let text = member.text else { throw fault("\(key)", "`\(key)` must be a text", hint: "put it in quotes") }
        return text.isEmpty ? nil : text
    }

    private static func truth(_ value: JSONValue, _ path: String) throws(RequestFault) -> Bool {
        guard let truth = value.bool else {
            throw fault(path, "`\(path)` must be true or false", hint: "write true or false, without quotes")
        }
        return truth
    }

    private static func present(_ value: JSONValue?) -> JSONValue? { value.flatMap { $0.isNull ? nil : $0 } }

    private static func fault(_ path: String, _ message: String, hint: String? = nil) -> RequestFault {
        RequestFault(code: .eventInvalid, path: path, message: message, hint: hint)
    }
}
