// Lays what an app remembers out as the case's author has written it: `settings`, `topics`
// and `seen` have a short form, and what is not stored equals an empty value.
import JSONDocument

enum CaseState {
    /// - Parameters:
    ///   - json: as StateWriter writes it for a case.
    ///   - expected: `expect_state`.
    static func shaped(_ json: [UInt8], like expected: JSONValue) -> [UInt8] {
        let document = JSONDocument()
        // It has been written a moment ago; should it not read, it is compared as it is.
        do { try document.read(json, limit: Int(Int32.max), depth: 128) } catch { return json }
        guard let root = document.root else { return json }
        var writer = JSONWriter(reserving: json.count)
        writer.beginObject()
        for member in root.children {
            writer.key(member.key)
            if member.key == "topics", expected["topics"]?.isArray ?? false {
                if let wanted = member["wanted"] { writer.value(wanted) } else { writer.null() }
            } else if member.key == "settings", let short = expected["settings"], short["channels"] == nil {
                writer.beginObject()
                for setting in member.children where !(setting.key == "channels") {
                    writer.key(setting.key)
                    writer.value(setting)
                }
                if let channels = member["channels"] {
                    for channel in channels.children {
                        writer.key(channel.key)
                        writer.value(channel)
                    }
                }
                writer.endObject()
            } else if member.key == "seen", expected["seen"]?.children.contains(where: { $0.text != nil }) ?? false {
                writeIDs(of: member, to: &writer)
            } else {
                write(member, like: expected[member.key], to: &writer)
            }
        }
        for member in expected.children where root[member.key] == nil {
            // What rules keep is there or not: a counter that was never written is no 0.
            let isKept = member.key == "recipient" || member.key == "app"
            writeEmpty(like: member, inside: !isKept, to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    /// A part that is stored: lists and objects in it that are not are empty too, such as `confirmed` beside `wanted`.
    private static func write(_ value: JSONValue, like expected: JSONValue?, to writer: inout JSONWriter) {
        guard value.isObject, !(value.key == "recipient" || value.key == "app"), let expected, expected.isObject else {
            writer.value(value)
            return
        }
        writer.beginObject()
        for member in value.children {
            writer.key(member.key)
            writer.value(member)
        }
        for member in expected.children where value[member.key] == nil { writeEmpty(like: member, inside: true, to: &writer) }
        writer.endObject()
    }

    /// The member that stands for nothing: {}, [] or 0. One that expects something else is left out, and so not there.
    private static func writeEmpty(like expected: JSONValue, inside: Bool, to writer: inout JSONWriter) {
        switch expected.kind {
        case .object:
            writer.key(expected.key)
            writer.beginObject()
            if inside { for member in expected.children { writeEmpty(like: member, inside: true, to: &writer) } }
            writer.endObject()
        case .array where expected.count == 0:
            writer.key(expected.key)
            writer.beginArray()
            writer.endArray()
        case .integer where expected.integer == 0:
            writer.key(expected.key)
            writer.integer(0)
        default: break
        }
    }

    /// Each message once, whatever events it came at.
    private static func writeIDs(of seen: JSONValue, to writer: inout JSONWriter) {
        writer.beginArray()
        var last: JSONText?
        for entry in seen.children {
            guard let id = entry["id"]?.text, id != last else { continue }
            writer.string(id)
            last = id
        }
        writer.endArray()
    }
}
