// Reads a `decide` table into a Contribution: an allow-list of fields, exact types, and sentences that the author of
// the rule understands. Called once per plain table at load and once per returned table while a message waits, so the
// good path allocates nothing; texts for faults are made only when there is a fault.
public import JSONDocument
import PushMessage

/// What is wrong with a `decide` table. `message` is a whole sentence that names the place.
public struct ContributionFault: Error, Sendable, Equatable {
    public enum Kind: Sendable { case unknownField, wrongType, badValue }
    public let kind: Kind
    /// Fields and places from 1, as the author counts them: `display[2]`, `badge.add`.
    public let path: [PathStep]
    public let message: String
    /// What to do, when it can be guessed: `did you mean "banner"?`.
    public let hint: String?
    /// The message without values that may have come from a push message: for answers and logs.
    public let discreet: String

    init(kind: Kind, path: [PathStep], message: String, hint: String?, discreet: String? = nil) {
        self.kind = kind
        self.path = path
        self.message = message
        self.hint = hint
        self.discreet = discreet ?? message
    }
}

/// One step into a table that an author wrote.
public enum PathStep: Sendable, Equatable {
    case key(String)
    /// From 1.
    case place(Int)
}

public enum ContributionReader {
    /// - Parameter table: an object, or an empty list (an empty table says nothing).
    public static func read(_ table: JSONValue) throws(ContributionFault) -> Contribution {
        var result = Contribution()
        guard table.isObject else {
            if table.isArray && table.count == 0 { return result }
            throw ContributionFault.notATable(table)
        }
        for member in table.children {
            guard let field = fieldOf(member.key) else { throw ContributionFault.unknownField(member.key.string) }
            if member.isNull { continue }
            try read(member, as: field, into: &result)
            result.fields.formUnion(field)
        }
        return result
    }

    private static func read(
        _ value: JSONValue, as field: ContributionFields, into result: inout Contribution
    ) throws(ContributionFault) {
        switch field {
        case .display: try readDisplay(value, into: &result)
        case .reason: result.reason = try text(value, Spot("reason"))
        case .holdUntil: result.holdUntil = try holdUntil(value)
        case .pin: result.pin = try truth(value, Spot("pin"))
        case .title: result.title = try text(value, Spot("title"))
        case .subtitle: result.subtitle = try text(value, Spot("subtitle"))
        case .body: result.body = try text(value, Spot("body"))
        case .sound: result.sound = try text(value, Spot("sound"))
        case .category: result.category = try text(value, Spot("category"))
        case .thread: result.thread = try text(value, Spot("thread"))
        case .interruptionLevel: result.interruptionLevel = try interruptionLevel(value)
        case .relevance: result.relevance = try relevance(value)
        case .attachments: result.attachments = try attachments(value)
        case .badge: result.badge = try badge(value)
        case .route: result.route = try route(value)
        case .topics: result.topics = try topics(value)
        case .fetchResult: result.fetchResult = try fetchResult(value)
        case .inbox:
            guard !containsFunction(value, depth: 0) else {
                throw Spot("inbox").fault(.badValue, "`inbox` can hold what JSON can hold, not a function")
            }
            result.inbox = value
        default: result.labels = try labels(value)
        }
    }

    /// By length first: most fields are told apart by it.
    private static func fieldOf(_ key: JSONText) -> ContributionFields? {
        switch key.count {
        case 3: key == "pin" ? .pin : nil
        case 4: key == "body" ? .body : nil
        case 5:
            key == "badge"
                ? .badge
                : key == "route" ? .route : key == "title" ? .title : key == "sound" ? .sound : key == "inbox" ? .inbox : nil
        case 6:
            key == "reason"
                ? .reason
                : key == "labels" ? .labels : key == "thread" ? .thread : key == "topics" ? .topics : nil
        case 7: key == "display" ? .display : nil
        case 8: key == "category" ? .category : key == "subtitle" ? .subtitle : nil
        case 9: key == "relevance" ? .relevance : nil
        case 10: key == "hold_until" ? .holdUntil : nil
        case 11: key == "attachments" ? .attachments : nil
        case 12: key == "fetch_result" ? .fetchResult : nil
        case 18: key == "interruption_level" ? .interruptionLevel : nil
        default: nil
        }
    }

    // MARK: display

    static let displays = ["show", "suppress", "defer"]
    static let displayOptions = ["banner", "list", "sound", "badge"]

    private static func readDisplay(_ value: JSONValue, into result: inout Contribution) throws(ContributionFault) {
        if let word = value.text {
            if word == "show" {
                result.action = .show
                result.options = .all
            } else if word == "suppress" {
                result.action = .suppress
            } else if word == "defer" {
                result.action = .defer
            } else if option(word) != nil {
                throw Spot("display").fault(
                    .wrongType, "`display` = \"\(word.string)\": options are written as a list",
                    hint: "write { \"\(word.string)\" }")
            } else {
                throw Spot("display").unknownWord(
                    value, "a display", among: displays + displayOptions)
            }
            return
        }
        guard value.isArray else {
            throw Spot("display").wrongType(
                value, "a list of \"banner\", \"list\", \"sound\", \"badge\", or \"show\", \"suppress\", \"defer\"")
        }
        var options: DisplayOptions = []
        var place = 0
        for element in value.children {
            place += 1
            guard let word = element.text else {
                throw Spot("display", place).wrongType(element, "\"banner\", \"list\", \"sound\" or \"badge\"")
            }
            guard let option = option(word) else {
                throw Spot("display", place).unknownWord(
                    element, "a display option", among: displayOptions)
            }
            options.formUnion(option)
        }
        result.action = .show
        result.options = options
    }

    static func option(_ word: JSONText) -> DisplayOptions? {
        switch word.count {
        case 4: word == "list" ? .list : nil
        case 5: word == "sound" ? .sound : word == "badge" ? .badge : nil
        case 6: word == "banner" ? .banner : nil
        default: nil
        }
    }

    // MARK: single values

    static let interruptionLevels = ["passive", "active", "time-sensitive", "critical"]
    static let fetchResults = ["new_data", "no_data", "failed"]

    static func text(_ value: JSONValue, _ spot: Spot) throws(ContributionFault) -> JSONText {
        guard let text = value.text else { throw spot.wrongType(value, "text", hint: textHint(value)) }
        return text
    }

    static func textHint(_ value: JSONValue) -> String {
        value.double == nil ? "write it in quotes, such as \"hello\"" : "put the number in quotes, or make it text with tostring"
    }

    static func truth(_ value: JSONValue, _ spot: Spot) throws(ContributionFault) -> Bool {
        guard let truth = value.bool else { throw spot.wrongType(value, "true or false") }
        return truth
    }

    private static func interruptionLevel(_ value: JSONValue) throws(ContributionFault) -> JSONText {
        let word = try text(value, Spot("interruption_level"))
        if word == "active" || word == "passive" || word == "time-sensitive" || word == "critical" { return word }
        throw Spot("interruption_level").unknownWord(
            value, "an interruption level", among: interruptionLevels)
    }

    private static func relevance(_ value: JSONValue) throws(ContributionFault) -> Double {
        guard let number = value.double else { throw Spot("relevance").wrongType(value, "a number from 0 to 1") }
        guard number >= 0, number <= 1 else {
            throw Spot("relevance").fault(.badValue, about: value, hint: "write a number such as 0.5") {
                "`relevance` is \($0), but it must lie from 0 to 1"
            }
        }
        return number
    }

    private static func fetchResult(_ value: JSONValue) throws(ContributionFault) -> FetchResult {
        let word = try text(value, Spot("fetch_result"))
        if word == "new_data" { return .newData }
        if word == "no_data" { return .noData }
        if word == "failed" { return .failed }
        throw Spot("fetch_result").unknownWord(value, "a fetch result", among: fetchResults)
    }

    private static func holdUntil(_ value: JSONValue) throws(ContributionFault) -> HoldUntil {
        let spot = Spot("hold_until")
        if let seconds = value.integer {
            // What time.add and its sisters give; as seconds it would be thousands of years.
            if TimeShape.instants.contains(seconds) { return .instant(Instant(milliseconds: seconds)) }
            guard seconds >= 0, seconds <= TimeShape.longestDuration / 1000 else {
                throw spot.fault(.badValue, about: value, hint: "write a duration such as \"2h30m\"") {
                    "`hold_until` is \($0) seconds, but it must lie from 0 to 10 years"
                }
            }
            return .duration(seconds &* 1000)
        }
        guard let text = value.text else {
            throw spot.wrongType(value, "\"resume\", seconds, a duration such as \"2h\", a wall time or an instant")
        }
        if text == "resume" { return .resume }
        guard let time = TimeShape.read(text) else {
            throw spot.fault(
                .badValue, about: value,
                hint: "write \"resume\", a duration (\"2h30m\"), \"08:00\", \"2026-12-24 08:00\" or \"2026-12-24T08:00:00Z\""
            ) { "`hold_until` = \($0) is not a time" }
        }
        return time
    }
}
