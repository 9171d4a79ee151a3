// What caps have counted, as JSON: by the cap's key, when messages were shown. StateReader and StateWriter call it.
import JSONDocument
import PushMessage
import RuleEngine

enum CapText {
    /// In a state file.
    static let keys = ["shown", "until"]

    /// `{key: {"shown": [instant], "until": instant}}`; in a case `{key: [instant]}`.
    static func write(_ caps: ExactTable<CapCount>, short: Bool, to writer: inout JSONWriter) {
        guard !caps.isEmpty else { return }
        writer.key("caps")
        writer.beginObject()
        for (key, count) in caps.inOrder {
            writer.key(key)
            if !short {
                writer.beginObject()
                writer.key("shown")
            }
            writer.beginArray()
            for instant in count.instants { writer.string(instant.text) }
            writer.endArray()
            if !short {
                writer.key("until")
                writer.string(count.until.text)
                writer.endObject()
            }
        }
        writer.endObject()
    }

    /// Either form.
    static func read(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> ExactTable<CapCount> {
        var caps = ExactTable<CapCount>()
        for member in try StateReader.members(of: value, path) {
            let place = path.appending(member.key.string)
            var count = CapCount()
            if member.isArray {
                count.instants = try instants(member, place)
                // For as long as any cap may last.
                count.until = Instant(milliseconds: .max)
            } else {
                for part in try StateReader.members(of: member, place) {
                    switch part.key.string {
                    case "shown": count.instants = try instants(part, place.appending("shown"))
                    case "until": count.until = try StateReader.instant(part, place.appending("until"))
                    default: throw StateReader.unknown(part, place.appending(part.key.string), known: keys)
                    }
                }
            }
            caps[try StateBounds.key(member, in: path)] = count
        }
        return caps
    }

    private static func instants(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> [Instant] {
        var instants: [Instant] = []
        for (index, element) in try StateReader.elements(of: value, path).enumerated() {
            instants.append(try StateReader.instant(element, path.appending(index)))
        }
        return instants.sorted()
    }
}
