// How large the parts of a state may be that somebody wrote: as large as those that rules can make, so that every way of
// evaluating can take them. StateReader, DeferredReader, SeenText and CapText ask here.
import JSONDocument
import PushMessage
import RuleEngine

enum StateBounds {
    /// Bytes of a value as compact JSON, of a text, of a key of `state`, of a zone and of a wall time.
    static let (json, text, key, zone) = (1 << 20, 256 << 10, 128, 64)

    static func json(_ value: JSONValue, _ path: JSONPath) throws(StateFault) -> [UInt8] {
        try check(value, path)
        let bytes = value.json
        guard bytes.count <= json else {
            throw StateReader.fault(value, path, "it has \(bytes.count) bytes as JSON, and at most \(json) are kept")
        }
        return bytes
    }

    static func text(_ value: JSONValue, _ path: JSONPath, atMost limit: Int = text) throws(StateFault) -> String {
        guard let text = value.text else { throw StateReader.fault(value, path, "text must stand here") }
        let string = text.string
        guard string.utf8.count <= limit else {
            throw StateReader.fault(value, path, "it has \(string.utf8.count) bytes, and at most \(limit) are kept")
        }
        return string
    }

    /// The key of a member. The fault does not quote it: it is long.
    static func key(_ member: JSONValue, in path: JSONPath, atMost limit: Int = text) throws(StateFault) -> String {
        let key = member.key.string
        guard key.utf8.count <= limit else {
            let place = path.steps.isEmpty ? "" : "\(path.text): "
            throw StateFault(
                path: path.text, offset: member.offset,
                message: "\(place)a key has \(key.utf8.count) bytes, and at most \(limit) are kept", hint: nil, isOfKey: true)
        }
        return key
    }

    /// At whatever depth: of two values under one key one would be lost, and a number that none of Lua holds could not be counted on.
    private static func check(_ value: JSONValue, _ path: JSONPath) throws(StateFault) {
        if value.isObject {
            for member in try StateReader.members(of: value, path) where mayBeWrong(member) {
                try check(member, path.appending(member.key.string))
            }
        } else if value.isArray {
            for (index, element) in value.children.enumerated() where mayBeWrong(element) { try check(element, path.appending(index)) }
        } else if isTooLarge(value) {
            throw StateReader.fault(
                value, path, "the number is larger than any that rules can read",
                hint: "at most 1.7976931348623157e308; what is only looked at may be text")
        }
    }

    private static func mayBeWrong(_ value: JSONValue) -> Bool { value.isObject || value.isArray || isTooLarge(value) }

    private static func isTooLarge(_ value: JSONValue) -> Bool { value.double?.isFinite == false }
}
