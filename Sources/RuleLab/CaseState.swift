// Lays what an app remembers out as the case's author has written it: `settings`, `topics`
// and `seen` have a short form.
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
                writer.value(member)
            }
        }
        writer.endObject()
        return writer.bytes
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
