// Texts that must be written in a certain way, with the words for people and a pattern for JSON Schemas. A pattern lets
// through whatever the reader of that text takes; it may let through more (there is no 31 November), never less.

public enum TextForm: String, Sendable, CaseIterable {
    case instant, boundary, duration, timeOfDay, zone, locale, version, versionRequirement, topic, topicTemplate, url
    case badgeChange, scheme, host, fieldPath, ruleset, wallTime

    /// "a duration such as "2h30m""
    public var words: String {
        switch self {
        case .instant: "an instant such as \"2026-01-01T12:00:00Z\""
        case .boundary: "a date, a date with a time, or an instant"
        case .duration: "a duration such as \"2h30m\""
        case .timeOfDay: "a time of day from \"00:00\" to \"24:00\""
        case .zone: "a time zone such as \"Asia/Seoul\""
        case .locale: "a language such as \"ko\" or \"pt-BR\""
        case .version: "a version such as \"17.4\""
        case .versionRequirement: "a version, or one to compare with: \">=3.2\""
        case .topic: "a topic: letters, digits and - _ . ~ %"
        case .topicTemplate: "a topic that may have {recipient} and {account} in it"
        case .url: "an absolute address such as \"shop://cart\""
        case .badgeChange: "\"+1\" or \"-1\""
        case .scheme: "the name of a scheme, without colon and slashes"
        case .host: "a host, or \"*.example.com\" for all below it"
        case .fieldPath: "a path into the message, such as \"data.title\" or \"json:extra|title\""
        case .ruleset: "the hash of a ruleset"
        case .wallTime: "what a wall clock shows, such as \"2026-01-02 08:00\""
        }
    }

    /// A regular expression without look-around, for the whole text; nil where there is no short one.
    public var pattern: String? {
        switch self {
        case .instant: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
        case .boundary: "^[0-9]{4}-[0-9]{2}-[0-9]{2}([ Tt][0-9:.]+([Zz]|[+-][0-9:]+)?)?$"
        case .duration: "^([0-9]+(ms|s|m|h|d|w))+$"
        case .timeOfDay: "^([01][0-9]|2[0-4]):[0-5][0-9]$"
        case .topic: "^[a-zA-Z0-9_.~%-]+$"
        case .badgeChange: "^[+-][0-9]{1,10}$"
        case .scheme: "^[A-Za-z][A-Za-z0-9+.-]*$"
        case .ruleset: "^[0-9a-f]+$"
        case .zone, .locale, .version, .versionRequirement, .topicTemplate, .url, .host, .fieldPath, .wallTime: nil
        }
    }
}
