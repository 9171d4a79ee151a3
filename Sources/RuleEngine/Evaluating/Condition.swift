// A matcher made ready for messages: words are parsed once when a ruleset is taken into use, so that looking at a
// message allocates nothing. All conditions of a rule must hold; the values of one are alternatives.
import JSONDocument
import PushMessage

enum Condition {
    case channel([String])
    case topic([String])
    case category([String])
    case tab([String])
    case locale([String])
    case os([String])
    case states(StateSet)
    case minOS([VersionRequirement])
    case appVersion([VersionRequirement])
    case urgency([Priority])
    case silent(Bool)
    /// Values that contradict each other or mean nothing: never true.
    case never(Matcher.Field)

    init(_ matcher: Matcher) {
        let values = matcher.values
        switch matcher.field {
        case .channel: self = .channel(values)
        case .topic: self = .topic(values)
        case .category: self = .category(values)
        case .tab: self = .tab(values)
        case .locale: self = .locale(values.map(Locale.folded))
        case .os: self = .os(values)
        case .urgency: self = .urgency(values.compactMap(Priority.init(rawValue:)))
        case .state: self = .states(StateSet(values))
        case .minOS:
            let versions = values.compactMap { VersionNumber($0) }.map { VersionRequirement(atLeast: $0) }
            self = versions.isEmpty ? .never(.minOS) : .minOS(versions)
        case .appVersion:
            let versions = values.compactMap { VersionRequirement($0) }
            self = versions.isEmpty ? .never(.appVersion) : .appVersion(versions)
        case .silent:
            self = values.count == 1 ? .silent(values[0] == "true") : .never(.silent)
        }
    }

    /// An absent field matches nothing, and so does a message that is not there.
    func holds(in situation: Situation) -> Bool {
        switch self {
        case .channel(let values): Condition.any(of: values, is: situation.message?.channel)
        case .topic(let values): Condition.any(of: values, is: situation.message?.topic)
        case .category(let values): Condition.any(of: values, is: situation.message?.category)
        case .urgency(let values): situation.message?.priority.map { values.contains($0) } ?? false
        case .silent(let value): situation.message.map { $0.silent == value } ?? false
        case .tab(let values): Condition.any(of: values, is: situation.request.device.screenTab)
        case .os(let values): Condition.any(of: values, is: situation.request.device.osName)
        case .states(let states): states.contains(situation.request.device.state)
        case .locale(let values):
            situation.request.device.locale.map { locale in values.contains { Locale.matches(locale, prefix: $0) } }
                ?? false
        case .minOS(let versions): Condition.any(of: versions, metBy: situation.request.device.osVersion)
        case .appVersion(let versions): Condition.any(of: versions, metBy: situation.request.device.appVersion)
        case .never: false
        }
    }

    private static func any(of values: [String], is text: JSONText?) -> Bool {
        guard let text else { return false }
        for value in values where text == value { return true }
        return false
    }

    private static func any(of versions: [VersionRequirement], metBy text: JSONText?) -> Bool {
        guard let text else { return false }
        for version in versions where version.isMet(by: text) { return true }
        return false
    }
}

/// States of the app, one bit each; `not_running` counts as `terminated`.
struct StateSet: Sendable {
    private var bits: UInt8 = 0

    init(_ names: [String]) {
        for name in names {
            if let state = DeviceState(rawValue: name) { bits |= StateSet.bit(state) }
        }
    }

    func contains(_ state: DeviceState) -> Bool { bits & StateSet.bit(state) != 0 }

    private static func bit(_ state: DeviceState) -> UInt8 {
        switch state {
        case .foreground: 1
        case .inactive: 2
        case .background: 4
        case .terminated, .notRunning: 8
        case .forceQuit: 16
        }
    }
}

/// Languages and regions as phones name them: "ko-KR", "ko_KR", "zh-Hant-TW".
enum Locale {
    static func folded(_ locale: String) -> String { String(decoding: locale.utf8.map(fold), as: UTF8.self) }

    /// "ko" is every Korean; "ko-KR" only that one. `prefix` is folded.
    static func matches(_ locale: JSONText, prefix: String) -> Bool {
        let bytes = locale.bytes
        let wanted = prefix.utf8
        guard !wanted.isEmpty, bytes.count >= wanted.count else { return false }
        var place = 0
        for byte in wanted {
            guard fold(bytes[place]) == byte else { return false }
            place += 1
        }
        return place == bytes.count || fold(bytes[place]) == UInt8(ascii: "-")
    }

    private static func fold(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte &+ 32
        case UInt8(ascii: "_"): UInt8(ascii: "-")
        default: byte
        }
    }
}
