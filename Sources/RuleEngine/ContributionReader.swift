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
                    value, "a display", among: ["show", "suppress", "defer", "banner", "list", "sound", "badge"])
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
                    element, "a display option", among: ["banner", "list", "sound", "badge"])
            }
            options.formUnion(option)
        }
        result.action = .show
        result.options = options
    }

    private static func option(_ word: JSONText) -> DisplayOptions? {
        switch word.count {
        case 4: word == "list" ? .list : nil
        case 5: word == "sound" ? .sound : word == "badge" ? .badge : nil
        case 6: word == "banner" ? .banner : nil
        default: nil
        }
    }

    // MARK: single values

    private static func text(_ value: JSONValue, _ spot: Spot) throws(ContributionFault) -> JSONText {
        guard let text = value.text else { throw spot.wrongType(value, "text", hint: textHint(value)) }
        return text
    }

    private static func textHint(_ value: JSONValue) -> String {
        value.double == nil ? "write it in quotes, such as \"hello\"" : "put the number in quotes, or make it text with tostring"
    }

    private static func truth(_ value: JSONValue, _ spot: Spot) throws(ContributionFault) -> Bool {
        guard let truth = value.bool else { throw spot.wrongType(value, "true or false") }
        return truth
    }

    private static func interruptionLevel(_ value: JSONValue) throws(ContributionFault) -> JSONText {
        let word = try text(value, Spot("interruption_level"))
        if word == "active" || word == "passive" || word == "time-sensitive" || word == "critical" { return word }
        throw Spot("interruption_level").unknownWord(
            value, "an interruption level", among: ["passive", "active", "time-sensitive", "critical"])
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
        throw Spot("fetch_result").unknownWord(value, "a fetch result", among: ["new_data", "no_data", "failed"])
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

    // MARK: badge

    private static func badge(_ value: JSONValue) throws(ContributionFault) -> BadgeChange {
        let spot = Spot("badge")
        if let number = value.integer {
            guard number >= 0, number <= Int64(Int32.max) else {
                throw spot.fault(
                    .badValue, about: value, hint: number < 0 ? "to count down write a text such as \"-1\", in quotes" : nil
                ) { "`badge` is \($0), but an absolute badge must lie from 0 to 2147483647" }
            }
            return .absolute(Int(number))
        }
        if let word = value.text {
            if word == "clear" { return .absolute(0) }
            guard let change = signed(word) else {
                throw spot.fault(
                    .badValue, about: value, hint: "write a whole number, \"+1\", \"-1\" or \"clear\""
                ) { "`badge` = \($0) is not a badge change" }
            }
            return .relative(change, evenIfSuppressed: false)
        }
        guard value.isObject else {
            throw spot.wrongType(value, "a whole number, \"+1\", \"-1\", \"clear\" or { add = 1 }")
        }
        var add: Int?
        var evenIfSuppressed = false
        for member in value.children {
            if member.key == "add" {
                guard let number = member.integer, abs(number.clamped) <= Int64(Int32.max) else {
                    throw Spot("badge", "add").wrongType(member, "a whole number")
                }
                add = Int(number)
            } else if member.key == "even_if_suppressed" {
                evenIfSuppressed = try truth(member, Spot("badge", "even_if_suppressed"))
            } else {
                throw spot.unknownKey(member.key, among: ["add", "even_if_suppressed"])
            }
        }
        guard let add else { throw spot.fault(.badValue, "`badge` is a table without `add`", hint: "write { add = 1 }") }
        return .relative(add, evenIfSuppressed: evenIfSuppressed)
    }

    /// `+n` or `-n` within Int32.
    private static func signed(_ word: JSONText) -> Int? {
        guard word.count >= 2, word.count <= 11 else { return nil }
        let sign = word.byte(0)
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var number = 0
        for place in 1..<word.count {
            let digit = word.byte(place)
            guard digit >= 48, digit <= 57 else { return nil }
            number = number &* 10 &+ Int(digit &- 48)
        }
        guard number <= Int(Int32.max) else { return nil }
        return sign == UInt8(ascii: "-") ? 0 &- number : number
    }

    // MARK: route

    private static func route(_ value: JSONValue) throws(ContributionFault) -> ContributedRoute {
        let spot = Spot("route")
        if let link = value.text {
            guard !link.isEmpty else {
                throw spot.fault(.badValue, "`route` is an empty text", hint: "write `false` to go nowhere")
            }
            return .link(link)
        }
        if value.kind == .false { return .nowhere }
        guard value.isObject else {
            throw spot.wrongType(value, "a link, { tab = \"…\", path = { … } } or false")
        }
        var place = ContributedRoute.Place()
        for member in value.children {
            if member.key == "tab" {
                place.tab = try text(member, Spot("route", "tab"))
            } else if member.key == "url" {
                place.url = try text(member, Spot("route", "url"))
            } else if member.key == "account" {
                place.account = try text(member, Spot("route", "account"))
            } else if member.key == "mode" {
                let word = try text(member, Spot("route", "mode"))
                guard word == "replace" || word == "push" else {
                    throw Spot("route", "mode").unknownWord(member, "a mode", among: ["replace", "push"])
                }
                place.mode = word == "push" ? .push : .replace
            } else if member.key == "path" {
                try checkPath(member)
                place.pathList = member
            } else {
                throw spot.unknownKey(member.key, among: ["tab", "path", "url", "mode", "account"])
            }
        }
        guard place.tab != nil || place.url != nil || place.pathList != nil || place.account != nil else {
            throw spot.fault(
                .badValue, "`route` says neither `tab` nor `url` nor `path`", hint: "write `false` to go nowhere")
        }
        return .place(place)
    }

    private static func checkPath(_ list: JSONValue) throws(ContributionFault) {
        guard list.isArray else { throw Spot("route", "path").wrongType(list, "a list of texts") }
        var place = 0
        for step in list.children {
            place += 1
            guard step.isString || step.kind == .integer else {
                throw Spot("route", "path", place).wrongType(step, "text")
            }
        }
    }

    // MARK: lists and tables

    private static func attachments(_ value: JSONValue) throws(ContributionFault) -> ContributedAttachments {
        guard value.isArray else { throw Spot("attachments").wrongType(value, "a list of { url = \"…\" }") }
        var place = 0
        for attachment in value.children {
            place += 1
            guard attachment.isObject else {
                throw Spot("attachments", place).wrongType(attachment, "{ url = \"…\", type = \"…\" }")
            }
            var hasURL = false
            for member in attachment.children {
                if member.key == "url" {
                    _ = try text(member, Spot("attachments", place, "url"))
                    hasURL = true
                } else if member.key == "type" {
                    _ = try text(member, Spot("attachments", place, "type"))
                } else {
                    throw Spot("attachments", place).unknownKey(member.key, among: ["url", "type"])
                }
            }
            guard hasURL else { throw Spot("attachments", place).fault(.badValue, "`attachments[\(place)]` has no `url`") }
        }
        return ContributedAttachments(list: value)
    }

    private static func topics(_ value: JSONValue) throws(ContributionFault) -> ContributedTopics {
        if value.isArray {
            var place = 0
            for operation in value.children {
                place += 1
                try checkOperation(operation, place)
            }
            return ContributedTopics(shape: .operations(value))
        }
        guard value.isObject else {
            throw Spot("topics").wrongType(value, "{ subscribe = { … }, unsubscribe = { … } } or a list of { op, topic }")
        }
        var subscribe: JSONValue?
        var unsubscribe: JSONValue?
        for member in value.children {
            if member.key == "subscribe" {
                try checkTopics(member, "subscribe")
                subscribe = member
            } else if member.key == "unsubscribe" {
                try checkTopics(member, "unsubscribe")
                unsubscribe = member
            } else {
                throw Spot("topics").unknownKey(member.key, among: ["subscribe", "unsubscribe"])
            }
        }
        return ContributedTopics(shape: .lists(subscribe: subscribe, unsubscribe: unsubscribe))
    }

    private static func checkOperation(_ operation: JSONValue, _ place: Int) throws(ContributionFault) {
        let spot = Spot("topics", place)
        guard operation.isObject else { throw spot.wrongType(operation, "{ op = \"subscribe\", topic = \"…\" }") }
        var hasOperation = false
        var hasTopic = false
        for member in operation.children {
            if member.key == "op" {
                let word = try text(member, Spot("topics", place, "op"))
                guard word == "subscribe" || word == "unsubscribe" else {
                    throw Spot("topics", place, "op").unknownWord(
                        member, "a topic operation", among: ["subscribe", "unsubscribe"])
                }
                hasOperation = true
            } else if member.key == "topic" {
                try checkTopic(member, Spot("topics", place, "topic"))
                hasTopic = true
            } else {
                throw spot.unknownKey(member.key, among: ["op", "topic"])
            }
        }
        guard hasOperation, hasTopic else {
            throw spot.fault(.badValue, "`topics[\(place)]` needs both `op` and `topic`")
        }
    }

    private static func checkTopics(_ list: JSONValue, _ name: StaticString) throws(ContributionFault) {
        guard list.isArray else { throw Spot("topics", name).wrongType(list, "a list of topics") }
        var place = 0
        for topic in list.children {
            place += 1
            try checkTopic(topic, Spot("topics", name, place))
        }
    }

    private static func checkTopic(_ value: JSONValue, _ spot: Spot) throws(ContributionFault) {
        let topic = try text(value, spot)
        guard isTopic(topic) else {
            throw spot.fault(.badValue, about: value, hint: "a topic has only letters, digits and - _ . ~ %") {
                "`\(spot.text)` = \($0) is not a topic"
            }
        }
    }

    /// `[a-zA-Z0-9-_.~%]+`
    static func isTopic(_ topic: JSONText) -> Bool {
        guard !topic.isEmpty else { return false }
        for place in 0..<topic.count {
            switch topic.byte(place) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"), UInt8(ascii: "%"):
                continue
            default: return false
            }
        }
        return true
    }

    private static func labels(_ value: JSONValue) throws(ContributionFault) -> ContributedLabels {
        if value.isArray && value.count == 0 { return ContributedLabels(object: nil) }
        guard value.isObject else { throw Spot("labels").wrongType(value, "a table of texts by name") }
        for label in value.children where !label.isString {
            throw ContributionFault.wrongLabel(label)
        }
        return ContributedLabels(object: value)
    }

    /// Returned values are at most 16 deep; whatever is deeper than 64 is not looked into and not taken.
    private static func containsFunction(_ value: JSONValue, depth: Int) -> Bool {
        if value.kind == .function || depth > 64 { return true }
        for child in value.children where containsFunction(child, depth: depth + 1) { return true }
        return false
    }
}

extension Int64 {
    /// Within what `abs` can take.
    fileprivate var clamped: Int64 { self == .min ? .min + 1 : self }
}
