// The device of a command line: the JSON of --device with the shortcuts laid over it, as JSON text.
import JSONDocument

struct DeviceInput {
    private let source: InputSource?
    private let overrides: [(key: String, json: String)]
    private let screen: [(key: String, json: String)]
    private let channels: [(key: String, json: String)]

    /// As faults name it.
    var name: String { source?.name ?? "the device" }

    init(_ arguments: Arguments) throws(CommandFault) {
        source = arguments[.device].map { InputSource($0, name: "--device") }
        var overrides: [(key: String, json: String)] = []
        for (flag, key) in [
            (Flag.recipient, "recipient"), (.state, "state"), (.permission, "permission"), (.timezone, "timezone"),
            (.action, "action"),
        ] {
            if let text = arguments[flag] { overrides.append((key, DeviceInput.quoted(text))) }
        }
        if let text = arguments[.badge] {
            guard let badge = Int32(text), badge >= 0 else {
                throw .invalidValue(flag: "badge", value: text, expected: "a whole number, 0 or more", suggestion: nil)
            }
            overrides.append(("badge", String(badge)))
        }
        if arguments.has(.tap) { overrides.append(("tap", "true")) }
        var screen: [(key: String, json: String)] = []
        namedTab = arguments[.tab]
        if let tab = namedTab { screen.append(("tab", DeviceInput.quoted(tab))) }
        if arguments.has(.path) {
            let steps = arguments.all(.path).flatMap { $0.split(separator: ",").map { DeviceInput.quoted(String($0)) } }
            screen.append(("path", "[\(steps.joined(separator: ","))]"))
        }
        self.screen = screen
        var channels: [(key: String, json: String)] = []
        for text in arguments.all(.set) {
            let (name, isOn) = try DeviceInput.setting(text)
            if name == "app_push" {
                overrides.append((name, isOn))
            } else {
                channels.append((String(name.dropFirst("channel.".count)), isOn))
            }
        }
        self.channels = channels
        self.overrides = overrides
    }

    private static func setting(_ text: String) throws(CommandFault) -> (name: String, isOn: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let isOn: String? =
            switch parts.count == 2 ? parts[1] : "" {
            case "on", "true": "true"
            case "off", "false": "false"
            default: nil
            }
        let name = String(parts[0])
        guard let isOn, name == "app_push" || name.hasPrefix("channel.") && name != "channel." else {
            throw .invalidValue(
                flag: "set", value: text, expected: "channel.CODE=on, channel.CODE=off, app_push=on or app_push=off",
                suggestion: isOn == nil || name.isEmpty || name.contains(".") ? nil : "channel.\(text)")
        }
        return (name, isOn)
    }

    /// What the flags themselves name: the tab, and the channels whose switches they set.
    let namedTab: String?
    var namedChannels: [String] { channels.map(\.key) }

    /// The whole device as JSON, and the text of --device that went into it.
    func json() throws(CommandFault) -> (merged: [UInt8], given: [UInt8]?) {
        var given: [UInt8]?
        var writer = JSONWriter()
        writer.beginObject()
        var written: Set<String> = []
        let document = JSONDocument()
        if let source {
            let bytes = try source.bytes(limit: 65_536)
            given = bytes
            do throws(JSONFault) {
                try document.read(bytes)
            } catch {
                throw .unreadableJSON(source: source.name, text: bytes, error)
            }
            guard let root = document.root, root.isObject else { throw .notAnObject(source: source.name, text: bytes) }
            for entry in root.children {
                let key = entry.key.string
                if overrides.contains(where: { $0.key == key }) { continue }
                writer.key(key)
                switch key {
                case "screen" where !screen.isEmpty:
                    merge(entry, screen, into: &writer)
                    written.insert(key)
                case "channels" where !channels.isEmpty:
                    merge(entry, channels, into: &writer)
                    written.insert(key)
                default: writer.value(entry)
                }
            }
        }
        for (key, json) in overrides {
            writer.key(key)
            writer.raw(Array(json.utf8))
        }
        for (key, members) in [("screen", screen), ("channels", channels)] where !members.isEmpty && !written.contains(key) {
            writer.key(key)
            merge(nil, members, into: &writer)
        }
        writer.endObject()
        return (writer.bytes, given)
    }

    private func merge(_ base: JSONValue?, _ members: [(key: String, json: String)], into writer: inout JSONWriter) {
        writer.beginObject()
        if let base {
            // The path of one tab says nothing about another.
            let tab = members.first { $0.key == "tab" }?.json
            let isOtherTab = tab != nil && base["tab"]?.text.map { DeviceInput.quoted($0.string) } != tab
            for entry in base.children where !members.contains(where: { entry.key == $0.key }) {
                if isOtherTab, entry.key == "path" { continue }
                writer.key(entry.key)
                writer.value(entry)
            }
        }
        for (key, json) in members {
            writer.key(key)
            writer.raw(Array(json.utf8))
        }
        writer.endObject()
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
