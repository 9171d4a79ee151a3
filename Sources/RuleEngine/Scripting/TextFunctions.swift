// `text.fill` and `text.truncate`. Texts are cut where a reader sees a character end, never inside an emoji.
import JSONDocument
import LuaSandbox

enum TextFunctions {
    /// Bytes of a filled text: what one text may hold in a rule.
    private static let longestFilled = 262_144

    /// text.fill("Hello {name}", { name = "Mina" }): every `{name}` is replaced; braces around anything else stay.
    static func fill(_ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        let template = try call.text(0, "the template").string
        guard let values = call.argument(1), values.isObject || values.count == 0 && values.isArray else {
            throw CallFault("the second argument must be a table of values by name")
        }
        var filled = ""
        var rest = Substring(template)
        while let open = rest.firstIndex(of: "{") {
            filled += rest[..<open]
            let after = rest.index(after: open)
            guard let close = rest[after...].firstIndex(where: { !$0.isNameCharacter }), rest[close] == "}", close > after
            else {
                filled += "{"
                rest = rest[after...]
                continue
            }
            filled += try text(of: values, String(rest[after..<close]))
            guard filled.utf8.count <= longestFilled else {
                throw CallFault("the filled text is longer than \(longestFilled / 1024) KiB")
            }
            rest = rest[rest.index(after: close)...]
        }
        filled += rest
        result.string(filled)
        return .value
    }

    private static func text(of values: JSONValue, _ name: String) throws(CallFault) -> String {
        guard let value = values[name], !value.isNull else { throw CallFault("there is no value for {\(name)}") }
        if let text = value.text { return text.string }
        guard !value.isArray, !value.isObject else { throw CallFault("the value for {\(name)} must be a text or a number") }
        // Numbers and truths as JSON writes them: the digits that came are the digits that go.
        var writer = JSONWriter(reserving: 32)
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// text.truncate(text, n[, ellipsis]): at most n characters as a reader counts them, the ellipsis included.
    static func truncate(_ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        let text = try call.text(0, "the text").string
        guard let wanted = try call.integer(1, "n") else { throw CallFault("n must be a whole number") }
        guard wanted >= 0 else { throw CallFault("n must be 0 or more") }
        let ellipsis = try call.optionalText(2, "the ellipsis")?.string ?? "…"
        let length = Int(clamping: wanted)
        if text.utf8.count <= length || text.dropFirst(length).isEmpty {
            result.string(text)
        } else if ellipsis.count > length {
            result.string(String(text.prefix(length)))
        } else {
            result.string(text.prefix(length - ellipsis.count) + ellipsis)
        }
        return .value
    }
}

extension Character {
    fileprivate var isNameCharacter: Bool {
        guard let byte = asciiValue else { return false }
        return byte == UInt8(ascii: "_") || (48...57).contains(byte) || (97...122).contains(byte | 32)
    }
}
