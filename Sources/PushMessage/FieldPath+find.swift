// Following a path in a message. A run of names joined by dots may be one key: the longest run is tried first.
import JSONDocument

extension FieldPath {
    /// The value at the path's first part (all of it unless the path goes on inside JSON text).
    func find(in value: JSONValue) -> JSONValue? { FieldPath.find(steps[...], in: value) }

    /// The value at the second part of a `json:` path, inside what the first part led to.
    func findInner(in value: JSONValue) -> JSONValue? { FieldPath.find((innerSteps ?? [])[...], in: value) }

    private static func find(_ steps: ArraySlice<Step>, in value: JSONValue) -> JSONValue? {
        guard let step = steps.first else { return value }
        let rest = steps.dropFirst()
        switch step {
        case .key(let key):
            return member(key[...], of: value).flatMap { find(rest, in: $0) }
        case .index(let index):
            return value[index].flatMap { find(rest, in: $0) }
        case .names(let text, let ends):
            return find(text, ends, from: 0, then: rest, in: value)
        }
    }

    /// Follows the names from the one with this number on.
    private static func find(
        _ text: [UInt8], _ ends: [Int], from first: Int, then rest: ArraySlice<Step>, in value: JSONValue
    ) -> JSONValue? {
        guard value.isObject else { return nil }
        let start = first == 0 ? 0 : ends[first - 1] + 1
        for last in stride(from: ends.count - 1, through: first, by: -1) {
            guard let member = member(text[start..<ends[last]], of: value) else { continue }
            let found =
                last == ends.count - 1 ? find(rest, in: member) : find(text, ends, from: last + 1, then: rest, in: member)
            if let found { return found }
        }
        return nil
    }

    private static func member(_ key: ArraySlice<UInt8>, of value: JSONValue) -> JSONValue? {
        key.withUnsafeBufferPointer { value[JSONText(start: $0.baseAddress, count: $0.count)] }
    }
}
