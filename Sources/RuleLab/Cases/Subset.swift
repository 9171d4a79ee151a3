// Compares an answer with what a case expects of it: objects match when the expected members do, null means that the
// key is absent, lists match in length and order, scalars with their type.
public import JSONDocument

/// One place where an answer is not as expected. Both sides as compact JSON; nil: nothing stands there.
public struct Difference: Sendable, Equatable {
    public let path: String
    public let expected: String?
    public let got: String?
    /// How the two differ as a whole; nil: in their value.
    public let shape: Shape?

    public enum Shape: Sendable, Equatable {
        /// Two lists: how many elements there must be, and how many there are. Of decisions also their events.
        case length(expected: Int, got: Int, events: [String])
        /// A list where an object must be, or the reverse.
        case kind(expectsList: Bool)
    }

    public init(path: String, expected: String?, got: String?, shape: Shape? = nil) {
        self.path = path
        self.expected = expected
        self.got = got
        self.shape = shape
    }
}

public enum Subset {
    /// A case is told at most this many.
    private static let mostDifferences = 20
    private static let deepest = 64

    /// Empty when the answer is as expected.
    public static func differences(expected: JSONValue, got: JSONValue) -> [Difference] {
        var found: [Difference] = []
        compare(expected, got, .root, 0, &found)
        return Array(found.prefix(mostDifferences))
    }

    /// - Parameter got: nil: nothing is there.
    static func holds(_ expected: JSONValue, of got: JSONValue?) -> Bool {
        var found: [Difference] = []
        compare(expected, got, .root, 0, &found)
        return found.isEmpty
    }

    private static func compare(_ expected: JSONValue, _ got: JSONValue?, _ path: JSONPath, _ depth: Int, _ found: inout [Difference]) {
        guard found.count < mostDifferences, depth <= deepest else { return }
        if expected.isNull {
            if let got, !got.isNull { found.append(difference(expected, got, path)) }
            return
        }
        guard let got, !got.isNull else {
            found.append(difference(expected, nil, path))
            return
        }
        switch (expected.kind, got.kind) {
        case (.object, .object):
            for member in expected.children {
                compare(member, got[member.key], path.appending(member.key.string), depth + 1, &found)
            }
        case (.array, .array):
            guard expected.count == got.count else {
                let isOfTexts = (Array(expected.children) + Array(got.children)).allSatisfy { !$0.isObject && !$0.isArray }
                let events = got.children.compactMap { $0["event"]?.text?.string }
                let length = Difference.Shape.length(expected: expected.count, got: got.count, events: events)
                found.append(difference(expected, got, path, isOfTexts ? nil : length))
                return
            }
            let isPlain = expected.children.allSatisfy { !$0.isObject && !$0.isArray }
            if isPlain {
                let agree = zip(expected.children, got.children).allSatisfy(areSame)
                if !agree { found.append(difference(expected, got, path)) }
                return
            }
            for (index, (element, other)) in zip(expected.children, got.children).enumerated() {
                compare(element, other, path.appending(index), depth + 1, &found)
            }
        case (.object, .array), (.array, .object):
            found.append(difference(expected, got, path, .kind(expectsList: expected.isArray)))
        default:
            if !areSame(expected, got) { found.append(difference(expected, got, path)) }
        }
    }

    private static func areSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
        guard a.kind == b.kind else { return false }
        switch a.kind {
        case .null, .true, .false: return true
        case .integer: return a.integer == b.integer
        case .decimal: return a.overflows || b.overflows ? a.literal == b.literal : a.double == b.double
        case .string: return a.text == b.text
        case .array, .object, .function: return false
        }
    }

    private static func difference(
        _ expected: JSONValue, _ got: JSONValue?, _ path: JSONPath, _ shape: Difference.Shape? = nil
    ) -> Difference {
        Difference(path: path.text, expected: expected.isNull ? nil : json(expected), got: got.map(json), shape: shape)
    }

    private static func json(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
