// The answer to one event. Written as JSON by DecisionWriter, with its keys always in the order of the declarations here.
public import PushMessage

public struct Decision: Sendable {
    public var app: String
    public var ruleset: String
    public var event: EventName
    public var messageID: String?
    public var recipient: String?
    public var isDuplicate = false
    public var display: Display?
    public var content = Content()
    public var badge: Badge?
    public var route: Route?
    public var topics: [TopicOperation] = []
    public var tokenAction: TokenAction?
    public var fetchResult: FetchResult?
    /// JSON text: the value being kept, or on resume the array of all kept values.
    public var inbox: [UInt8]?
    /// On resume: what was decided about the messages that waited for it, oldest first.
    public var deferred: [Decision] = []
    public var labels: [(name: String, value: String)] = []
    /// The message in its own wire format with the decision applied.
    public var payload: [UInt8]?
    public var warnings: [Warning] = []
    public var errors: [RuleError] = []
    public var trace: Trace?
    public var usage = Usage()
}

public struct Display: Sendable, Equatable {
    public enum Action: String, Sendable { case show, suppress, `defer` }
    public var action: Action
    public var options: DisplayOptions
    /// For people: a sentence, or the one word `cap` or `duplicate`.
    public var reason: String?
    /// The sentence behind a reason of one word.
    public var detail: String?
    /// Who set the action: a rule's name, or `guard:<name>`, or nil for the default.
    public var rule: String?
    public var until: Until?
}

/// Always written in the order banner, list, sound, badge, alert.
public struct DisplayOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let banner = DisplayOptions(rawValue: 1)
    public static let list = DisplayOptions(rawValue: 2)
    public static let sound = DisplayOptions(rawValue: 4)
    public static let badge = DisplayOptions(rawValue: 8)
    /// For iOS before 14, in place of banner and list.
    public static let alert = DisplayOptions(rawValue: 16)
    public static let all: DisplayOptions = [.banner, .list, .sound, .badge]
}

public enum Until: Sendable, Equatable {
    case resume
    /// `local` is what the wall clock shows then in `zone`, an IANA name: `2026-01-02 08:00`.
    case at(Instant, local: String, zone: String)
}

/// What rules replaced in the message; nil: as the message has it.
public struct Content: Sendable, Equatable {
    public struct Attachment: Sendable, Equatable {
        public var url: String
        /// As the rule gave it, or as the content is.
        public var type: String?
        /// nil: nobody knows until it is fetched.
        public var kind: AttachmentKind?
        /// Of what was fetched.
        public var bytes: Int?
        /// How long the app may try to fetch it before it shows the text alone.
        public var budgetSeconds: Int?

        public init(url: String, type: String?, kind: AttachmentKind? = nil, bytes: Int? = nil, budgetSeconds: Int? = nil) {
            self.url = url
            self.type = type
            self.kind = kind
            self.bytes = bytes
            self.budgetSeconds = budgetSeconds
        }
    }
    public var title, subtitle, body, sound, category, thread, interruptionLevel: String?
    public var relevance: Double?
    public var attachments: [Attachment]?

    public init() {}

    public var isEmpty: Bool {
        title == nil && subtitle == nil && body == nil && sound == nil && category == nil && thread == nil
            && interruptionLevel == nil && relevance == nil && attachments == nil
    }
}

public struct Badge: Sendable, Equatable {
    /// After the change, 0 or more.
    public var value: Int
    /// What the change came to: `value` minus the badge before.
    public var change: Int
    /// What the change was for.
    public var cause: Cause
    /// nil: the message's own badge.
    public var rule: String?

    public enum Cause: Sendable, Equatable {
        /// A difference that a rule wants, of a message that is shown.
        case shown(wanted: Int)
        /// A difference that a rule wants whether the message is shown or not; this one is not.
        case evenIfSuppressed(wanted: Int)
        /// A value that a rule names.
        case rule
        /// A rule's "clear", or 0.
        case cleared
        /// The message's own value.
        case message
    }

    /// A rule or the message named the value itself, not a difference.
    public var isAbsolute: Bool {
        switch cause {
        case .shown, .evenIfSuppressed: false
        case .rule, .cleared, .message: true
        }
    }

    /// A sentence for people: `+1: shown`.
    public var reason: String {
        switch cause {
        // Nearly every change, so that it costs no text.
        case .shown(1) where change == 1: "+1: shown"
        case .shown(let wanted): "\(Badge.signed(wanted)): shown\(limit(wanted))"
        case .evenIfSuppressed(let wanted): "\(Badge.signed(wanted)): counted although not shown\(limit(wanted))"
        case .rule: "set to \(value) by the rule"
        case .cleared: "cleared by the rule"
        case .message: "set to \(value) by the message"
        }
    }

    private static func signed(_ number: Int) -> String { number < 0 ? "\(number)" : "+\(number)" }

    private func limit(_ wanted: Int) -> String {
        wanted == change ? "" : wanted < 0 ? ", and never below 0" : ", and never above \(Int32.max)"
    }
}

public struct Route: Sendable, Equatable {
    public enum Mode: String, Sendable { case replace, push }
    public var url: String?
    public var tab: String?
    public var path: [String]?
    public var mode: Mode?
    public var account: String?
    /// Waits until the app says that its screens are ready (`resume`).
    public var isPending = false
    /// A sentence for people.
    public var reason: String?
    /// A rule's name, or `guard:link`.
    public var rule: String?

    public init() {}
}

public struct TopicOperation: Sendable, Equatable {
    public enum Kind: String, Sendable { case subscribe, unsubscribe }
    public var kind: Kind
    public var topic: String
}

/// What the app does with a push token.
public enum TokenAction: String, Sendable, CaseIterable {
    /// Ask for the registration token: the one of before belongs to no APNs token, or to another.
    case register
    /// The APNs token is not there yet.
    case wait
    case sendToServer = "send_to_server"
    case nothing = "none"
}

public enum FetchResult: String, Sendable {
    case newData = "new_data"
    case noData = "no_data"
    case failed
}

public struct RuleError: Sendable, Equatable {
    public var code: String
    public var rule: String?
    public var file: String
    public var line: Int
    public var message: String
    /// What to do; nil: the message says it all.
    public var hint: String?

    public init(code: String, rule: String?, file: String, line: Int, message: String, hint: String? = nil) {
        self.code = code
        self.rule = rule
        self.file = file
        self.line = line
        self.message = message.asSentence
        self.hint = hint?.asSentence
    }
}

public struct Usage: Sendable, Equatable {
    public var fuel = 0
    public var memoryBytes: Int?
    public var microseconds: Int?
    /// Limits that it came near; not written as JSON.
    public var strains: [Strain] = []
}
