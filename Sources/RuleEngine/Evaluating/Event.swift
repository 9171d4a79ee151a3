// What is happening to the message: one of ten names, some with details that rules read as their third argument.
public import JSONDocument
public import PushMessage

public enum EventName: String, Sendable, CaseIterable {
    case send, enrich, receive, present, open, resume, token, account, settings, due

    /// Events at which a message may disturb somebody.
    package var hasQuietHours: Bool {
        switch self {
        case .send, .enrich, .receive, .present, .due: true
        case .open, .resume, .token, .account, .settings: false
        }
    }

    /// Events whose answer says whether something is displayed even when no rule speaks.
    package var displaysByDefault: Bool {
        switch self {
        case .send, .enrich, .present, .due: true
        case .receive, .open, .resume, .token, .account, .settings: false
        }
    }
}

extension EventName {
    /// A message may be held back at it.
    package var canDefer: Bool {
        switch self {
        case .send, .enrich, .receive, .present: true
        case .open, .resume, .token, .account, .settings, .due: false
        }
    }

    /// What the device says of its topics is kept, whether rules say something about topics or not.
    var tellsOfTopics: Bool {
        switch self {
        case .resume, .token, .account, .settings: true
        case .send, .enrich, .receive, .present, .open, .due: false
        }
    }

    /// Nothing follows from it without details.
    package var needsDetails: Bool {
        switch self {
        case .token, .account, .settings, .due: true
        case .send, .enrich, .receive, .present, .open, .resume: false
        }
    }
}

/// Valid as long as the value it was read from.
public struct Event: Sendable {
    public let name: EventName
    /// The object form, `name` included; nil when only the name was given.
    public let details: JSONValue?
    /// What the details say to the host itself.
    public let meaning: EventDetails
    /// Keys of the details that nobody reads but rules.
    public let warnings: [Warning]

    public init(_ name: EventName) {
        self.name = name
        details = nil
        meaning = .none
        warnings = []
    }

    private init(name: EventName, details: JSONValue) throws(RequestFault) {
        self.name = name
        self.details = details
        meaning = try EventDetails.read(details, of: name)
        warnings = EventKeys.unknown(in: details, of: name)
    }

    /// - Parameter value: a name, or `{"name": …, details…}`.
    public static func read(_ value: JSONValue) throws(RequestFault) -> Event {
        if let text = value.text { return Event(try name(text, path: "")) }
        guard value.isObject else {
            throw RequestFault(
                code: .eventInvalid, path: "", message: "an event is a name or an object with a name",
                hint: "for example \"present\"")
        }
        guard let text = value["name"]?.text else {
            throw RequestFault(code: .eventInvalid, path: "name", message: "the event has no name", hint: nil)
        }
        let name = try name(text, path: "name")
        if name == .enrich { try FetchedAttachment.check(value) }
        return try Event(name: name, details: value)
    }

    private static func name(_ text: JSONText, path: String) throws(RequestFault) -> EventName {
        let written = text.string
        guard let name = EventName(rawValue: written) else {
            throw RequestFault(
                code: .eventInvalid, path: path, message: "there is no event \"\(written)\"",
                hint: EventDetails.AccountOperation(rawValue: written).map {
                    "it is an event \"account\": {\"name\": \"account\", \"op\": \"\($0.rawValue)\"}"
                }
                    ?? DidYouMean.nearest(to: written, among: EventName.allCases.map(\.rawValue)).map { "did you mean \"\($0)\"?" }
                    ?? "one of " + EventName.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return name
    }
}

extension Event {
    /// The others happen without one, or their message has been kept.
    public var needsMessage: Bool {
        switch name {
        case .send, .enrich, .receive, .present, .open: true
        case .due, .resume, .token, .account, .settings: false
        }
    }
}
