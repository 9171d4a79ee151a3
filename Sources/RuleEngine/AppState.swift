// What an app remembers: for one recipient and for the whole app. A value: an evaluation reads one and answers with
// effects; nothing is written here while rules run. Stored values are JSON text, as bytes.
public import PushMessage

public struct RecipientState: Sendable, Equatable {
    /// `state.get(key)`: key → JSON text.
    public var values: [String: [UInt8]] = [:]
    /// Stored switches by channel code; only what somebody set.
    public var channels: [String: Bool] = [:]
    public var appPush: Bool?
    /// nil: never counted.
    public var badge: Int?
    /// Wanted and confirmed topics; nil: not known.
    public var wantedTopics: [String]?
    public var confirmedTopics: [String]?
    /// JSON text of each value kept for `resume`, oldest first.
    public var inbox: [[UInt8]] = []
    /// JSON text of each route that waits for `resume`, oldest first.
    public var pendingRoutes: [[UInt8]] = []
    /// Message ids whose badge change has been applied already.
    public var badgedMessages: Set<String> = []

    public init() {}
}

public struct AppState: Sendable, Equatable {
    /// `state.app.get(key)`.
    public var shared: [String: [UInt8]] = [:]
    /// By recipient; "" when the device names none.
    public var recipients: [String: RecipientState] = [:]

    public init() {}
}

/// One change of state. A decision and its effects commit together or not at all.
public enum Effect: Sendable, Equatable {
    case setValue(scope: StateScope, key: String, json: [UInt8])
    case deleteValue(scope: StateScope, key: String)
    case setChannel(code: String, on: Bool)
    case resetChannels
    case setBadge(Int)
    case countBadge(messageID: String)
    case setTopics(wanted: [String], confirmed: [String])
    case keepInInbox([UInt8])
    case takeInbox
    case keepPendingRoute([UInt8])
    case takePendingRoutes
}

public enum StateScope: String, Sendable { case recipient, app }
