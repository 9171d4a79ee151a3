// Reads one declaration, `rule "name" {…}`, into a Rule. Called by RulesetLoader; tells every fault it finds.
import JSONDocument
import LuaSandbox
import PushMessage

struct RuleReader {
    /// What a rule may say, in the order of the reference.
    static let keys =
        ["on"] + Matcher.Field.allCases.map(\.rawValue)
        + ["when", "decide", "quiet", "cap", "rollout", "holdout", "starts", "expires"]
        + ["priority", "final", "override", "enabled", "note"]

    private let declaration: Declaration
    private var faults: AuthorFaults
    private var events: Set<EventName> = []
    private var matchers: [Matcher] = []
    private var priority = 0.0
    private var isFinal = false
    private var overrides = false
    private var isEnabled = true
    private var note: String?
    private var starts: RuleBoundary?
    private var expires: RuleBoundary?
    private var quiet: RuleQuiet?
    private var rollout: RuleShare?
    private var holdout: RuleShare?
    private var cap: RuleCap?
    private var when: Int64?
    private var decide: Decide?

    static func read(_ declaration: Declaration, in text: SourceText) -> (rule: Rule, faults: [RuleFault]) {
        var reader = RuleReader(declaration, in: text)
        reader.read()
        return (reader.rule, reader.faults.faults)
    }

    private init(_ declaration: Declaration, in text: SourceText) {
        self.declaration = declaration
        faults = AuthorFaults(
            file: declaration.file, text: text, table: .rule(name: declaration.name, line: declaration.line))
    }

    private var rule: Rule {
        Rule(
            name: declaration.name, file: declaration.file, line: declaration.line, events: events, matchers: matchers,
            priority: priority, isFinal: isFinal, overrides: overrides, isEnabled: isEnabled, note: note,
            starts: starts, expires: expires, quiet: quiet, rollout: rollout, holdout: holdout, cap: cap, when: when, decide: decide)
    }

    private mutating func read() {
        let name = declaration.name
        if name.trimmed.isEmpty {
            faults.tell(
                .ruleWithoutName, at: [], "a rule has an empty name", hint: "write what it does: rule \"Chat: stay quiet\" { … }")
        }
        let definition = declaration.definition
        let isEmpty = definition.isArray && definition.count == 0
        guard definition.isObject || isEmpty else {
            faults.tell(.wrongType, at: [], "rule \"\(name)\" must be followed by a table of keys, but it is \(describe(definition))")
            return
        }
        if definition["on"].map(\.isNull) ?? true {
            faults.tell(
                .ruleWithoutOn, at: [], "rule \"\(name)\" does not say for which event it is",
                hint: "add: on = \"present\" (one of \(EventName.allCases.map(\.rawValue).joined(separator: ", ")))")
        }
        let mayLackDecide = ["quiet", "cap", "final"].contains { definition[$0].map { !$0.isNull && $0.kind != .false } ?? false }
        if definition["decide"].map(\.isNull) ?? true, !mayLackDecide {
            faults.tell(
                .ruleWithoutDecide, at: [], "rule \"\(name)\" does not say what to do",
                hint: "add: decide = suppress \"why\" or decide = { display = { \"banner\" } }")
        }
        for member in definition.children where !member.isNull { read(member.key.string, member) }
        if let starts, let expires, TimingReader.leavesNothing(starts, expires) {
            faults.tell(
                .badValue, at: [.key("expires")], "rule \"\(name)\" is over before it starts",
                hint: "`expires` must be later than `starts`")
        }
    }

    private mutating func read(_ key: String, _ value: JSONValue) {
        let path: [PathStep] = [.key(key)]
        switch key {
        case "on": readEvents(value)
        case "when":
            when = value.function
            if when == nil {
                faults.wrongType(
                    value, at: path, wanted: "a function", hint: "write: when = function(msg, device) return … end")
            }
        case "decide": readDecide(value)
        case "priority":
            if let number = value.double { priority = number } else { faults.wrongType(value, at: path, wanted: "a number") }
        case "final": isFinal = faults.truth(value, at: path) ?? false
        case "override": overrides = faults.truth(value, at: path) ?? false
        case "enabled": isEnabled = faults.truth(value, at: path) ?? true
        case "note": note = faults.text(value, at: path)
        case "starts": starts = TimingReader.boundary(key, value, telling: &faults)
        case "expires": expires = TimingReader.boundary(key, value, telling: &faults)
        case "quiet": quiet = TimingReader.quiet(value, telling: &faults)
        case "rollout": rollout = LimitReader.share(key, value, telling: &faults)
        case "holdout": holdout = LimitReader.share(key, value, telling: &faults)
        case "cap": cap = LimitReader.cap(value, telling: &faults)
        default:
            if let field = Matcher.Field(rawValue: key) {
                if let matcher = MatcherReader.read(field, value, telling: &faults) { matchers.append(matcher) }
            } else if let place = Int(key), place > 0 {
                let hint = value.text.map { "a key may be missing: note = \"\($0.string)\"" }
                faults.tell(
                    .unknownKey, at: [.place(place)], "rule \"\(declaration.name)\" has a value without a key: \(describe(value))",
                    hint: hint)
            } else {
                faults.unknownKey(key, in: "a rule", at: [], known: Self.keys)
            }
        }
    }

    private mutating func readEvents(_ value: JSONValue) {
        guard let names = faults.texts(value, at: [.key("on")], orOne: true) else { return }
        if names.isEmpty {
            faults.tell(.badValue, at: [.key("on")], "`on` is an empty list, so the rule would never run")
        }
        for (index, name) in names.enumerated() {
            if let event = EventName(rawValue: name) {
                events.insert(event)
            } else {
                let path: [PathStep] = value.isArray ? [.key("on"), .place(index + 1)] : [.key("on")]
                faults.unknownWord(
                    name, at: path, noun: "an event", known: EventName.allCases.map(\.rawValue), code: .unknownEvent)
            }
        }
    }

    private mutating func readDecide(_ value: JSONValue) {
        if let function = value.function {
            decide = .function(function)
            return
        }
        do {
            decide = .table(try ContributionReader.read(value))
        } catch {
            faults.tell(error, at: [.key("decide")])
        }
    }
}
