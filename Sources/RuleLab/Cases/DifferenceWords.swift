// A difference between an answer and what a case expects of it, as one sentence. Long values are told in part: around
// the place where two texts part, or up to a comma. Called by whoever tells of cases that miss.

public enum DifferenceWords {
    /// Characters of one value that are shown, and of a text, which lines can break at its spaces.
    private static let most = 96
    private static let mostOfText = 300

    public static func sentence(_ difference: Difference) -> String {
        let path = difference.path.isEmpty ? "the answer" : difference.path
        switch difference.shape {
        case .kind(let expectsList):
            let (list, object) = ("a list, [ … ]", "an object, { … }")
            return "\(path) must be \(expectsList ? list : object), but it is \(expectsList ? object : list)"
        case .length(let expected, let got, let events):
            let named = events.count == got && got > 0 ? " (\(events.joined(separator: ", ")))" : ""
            let value = named.isEmpty ? difference.got.map { ": " + shortened($0) } ?? "" : ""
            return "\(path) must have \(count(expected)), but it has \(named.isEmpty ? count(got) + value : "\(got)\(named)")"
        case nil: break
        }
        let (expected, got) = shortened(difference.expected, difference.got)
        let must = expected.map { "must be \($0)" } ?? "must not be there"
        let found = got.map { "is \($0)" } ?? "is not there"
        return "\(path) \(must), but it \(found)"
    }

    private static func count(_ count: Int) -> String { count == 1 ? "1 element" : "\(count) elements" }

    /// Two sides of one place, in part when they are long.
    public static func shortened(_ expected: String?, _ got: String?) -> (String?, String?) {
        guard let expected, let got, expected.hasPrefix("\""), got.hasPrefix("\"") else {
            return (expected.map(shortened), got.map(shortened))
        }
        guard max(expected.count, got.count) > mostOfText else { return (expected, got) }
        let same = zip(expected, got).prefix { $0 == $1 }.count
        return (window(expected, around: same), window(got, around: same))
    }

    /// Up to a comma or a space; the rest is "…".
    private static func shortened(_ json: String) -> String {
        let limit = json.hasPrefix("\"") ? mostOfText : most
        guard json.count > limit else { return json }
        let head = json.prefix(limit)
        let end = head.lastIndex { $0 == "," || $0 == " " } ?? head.endIndex
        return String(head[..<end]) + (head[end...].first == "," ? ", …" : " …")
    }

    private static func window(_ text: String, around place: Int) -> String {
        let start = max(0, place - mostOfText / 3)
        let part = text.dropFirst(start).prefix(mostOfText * 2 / 3)
        let begin = start > 0 ? "…" : ""
        return begin + part + (start + part.count < text.count ? "…" : "")
    }
}
