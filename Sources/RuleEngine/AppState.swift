// What an app remembers: for one recipient and for the whole app. A value: an evaluation reads one and answers with
// effects; nothing is written here while rules run. Stored values are JSON text, as bytes.
public import PushMessage

public struct StoredValue: Sendable, Equatable {
    /// JSON text.
    public var json: [UInt8]
    /// From this instant on the value is gone; nil: it stays.
    public var expiresAt: Instant?

    public init(json: [UInt8], expiresAt: Instant? = nil) {
        self.json = json
        self.expiresAt = expiresAt
    }
}

public struct RecipientState: Sendable, Equatable {
    /// `state.get(key)`.
    public var values = ExactTable<StoredValue>()
    /// Stored switches by channel code; only what somebody set.
    public var channels = ExactTable<Bool>()
    public var appPush: Bool?
    /// IANA name; counts when the device does not say where it is.
    public var timezone: String?
    /// nil: never counted.
    public var badge: Int?
    /// Wanted and confirmed topics; nil: not known.
    public var wantedTopics: [String]?
    public var confirmedTopics: [String]?
    /// JSON text of each value kept for `resume`, oldest first. Beyond a thousand, or 256 KiB, the oldest leave.
    public var inbox: [[UInt8]] = []
    /// JSON text of each route that waits for `resume`, oldest first; the newest sixteen.
    public var pendingRoutes: [[UInt8]] = []
    /// The messages that have been here.
    public var seen = SeenMessages()
    /// What caps have counted, by their keys.
    public var caps = ExactTable<CapCount>()
    /// Messages that are held back, in the order in which they were.
    public var deferred = DeferredMessages()
    public var tokens = StoredTokens()

    public init() {}
}

/// What is known of the phone's push tokens: fingerprints, from which no token can be made again.
public struct StoredTokens: Sendable, Equatable {
    public var apns: String?
    /// The registration token that the app has been told to send to its server.
    public var fcm: String?
    /// A registration token that came before the APNs token.
    public var waiting: String?

    public init() {}
}

public struct AppState: Sendable, Equatable {
    /// `state.app.get(key)`.
    public var shared = ExactTable<StoredValue>()
    /// By recipient; "" when the device names none.
    public var recipients = ExactTable<RecipientState>()

    public init() {}
}

/// One change of state. A decision and its effects commit together or not at all.
public enum Effect: Sendable, Equatable {
    case setValue(scope: StateScope, key: String, value: StoredValue)
    case deleteValue(scope: StateScope, key: String)
    case setChannel(code: String, on: Bool)
    case resetChannels
    case setAppPush(Bool)
    case setBadge(Int)
    /// The message has been here: one at each event of it that rules were asked about.
    case sawMessage(SeenMark)
    /// The message is shown and counts: `limit` and `span` say what the caps of the key need.
    case countForCap(key: String, at: Instant, limit: Int, span: Int64)
    /// nil: not known.
    case setTopics(wanted: [String]?, confirmed: [String]?)
    case setTokens(StoredTokens)
    /// In place of the one with the same id, else as the last.
    case keepDeferred(DeferredMessage)
    case dropDeferred(id: String)
    case keepInInbox([UInt8])
    case takeInbox
    case keepPendingRoute([UInt8])
    case takePendingRoutes
}

public enum StateScope: String, Sendable { case recipient, app }

extension AppState {
    /// Commits what an evaluation answered with. `recipient` is the one the evaluation was for, "" when none.
    public mutating func apply(_ effects: [Effect], recipient: String) {
        var isPersonal = false
        for effect in effects {
            switch effect {
            case .setValue(.app, let key, let value): shared[key] = value
            case .deleteValue(.app, let key): shared[key] = nil
            default: isPersonal = true
            }
        }
        // Looked up once for all.
        if isPersonal { recipients[recipient, default: RecipientState()].apply(effects) }
    }
}

extension RecipientState {
    /// Commits what is for one recipient and passes over what is for the app.
    mutating func apply(_ effects: [Effect]) {
        for effect in effects { apply(effect) }
    }

    private mutating func apply(_ effect: Effect) {
        switch effect {
        case .setValue(.app, _, _), .deleteValue(.app, _): break
        case .setValue(.recipient, let key, let value): values[key] = value
        case .deleteValue(.recipient, let key): values[key] = nil
        case .setChannel(let code, let on): channels[code] = on
        case .resetChannels: channels.removeAll()
        case .setAppPush(let on): appPush = on
        case .setBadge(let value): badge = value
        case .sawMessage(let mark): seen.apply(mark)
        case .countForCap(let key, let instant, let limit, let span): caps.count(key, at: instant, keeping: limit, span: span)
        case .setTopics(let wanted, let confirmed):
            wantedTopics = wanted
            confirmedTopics = confirmed
        case .setTokens(let known): tokens = known
        case .keepDeferred(let message): deferred.keep(message)
        case .dropDeferred(let id): deferred.drop(id)
        case .keepInInbox(let json):
            inbox.removeFirst(Inbox.tooMany(inbox, with: json))
            inbox.append(json)
        case .takeInbox: inbox.removeAll()
        case .keepPendingRoute(let json):
            pendingRoutes.removeFirst(max(0, pendingRoutes.count + 1 - PendingRoutes.most))
            pendingRoutes.append(json)
        case .takePendingRoutes: pendingRoutes.removeAll()
        }
    }
}

extension Effect {
    /// What remembering it takes in memory: of what rules and messages have a say in, and something for the rest.
    public var roughBytes: Int {
        let size =
            switch self {
            case .setValue(_, let key, let value): key.utf8.count + value.json.count
            case .sawMessage(let mark): mark.message.caps.reduce(mark.message.openRoute?.count ?? 0) { $0 + $1.utf8.count }
            case .setTopics(let wanted, let confirmed): ((wanted ?? []) + (confirmed ?? [])).reduce(0) { $0 + $1.utf8.count }
            case .keepDeferred(let message): message.message.count + message.device.count
            case .keepInInbox(let json), .keepPendingRoute(let json): json.count
            case .deleteValue, .setChannel, .resetChannels, .setAppPush, .setBadge, .countForCap, .setTokens, .dropDeferred, .takeInbox,
                .takePendingRoutes:
                0
            }
        return size + 256
    }
}

extension RecipientState {
    /// What it takes in memory, about.
    public var roughBytes: Int {
        var bytes = 512
        for (key, value) in values { bytes += key.utf8.count + value.json.count + 96 }
        for json in inbox { bytes += json.count + 32 }
        for json in pendingRoutes { bytes += json.count + 32 }
        for message in deferred { bytes += message.message.count + message.device.count + 512 }
        bytes += seen.messages.count * 250 + caps.count * 128 + channels.count * 64
        for topic in (wantedTopics ?? []) + (confirmedTopics ?? []) { bytes += topic.utf8.count + 16 }
        return bytes
    }
}
