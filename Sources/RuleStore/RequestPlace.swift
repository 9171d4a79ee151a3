// Where in a device's own text a fault stands that names it by its path. The device that was read had flags laid over
// it; the text is what the person wrote.
public import JSONDocument
public import RuleEngine

extension RequestFault {
    /// The value at the fault's path; nil when the text has none.
    public func place(in text: [UInt8]) -> TextPlace? {
        let document = JSONDocument()
        // The text has been read before; should it not read now, the fault is told without its place.
        do throws(JSONFault) { try document.read(text) } catch { return nil }
        guard let root = document.root, let value = RequestFault.value(at: path[...], of: root) else { return nil }
        return TextPlace(of: value.offset, in: text)
    }

    /// The value that the fault is about, in the device or the event that was read; nil when it has none at that path.
    public func value(in root: JSONValue) -> JSONValue? { RequestFault.value(at: path[...], of: root) }

    /// The place as RFC 6901 writes it, from the device or the event that was read; nil when it has no value there.
    public func pointer(in root: JSONValue) -> String? { RequestFault.find(at: path[...], of: root)?.pointer }

    private static func value(at path: Substring, of value: JSONValue) -> JSONValue? { find(at: path, of: value)?.value }

    /// Keys are matched whole, because a key may itself hold a dot: `channels.shop.news`.
    private static func find(at path: Substring, of value: JSONValue, under pointer: String = "") -> (value: JSONValue, pointer: String)? {
        if path.isEmpty { return (value, pointer) }
        if path.first == "[", let end = path.firstIndex(of: "]"), let index = Int(path.dropFirst()[..<end]) {
            guard let element = value[index] else { return nil }
            return find(at: path[end...].dropFirst(), of: element, under: "\(pointer)/\(index)")
        }
        guard value.isObject else { return nil }
        let path = path.first == "." ? path.dropFirst() : path
        for member in value.children {
            let key = member.key.string
            guard path.hasPrefix(key) else { continue }
            let rest = path.dropFirst(key.count)
            guard rest.isEmpty || rest.first == "." || rest.first == "[" else { continue }
            if let found = find(at: rest, of: member, under: "\(pointer)/\(key.pointerStep)") { return found }
        }
        return nil
    }
}

extension String {
    /// As one step of a JSON pointer.
    public var pointerStep: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return self }
        return reduce(into: "") { step, character in
            switch character {
            case "~": step += "~0"
            case "/": step += "~1"
            default: step.append(character)
            }
        }
    }
}
