// `text.fill` and `text.truncate`. Texts are cut where a reader sees a character end, never inside an emoji.
import JSONDocument
import LuaSandbox
import PushMessage

enum TextFunctions {
    /// Bytes of a filled text: what one text may hold in a rule.
    private static let longestFilled = 262_144

    /// text.fill("Hello {name}", { name = "Mina" }): every `{name}` is replaced; braces around anything else stay.
    static func fill(_ call: Call, _ result: JSONBuilder) throws(CallFault) -> HostAnswer {
        let template = try call.text(0, "the template").string
        guard let values = call.argument(1), values.isObject || values.count == 0 && values.isArray else {
            throw CallFault("the second argument must be a table of values by name")
        }
        let named = NamedValues(values)
        result.string(try filled(template) { name throws(CallFault) in try text(of: named[name], name) })
        return .value
    }

    /// - Parameter value: the value of a name; nil leaves `{name}` as it stands.
    static func filled(_ template: String, _ value: (String) throws(CallFault) -> String?) throws(CallFault) -> String {
        LuaMachine.takeFuel(template.utf8.count * 4)
        guard template.utf8.contains(UInt8(ascii: "{")) else { return template }
        // By bytes: a mark that follows a brace would belong to it as a character.
        var filled = ""
        var rest = Substring(template).utf8
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            let after = rest.index(after: open)
            guard let close = rest[after...].firstIndex(where: { !$0.isOfName }), rest[close] == UInt8(ascii: "}"), close > after
            else {
                filled += Substring(rest[..<after])
                rest = rest[after...]
                continue
            }
            filled += Substring(rest[..<open])
            let end = rest.index(after: close)
            LuaMachine.takeFuel(30)
            filled += try value(String(Substring(rest[after..<close]))) ?? String(Substring(rest[open..<end]))
            guard filled.utf8.count <= longestFilled else {
                throw CallFault("the filled text is longer than \(longestFilled / 1024) KiB")
            }
            rest = rest[end...]
        }
        return filled + Substring(rest)
    }

    static func text(of value: JSONValue?, _ name: String) throws(CallFault) -> String {
        guard let value, !value.isNull else { throw CallFault("there is no value for {\(name)}") }
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
        // Where one character ends is looked up for each.
        LuaMachine.takeFuel(text.utf8.count * 4)
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

/// The values that a text is filled with. Many are kept by name: a text may ask for each of them thousands of times.
struct NamedValues {
    private let values: JSONValue?
    private var byName: [ExactText: JSONValue] = [:]

    /// What is gone through for each name before it is worth keeping.
    private static let few = 16

    init(_ values: JSONValue?) {
        self.values = values
        guard let values, values.count > NamedValues.few else { return }
        LuaMachine.takeFuel(values.count * 20)
        for member in values.children { byName[ExactText(member.key.string)] = member }
    }

    subscript(name: String) -> JSONValue? {
        byName.isEmpty ? values?[name] : byName[ExactText(name)]
    }
}

extension UInt8 {
    /// Letters, figures and `_`.
    fileprivate var isOfName: Bool { self == UInt8(ascii: "_") || (48...57).contains(self) || (97...122).contains(self | 32) }
}
