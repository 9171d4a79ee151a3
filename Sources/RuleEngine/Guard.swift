// The names of the built-in guards, which run after the rules. Fixed: other people's scripts compare them.

public enum GuardName: String, Sendable, CaseIterable {
    case duplicate, expired, permission
    case appSwitch = "app_switch"
    case channelSwitch = "channel_switch"
    case empty, account
    case notSubscribed = "not_subscribed"
    case link
    case osOptions = "os_options"
    case attachment
}

extension GuardName {
    /// As decisions name it beside rules: `guard:link`.
    public var speaker: String { "guard:\(rawValue)" }
}
