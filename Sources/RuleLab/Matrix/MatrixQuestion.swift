// What a matrix is asked about: one message, what is known before anything is varied, and the app that decides.
public import JSONDocument
public import PushMessage
public import RuleEngine

public struct MatrixQuestion: Sendable {
    /// JSON text; nil: an event without a message.
    public var message: [UInt8]?
    /// nil: as its shape says.
    public var format: MessageFormat?
    /// JSON text of an object.
    public var device: [UInt8]
    /// JSON text of a name or an object; nil: the journey of the message.
    public var event: [UInt8]?
    public var now: Instant
    /// Every combination starts from it.
    public var state: AppState

    public init(
        message: [UInt8]?, format: MessageFormat? = nil, device: [UInt8], event: [UInt8]? = nil, now: Instant, state: AppState = AppState()
    ) {
        self.message = message
        self.format = format
        self.device = device
        self.event = event
        self.now = now
        self.state = state
    }
}

/// Why a combination cannot be asked about.
public enum MatrixFault: Error, Sendable {
    case message(MessageFault)
    case request(RequestFault)
    /// The phone, or an event, is not JSON.
    case unreadable(JSONFault)
}
