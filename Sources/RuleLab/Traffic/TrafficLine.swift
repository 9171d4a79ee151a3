// One line of recorded traffic: something happened to a phone of an app at a moment. A line of the decision log is one
// too; what else stands in it is nobody's business here.
public import JSONDocument
public import PushMessage
public import RuleEngine
import RuleStore

/// Valid until its reader reads again.
public struct TrafficLine {
    public let at: Instant
    public let app: JSONText
    /// nil: the journey of the message.
    public let event: Event?
    /// JSON text; nil: an event without a message.
    public let message: JSONText?
    /// An object; DeviceReader reads it.
    public let device: JSONValue
    /// Of the message's text in the line, in bytes; 0 when there is none.
    let messageOffset: Int
}

/// Why a line is no traffic. What the line holds is not in here.
public struct TrafficFault: Error, Sendable, Equatable {
    /// `traffic_invalid`, or the code with which reading JSON, a message, a device or an event failed.
    public let code: String
    /// Sentences without their ends.
    public let message: String
    public let hint: String?
    /// Of the line, in bytes from its beginning; nil: the line as a whole.
    public let offset: Int?

    public static let invalid = "traffic_invalid"

    init(code: String = TrafficFault.invalid, _ message: String, hint: String?, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.offset = offset
    }
}

extension TrafficFault {
    /// - Parameter start: where the text that was read begins in the line.
    init(_ fault: JSONFault, start: Int = 0) {
        self.init(code: fault.code.rawValue, fault.message, hint: fault.hint, offset: start + fault.offset)
    }

    init(_ fault: MessageFault, start: Int) {
        self.init(code: fault.code, "the message: \(fault.message)", hint: fault.hint, offset: fault.offset.map { start + $0 } ?? start)
    }

    /// - Parameters:
    ///   - what: "the device", "the event"; it was read from `value`.
    init(_ fault: RequestFault, _ what: String, in value: JSONValue) {
        self.init(
            code: fault.code.rawValue, "\(what): \(fault.message)", hint: fault.hint, offset: (fault.value(in: value) ?? value).offset)
    }
}
