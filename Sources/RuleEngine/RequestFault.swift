// Why a device or an event cannot be used for an evaluation: the fault of whoever asks, not of the message or of a rule.

public import JSONDocument

public struct RequestFault: Error, Sendable, Equatable {
    public enum Code: String, Sendable, CaseIterable {
        case deviceInvalid = "device_invalid"
        case eventInvalid = "event_invalid"
    }
    public var code: Code
    /// From the root of the device or the event: `screen.path[0]`; "" is the whole.
    public var path: String
    /// A sentence that names the place.
    public var message: String
    public var hint: String?

    public init(code: Code, path: String, message: String, hint: String? = nil) {
        self.code = code
        self.path = path
        self.message = message
        self.hint = hint
    }
}

/// Why the JSON text of a device cannot be used.
public enum DeviceFault: Error, Sendable {
    case unreadable(JSONFault)
    case wrong(RequestFault)
}
