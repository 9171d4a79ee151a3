// The wire formats a message may come in, and what is known beforehand about the phone it is read for.
public import JSONDocument

public enum MessageFormat: String, Sendable, CaseIterable {
    case apns
    case iosUserinfo = "ios-userinfo"
    case fcmV1 = "fcm-v1"
    case fcmLegacy = "fcm-legacy"
    case cloudevent
    case unknown

    /// The raw value, without a String.
    var name: StaticString {
        switch self {
        case .apns: "apns"
        case .iosUserinfo: "ios-userinfo"
        case .fcmV1: "fcm-v1"
        case .fcmLegacy: "fcm-legacy"
        case .cloudevent: "cloudevent"
        case .unknown: "unknown"
        }
    }
}

public enum Platform: String, Sendable { case ios, android }

/// Whom a message is read for. Decides what `data` holds and fills `recipient`.
public struct RecipientContext: Sendable {
    public var platform: Platform
    /// The device's recipient; must stay valid as long as the message is used.
    public var recipient: JSONText?

    public init(platform: Platform = .ios, recipient: JSONText? = nil) {
        self.platform = platform
        self.recipient = recipient
    }
}

/// `device.state`.
public enum DeviceState: String, Sendable, CaseIterable {
    case foreground, inactive, background
    /// Ended by the system.
    case terminated
    /// Swiped away by the user.
    case forceQuit = "force_quit"
    /// The same as `terminated`.
    case notRunning = "not_running"

    /// A tap has to launch the app first.
    public var isColdStart: Bool {
        switch self {
        case .terminated, .forceQuit, .notRunning: true
        case .foreground, .inactive, .background: false
        }
    }
}
