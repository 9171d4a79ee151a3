// Reads the JSON of a device: every key optional, types exact, unknown keys a warning. Used by whoever asks for an
// evaluation; one reader serves a stream of devices on one thread and owns the `device` view of the last one.
import CivilTime
public import JSONDocument
import PushMessage

public final class DeviceReader {
    private let document = JSONDocument()
    private let builder = JSONBuilder()
    /// Devices of a stream are often in the same place.
    private var lastZone: Zone?
    /// For keys that no device has; nil until there is one.
    private var room: TellingRoom?

    /// Bytes of a locale or a time zone; none is so long, and each rule that asks for it would pay for it again.
    private static let longestName = 64

    public init() {}

    /// Reads a device from its own JSON text. Valid until the next read.
    ///
    /// - Parameter limit: in bytes.
    public func read(_ bytes: UnsafeRawBufferPointer, limit: Int = 65_536) throws(DeviceFault) -> Device {
        do throws(JSONFault) {
            try document.read(bytes, limit: limit)
        } catch {
            throw .unreadable(error)
        }
        do throws(RequestFault) {
            return try read(document.root)
        } catch {
            throw .wrong(error)
        }
    }

    /// Reads a device from a value that the caller keeps alive; nil and null are a device of which nothing is known.
    public func read(_ value: JSONValue?) throws(RequestFault) -> Device {
        builder.reset()
        builder.open(.object)
        var device = try fill(value)
        builder.close()
        guard let view = builder.finish() else {
            throw DeviceReader.fault("", "there is no memory to read the device")
        }
        device.view = view
        device.given = value
        return device
    }

    /// Every key is linked into the view as it is met; what nobody said is added after it.
    private func fill(_ value: JSONValue?) throws(RequestFault) -> Device {
        var device = Device()
        var known = KnownKeys()
        room = nil
        if let value, !value.isNull {
            guard value.isObject else { throw DeviceReader.fault("", "the device must be an object") }
            for member in value.children where !member.isNull {
                guard let key = DeviceKey(member.key) else {
                    unknownKey(member.key.string, at: "", among: DeviceKey.names, of: &device)
                    continue
                }
                if key == .locale || key == .timezone, let text = member.text, text.count > DeviceReader.longestName {
                    device.warnings.append(DeviceReader.tooLong(text, key))
                    continue
                }
                device.said.insert(key)
                try read(member, as: key, into: &device, known: &known)
            }
        }
        if let room { device.warnings = room.closed(device.warnings) }
        addDefaults(to: device, known: known)
        return device
    }

    private struct KnownKeys {
        var state = false
        var permission = false
        var appPush = false
        var os = false
        var tap = false
        var localCopy = false
    }

    private func addDefaults(to device: Device, known: KnownKeys) {
        if !known.state { string("state", JSONText(device.state.name)) }
        if !known.permission { string("permission", JSONText(device.permission.name)) }
        if !known.appPush { flag("app_push", true) }
        if !known.os { addOS(device) }
        if !known.tap { flag("tap", false) }
        if !known.localCopy { flag("local_copy", false) }
    }

    private func read(
        _ value: JSONValue, as key: DeviceKey, into device: inout Device, known: inout KnownKeys
    ) throws(RequestFault) {
        switch key {
        case .recipient: device.recipient = try text(value, "recipient")
        case .state:
            let word = try text(value, "state")
            guard let state = DeviceState(word) else {
                throw DeviceReader.unknownWord(word, "state", among: DeviceState.allCases.map(\.rawValue))
            }
            device.state = state
            known.state = true
            return string("state", JSONText(state.name))
        case .permission:
            let word = try text(value, "permission")
            guard let permission = Permission(word) else {
                throw DeviceReader.unknownWord(word, "permission", among: Permission.allCases.map(\.rawValue))
            }
            device.permission = permission
            known.permission = true
        case .os:
            try readOS(value, into: &device)
            known.os = true
            return addOS(device)
        case .appVersion: device.appVersion = try text(value, "app_version")
        case .appPush:
            device.appPush = try bool(value, "app_push")
            known.appPush = true
        case .channels: device.channels = try switches(value)
        case .screen: try readScreen(value, into: &device)
        case .badge: device.badge = try badge(value)
        case .topics: device.topics = try texts(value, "topics")
        case .locale: device.locale = try text(value, "locale")
        case .timezone: try readTimezone(value, into: &device)
        case .accounts: device.accounts = try texts(value, "accounts")
        case .tap:
            device.isTapped = try bool(value, "tap") || device.isTapped
            known.tap = true
        case .action:
            device.action = try text(value, "action")
            device.isTapped = true
        case .localCopy:
            device.isLocalCopy = try bool(value, "local_copy")
            known.localCopy = true
        }
        builder.key(key.name)
        builder.link(value)
    }

    private func readTimezone(_ value: JSONValue, into device: inout Device) throws(RequestFault) {
        let name = try text(value, "timezone")
        device.timezone = name
        if let lastZone, name == lastZone.name {
            device.zone = lastZone
        } else if let zone = Zone(name) {
            device.zone = zone
            lastZone = zone
        } else {
            device.warnings.append(
                Warning(
                    code: .unknownTimezone, path: "timezone", message: "there is no time zone \"\(name.string)\"",
                    hint: (Zone.meant(by: name.string).map { "did you mean \"\($0)\"?" } ?? "write a name such as \"Asia/Seoul\"")
                        + "; until then the app's zone counts"))
        }
    }

    private func readOS(_ value: JSONValue, into device: inout Device) throws(RequestFault) {
        guard value.isObject else {
            throw DeviceReader.fault(
                "os", "`os` must be an object with name and version", hint: "such as {\"name\": \"ios\", \"version\": \"17.4\"}")
        }
        var version: JSONText?
        for member in value.children where !member.isNull {
            if member.key == "name" {
                device.osName = try text(member, "os.name")
            } else if member.key == "version" {
                version = try text(member, "os.version")
            } else {
                unknownKey(member.key.string, at: "os.", among: ["name", "version"], of: &device)
            }
        }
        if device.osName != "ios", device.osName != "android" {
            let names = ["ios", "android"]
            let nearest = PushMessage.DidYouMean.nearest(to: device.osName.string, among: names)
            device.warnings.append(
                Warning(
                    code: .unknownValue, path: "os.name", message: "`os.name` = \"\(device.osName.string.shortened)\" is not known",
                    hint: nearest.map { "did you mean \"\($0)\"?" } ?? "one of " + names.joined(separator: ", ")))
        }
        if let version, VersionNumber.isUnreadable(version) {
            device.warnings.append(
                Warning(
                    code: .unknownValue, path: "os.version",
                    message: "`os.version` = \"\(version.string.shortened)\" is not a version", hint: "write numbers, such as \"17.4\""))
        }
        device.osVersion = version ?? (device.osName == "ios" ? device.osVersion : nil)
    }

    private func addOS(_ device: Device) {
        builder.key("os")
        builder.open(.object)
        string("name", device.osName)
        if let version = device.osVersion { string("version", version) }
        builder.close()
    }

    private func readScreen(_ value: JSONValue, into device: inout Device) throws(RequestFault) {
        guard value.isObject else {
            throw DeviceReader.fault(
                "screen", "`screen` must be an object with tab and path", hint: "such as {\"tab\": \"chat\", \"path\": [\"room-1\"]}")
        }
        for member in value.children where !member.isNull {
            if member.key == "tab" {
                device.screenTab = try text(member, "screen.tab")
            } else if member.key == "path" {
                guard member.isArray else {
                    throw DeviceReader.fault(
                        "screen.path", "`screen.path` must be a list of screens", hint: "such as [\"room-1\"]")
                }
                for (place, step) in member.children.enumerated() where step.text == nil && step.integer == nil {
                    throw DeviceReader.fault(
                        "screen.path[\(place)]", "`screen.path[\(place)]` must be a text or a whole number")
                }
                device.screenPath = member
            } else {
                unknownKey(member.key.string, at: "screen.", among: ["tab", "path"], of: &device)
            }
        }
    }

    // MARK: types

    private func text(_ value: JSONValue, _ path: StaticString) throws(RequestFault) -> JSONText {
        guard let text = value.text else {
            throw DeviceReader.fault("\(path)", "`\(path)` must be a text", hint: DeviceReader.textHint(path, value))
        }
        return text
    }

    private func bool(_ value: JSONValue, _ path: StaticString) throws(RequestFault) -> Bool {
        guard let bool = value.bool else {
            throw DeviceReader.fault("\(path)", "`\(path)` must be true or false", hint: "write true or false, without quotes")
        }
        return bool
    }

    private func badge(_ value: JSONValue) throws(RequestFault) -> Int {
        // 93.0 is a whole number, as it is to JSON Schema.
        guard let badge = value.integer ?? value.double.flatMap({ Int64(exactly: $0) }), badge >= 0, badge <= Int64(Int32.max) else {
            throw DeviceReader.fault(
                "badge", "`badge` must be a whole number, 0 or more",
                hint: value.isString ? "write the number without quotes, such as 3" : nil)
        }
        return Int(badge)
    }

    private func switches(_ value: JSONValue) throws(RequestFault) -> JSONValue {
        guard value.isObject else {
            throw DeviceReader.fault("channels", "`channels` must be an object of true and false", hint: "such as {\"news\": false}")
        }
        for member in value.children where !member.isNull && member.bool == nil {
            let path = "channels.\(member.key.string.shortened)"
            throw DeviceReader.fault(path, "`\(path)` must be true or false", hint: "write true or false, without quotes")
        }
        return value
    }

    private func texts(_ value: JSONValue, _ path: StaticString) throws(RequestFault) -> JSONValue {
        guard value.isArray else {
            throw DeviceReader.fault("\(path)", "`\(path)` must be a list of texts", hint: "such as [\"one\", \"two\"]")
        }
        for (place, element) in value.children.enumerated() where !element.isString {
            throw DeviceReader.fault("\(path)[\(place)]", "`\(path)[\(place)]` must be a text", hint: "put it in quotes")
        }
        return value
    }

    // MARK: the view

    private func string(_ key: StaticString, _ text: JSONText) {
        builder.key(key)
        builder.string(text)
    }

    private func flag(_ key: StaticString, _ value: Bool) {
        builder.key(key)
        builder.bool(value)
    }

    // MARK: faults

    private static func fault(_ path: String, _ message: String, hint: String? = nil) -> RequestFault {
        RequestFault(code: .deviceInvalid, path: path, message: message, hint: hint)
    }

    private static func textHint(_ path: StaticString, _ value: JSONValue) -> String {
        switch "\(path)" {
        case "state": "one of " + DeviceState.allCases.map(\.rawValue).joined(separator: ", ")
        case "permission": "one of " + Permission.allCases.map(\.rawValue).joined(separator: ", ")
        default: value.literal.map { "put it in quotes: \"\($0.string)\"" } ?? "write a text in quotes"
        }
    }

    private static func unknownWord(_ word: JSONText, _ path: String, among words: [String]) -> RequestFault {
        let nearest = PushMessage.DidYouMean.nearest(to: word.string, among: words)
        return fault(
            path, "`\(path)` = \"\(word.string.shortened)\" is not known",
            hint: nearest.map { "did you mean \"\($0)\"?" } ?? "one of " + words.joined(separator: ", "))
    }

    // MARK: warnings

    private func unknownKey(_ key: String, at path: String, among keys: [String], of device: inout Device) {
        let room = self.room ?? TellingRoom()
        self.room = room
        guard room.take() else { return }
        let nearest = room.nearest(to: key, among: keys)
        device.warnings.append(
            Warning(
                code: .unknownDeviceKey, path: path + key.shortened, message: "the device has no key `\(path)\(key.shortened)`",
                hint: nearest.map { "did you mean `\($0)`?" } ?? "known are " + keys.joined(separator: ", ")))
    }

    private static func tooLong(_ text: JSONText, _ key: DeviceKey) -> Warning {
        let what = "has \(text.count) bytes, where at most \(longestName) count: it is as if it were not there"
        return key == .locale
            ? Warning(code: .unknownLocale, path: "locale", message: "`locale` \(what)", hint: "write a locale such as \"ko-KR\"")
            : Warning(
                code: .unknownTimezone, path: "timezone", message: "`timezone` \(what)",
                hint: "write a name such as \"Asia/Seoul\"; until then the app's zone counts")
    }
}
