// Small pieces of JSON text that a matrix is put together from.
import JSONDocument

enum JSONLine {
    static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// A screen: a tab, and the screens above it, outermost first.
    static func screen(tab: String, path: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("tab", tab)
        if !path.isEmpty {
            writer.key("path")
            writer.beginArray()
            for step in path { writer.string(step) }
            writer.endArray()
        }
        writer.endObject()
        return writer.bytes
    }

    /// A phone with some of its fields set anew. Of two settings of the same thing the later one counts.
    static func device(_ base: JSONValue?, with fields: [DeviceField]) -> [UInt8] {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        var written: [String] = []
        for member in base?.children.map({ $0 }) ?? [] {
            let key = member.key.string
            let settings = fields.filter { $0.key == key }
            written.append(key)
            write(key, member, settings, into: &writer)
        }
        for field in fields where !written.contains(field.key) {
            written.append(field.key)
            write(field.key, nil, fields.filter { $0.key == field.key }, into: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ key: String, _ value: JSONValue?, _ settings: [DeviceField], into writer: inout JSONWriter) {
        if let whole = settings.last(where: { $0.member == nil }) {
            guard let json = whole.json else { return }
            writer.member(key, json: json)
            return
        }
        writer.key(key)
        guard !settings.isEmpty else {
            if let value { writer.value(value) } else { writer.null() }
            return
        }
        writer.beginObject()
        for entry in value?.children.map({ $0 }) ?? [] where !settings.contains(where: { entry.key == $0.member ?? "" }) {
            writer.key(entry.key)
            writer.value(entry)
        }
        for (place, setting) in settings.enumerated() {
            let isLast = !settings[(place + 1)...].contains { $0.member == setting.member }
            guard isLast, let json = setting.json else { continue }
            writer.member(setting.member ?? "", json: json)
        }
        writer.endObject()
    }
}
