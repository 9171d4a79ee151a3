// What is known about the phone when the event happens. Made by DeviceReader; read by matchers, guards and defaults.
// Texts and values are views into the text the device was read from.
public import CivilTime
public import JSONDocument
public import PushMessage

/// Valid as long as the reader that made it is not used again and the value it was read from lives.
public struct Device: Sendable {
    /// nil: not named; state then belongs to recipient "".
    public var recipient: JSONText?
    /// `not_running` is read as `terminated`.
    public var state = DeviceState.background
    public var permission = Permission.authorized
    /// The app's own switch; nil: the device does not say.
    public var appPush: Bool?
    /// "ios", "android", …
    public var osName = JSONText("ios")
    /// Parts joined by dots; nil: not known (only for a system that is named without one and is not iOS).
    public var osVersion: JSONText? = JSONText("18")
    public var appVersion: JSONText?
    /// Switches by channel code: an object of booleans.
    public var channels: JSONValue?
    public var screenTab: JSONText?
    /// A list of texts or numbers.
    public var screenPath: JSONValue?
    /// The number on the app's icon, 0 or more.
    public var badge: Int?
    /// A list of texts; nil: not known, which is not the same as none.
    public var topics: JSONValue?
    public var locale: JSONText?
    public var timezone: JSONText?
    /// What `timezone` names; nil: nothing, or nothing that the system knows.
    public var zone: Zone?
    /// Accounts that are logged in: a list of texts; nil: not known.
    public var accounts: JSONValue?
    /// The user taps the notification or one of its actions.
    public var isTapped = false
    /// The id of the action that the user chose.
    public var action: JSONText?
    /// The message is the app's own local notification coming back.
    public var isLocalCopy = false
    /// What whoever asks has said of it; all else is a default.
    var said = DeviceKeys()
    /// What rules see as `device`: the object with its defaults filled in. nil: a device that no reader made, of which
    /// rules see nothing.
    public internal(set) var view: JSONValue?
    /// What the reader was given; nil: nothing, or a device that no reader made.
    var given: JSONValue?
    /// Unknown keys.
    public var warnings: [Warning] = []

    public init() {}

    public var platform: Platform { osName == "android" ? .android : .ios }

    /// For MessageReader: whom a message is read for.
    public var messageContext: RecipientContext { RecipientContext(platform: platform, recipient: recipient) }
}

/// What the user allowed the app to show.
public enum Permission: String, Sendable, CaseIterable {
    case notDetermined = "not_determined"
    case denied, authorized
    /// In the list only, quietly.
    case provisional
    case ephemeral
    /// Not the same as denied: nothing is held back.
    case unknown
}
