// Writes a JSON value again, with other texts and numbers in the places of its own: its objects and arrays stay as they are. Used by
// Masking and EarlierTexts, which say what becomes of a value, and knows of no masks.
import JSONDocument

enum JSONRewriting {
    /// - Parameters:
    ///   - names: what a member is called; nil: as it was.
    ///   - leaf: writes what is neither an object nor an array.
    static func write(
        _ value: JSONValue, into writer: inout JSONWriter, names: (JSONText) -> String? = { _ in nil },
        leaf: (JSONValue, inout JSONWriter) -> Void
    ) {
        switch value.kind {
        case .object:
            writer.beginObject()
            for member in value.children {
                if let name = names(member.key) { writer.key(name) } else { writer.key(member.key) }
                write(member, into: &writer, names: names, leaf: leaf)
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            for element in value.children { write(element, into: &writer, names: names, leaf: leaf) }
            writer.endArray()
        default: leaf(value, &writer)
        }
    }

    /// As it is.
    static func copy(_ value: JSONValue, into writer: inout JSONWriter) {
        write(value, into: &writer) { leaf, writer in
            if let text = leaf.text {
                writer.string(text)
            } else if let flag = leaf.bool {
                writer.bool(flag)
            } else if let literal = leaf.literal {
                writer.raw(literal)
            } else {
                writer.null()
            }
        }
    }
}
