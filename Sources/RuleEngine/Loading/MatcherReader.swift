// Reads the value of one matcher: a text or a list of texts, of which the fields with a closed vocabulary know every
// word. Called by RuleReader.
import JSONDocument
import PushMessage

enum MatcherReader {
    static func read(_ field: Matcher.Field, _ value: JSONValue, telling faults: inout AuthorFaults) -> Matcher? {
        let path: [PathStep] = [.key(field.rawValue)]
        switch field {
        case .silent:
            return faults.truth(value, at: path).map { Matcher(field: field, values: [$0 ? "true" : "false"]) }
        case .minOS, .appVersion:
            return versions(field, value, at: path, telling: &faults)
        case .channel, .topic, .category, .tab, .locale, .state, .os, .urgency:
            guard let values = faults.texts(value, at: path, orOne: true) else { return nil }
            guard !values.isEmpty else {
                faults.tell(.badValue, at: path, "`\(field.rawValue)` is an empty list, so the rule would never match")
                return nil
            }
            for (index, word) in values.enumerated() {
                let place = value.isArray ? path + [.place(index + 1)] : path
                if let known = vocabulary(of: field), !known.contains(word) {
                    faults.unknownWord(word, at: place, noun: "a value of `\(field.rawValue)`", known: known)
                }
            }
            return Matcher(field: field, values: values)
        }
    }

    static let systems = ["ios", "android"]
    static let urgencies = ["high", "normal"]

    /// The words of fields that have no others.
    private static func vocabulary(of field: Matcher.Field) -> [String]? {
        switch field {
        case .state: DeviceState.allCases.map(\.rawValue)
        case .os: systems
        case .urgency: urgencies
        case .channel, .topic, .category, .tab, .locale, .silent, .minOS, .appVersion: nil
        }
    }

    private static func versions(
        _ field: Matcher.Field, _ value: JSONValue, at path: [PathStep], telling faults: inout AuthorFaults
    ) -> Matcher? {
        if let number = value.integer, number >= 0 { return Matcher(field: field, values: ["\(number)"]) }
        if value.kind == .decimal {
            faults.wrongType(
                value, at: path, wanted: "text", hint: "write the version in quotes: 17.10 and 17.1 are the same number")
            return nil
        }
        guard let texts = faults.texts(value, at: path, orOne: true) else { return nil }
        guard !texts.isEmpty else {
            faults.tell(.badValue, at: path, "`\(field.rawValue)` is an empty list, so the rule would never match")
            return nil
        }
        for (index, text) in texts.enumerated() where !isVersion(text, mayCompare: field == .appVersion) {
            let place = value.isArray ? path + [.place(index + 1)] : path
            faults.tell(
                .badValue, at: place, "`\(place.written)` = \"\(text)\" is not a version",
                hint: field == .appVersion ? "write \"3.2\" or \">=3.2\"" : "write \"17\" or \"17.4\"")
        }
        return Matcher(field: field, values: texts)
    }

    /// `3`, `3.2.10`, and where it may compare also `>=3.2`, `<4`, `= 3`.
    private static func isVersion(_ text: String, mayCompare: Bool) -> Bool {
        var rest = Substring(text)
        if mayCompare {
            for sign in [">=", "<=", ">", "<", "="] where rest.hasPrefix(sign) {
                rest = rest.dropFirst(sign.count).drop { $0 == " " }
                break
            }
        }
        let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 8
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.count <= 9 && part.utf8.allSatisfy { (48...57).contains($0) }
            }
    }
}
