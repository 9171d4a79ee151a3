// The keys of a device, told apart by length and first letter so that reading one costs a single comparison.
import JSONDocument
import PushMessage

enum DeviceKey: Int, CaseIterable {
    case recipient, state, os, appVersion, permission, appPush, channels, screen, badge, topics, locale, timezone
    case accounts, tap, action, localCopy

    var name: StaticString {
        switch self {
        case .recipient: "recipient"
        case .state: "state"
        case .os: "os"
        case .appVersion: "app_version"
        case .permission: "permission"
        case .appPush: "app_push"
        case .channels: "channels"
        case .screen: "screen"
        case .badge: "badge"
        case .topics: "topics"
        case .locale: "locale"
        case .timezone: "timezone"
        case .accounts: "accounts"
        case .tap: "tap"
        case .action: "action"
        case .localCopy: "local_copy"
        }
    }

    static let names: [String] = allCases.map { "\($0.name)" }

    /// The keys of those keys that hold objects of a fixed shape, with the object's name.
    static let nested = ["screen.tab", "screen.path", "os.name", "os.version"]

    init?(_ text: JSONText) {
        guard let first = text.bytes.first else { return nil }
        let candidate: DeviceKey
        switch (text.count, first) {
        case (2, UInt8(ascii: "o")): candidate = .os
        case (3, UInt8(ascii: "t")): candidate = .tap
        case (5, UInt8(ascii: "s")): candidate = .state
        case (5, UInt8(ascii: "b")): candidate = .badge
        case (6, UInt8(ascii: "s")): candidate = .screen
        case (6, UInt8(ascii: "t")): candidate = .topics
        case (6, UInt8(ascii: "l")): candidate = .locale
        case (6, UInt8(ascii: "a")): candidate = .action
        case (8, UInt8(ascii: "a")): candidate = text == "accounts" ? .accounts : .appPush
        case (8, UInt8(ascii: "c")): candidate = .channels
        case (8, UInt8(ascii: "t")): candidate = .timezone
        case (9, UInt8(ascii: "r")): candidate = .recipient
        case (10, UInt8(ascii: "p")): candidate = .permission
        case (10, UInt8(ascii: "l")): candidate = .localCopy
        case (11, UInt8(ascii: "a")): candidate = .appVersion
        default: return nil
        }
        guard text == candidate.name else { return nil }
        self = candidate
    }
}

extension DeviceState {
    init?(_ text: JSONText) {
        for state in DeviceState.allCases where text == state.name {
            self = state == .notRunning ? .terminated : state
            return
        }
        return nil
    }

    /// As JSON and rules spell it.
    var name: StaticString {
        switch self {
        case .foreground: "foreground"
        case .inactive: "inactive"
        case .background: "background"
        case .terminated: "terminated"
        case .forceQuit: "force_quit"
        case .notRunning: "not_running"
        }
    }
}

extension Permission {
    init?(_ text: JSONText) {
        for permission in Permission.allCases where text == permission.name {
            self = permission
            return
        }
        return nil
    }

    /// As JSON and rules spell it.
    var name: StaticString {
        switch self {
        case .notDetermined: "not_determined"
        case .denied: "denied"
        case .authorized: "authorized"
        case .provisional: "provisional"
        case .ephemeral: "ephemeral"
        case .unknown: "unknown"
        }
    }
}
