// Lays what an app remembers out as the case's author has written it: `settings` and `topics` have a short form.
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
            } else {
                writer.value(member)
            }
        }
        writer.endObject()
        return writer.bytes
    }
}
