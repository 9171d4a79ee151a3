// A rule that no message on any phone matches: its events have no message to look at, its matchers exclude each other or its
// event, its `when` is never true, or it is for nobody.
import PushMessage
import RuleEngine

extension Check {
    static let neverMatches = Check("never_matches", .error) { app, findings in
        for rule in app.rules where rule.rule.isEnabled {
            if let (offset, why, cure) = reason(rule) {
                findings.tell(rule, at: offset ?? rule.offset(), "this rule never matches: \(why)", hint: cure)
            }
        }
    }

    private typealias Reason = (offset: Int?, why: String, cure: String)

    private static func reason(_ rule: CheckedRule) -> Reason? {
        if rule.rule.rollout?.percent == 0 {
            return (rule.offset(of: "rollout"), "`rollout` = 0 is for nobody", "write how many percent, or enabled = false")
        }
        if rule.rule.holdout?.percent == 100 {
            return (rule.offset(of: "holdout"), "`holdout` = 100 leaves everybody out", "write how many percent, or enabled = false")
        }
        return withoutMessage(rule) ?? excluded(rule) ?? neverTrue(rule)
    }

    /// Matchers of a message at events that have none.
    private static func withoutMessage(_ rule: CheckedRule) -> Reason? {
        guard rule.rule.events.allSatisfy({ !$0.hasMessage }) else { return nil }
        let ofMessage: [Matcher.Field] = [.channel, .topic, .category, .urgency, .silent]
        guard let matcher = rule.rule.matchers.first(where: { ofMessage.contains($0.field) }) else { return nil }
        let names = written(rule.rule.events)
        return (
            rule.offset(of: matcher.field.rawValue), "`\(matcher.field.rawValue)` looks at a message, and \(names) comes without one",
            "leave out `\(matcher.field.rawValue)`, or choose an event that has a message"
        )
    }

    /// An event, a state, a system and a kind of message that never come together.
    private static func excluded(_ rule: CheckedRule) -> Reason? {
        let callbacks = Set(Callback.allCases.compactMap { EventName(rawValue: $0.rawValue) }).subtracting([.resume])
        guard !rule.rule.events.isEmpty, rule.rule.events.isSubset(of: callbacks) else { return nil }
        let states = rule.matcher(.state).map(Conditions.states)
        let systems = rule.matcher(.os)
        let silent = rule.matcher(.silent)?.first.map { $0 == "true" }
        let possible = Conditions.happenings.filter { rule.rule.events.contains($0.event) }
        func some(_ fits: (Conditions.Happening) -> Bool) -> Bool { possible.contains(where: fits) }
        let fitsState = { (one: Conditions.Happening) in states?.contains(one.state) ?? true }
        let fitsSystem = { (one: Conditions.Happening) in systems?.contains(one.system) ?? true }
        let fitsSilence = { (one: Conditions.Happening) in silent.map { $0 == one.isSilent } ?? true }
        guard !some({ fitsState($0) && fitsSystem($0) && fitsSilence($0) }) else { return nil }
        let names = written(rule.rule.events)
        if !some(fitsSystem), let systems {
            return (rule.offset(of: "os"), "\(names) never happens on \(systems.joined(separator: " or "))", "see rulehost docs events")
        }
        if !some(fitsSilence) {
            return (
                rule.offset(of: "silent"),
                "\(names) never comes with a \(silent == true ? "silent message" : "message that shows something")",
                silent == true ? "silent messages come at `receive`" : "leave out `silent`"
            )
        }
        let there = DeviceState.allCases.filter { state in state.canonical == state && some { $0.state == state } }.map(\.rawValue)
        return (
            rule.offset(of: "state"), "\(names) never happens while the app is \((rule.matcher(.state) ?? []).joined(separator: " or "))",
            "\(names) happens at \(there.joined(separator: ", "))"
        )
    }

    private static func written(_ events: Set<EventName>) -> String {
        EventName.allCases.filter(events.contains).map { "`\($0.rawValue)`" }.joined(separator: ", ")
    }

    /// `when` gives nothing but false or nil.
    private static func neverTrue(_ rule: CheckedRule) -> Reason? {
        guard let when = rule.whenFunction else { return nil }
        let returns = when.returns
        guard !returns.isEmpty else {
            return (rule.offset(of: "when"), "`when` returns nothing", "write return … in front of the condition")
        }
        for (values, _) in returns {
            guard let value = values.first else { continue }
            guard value.followed.isAlwaysFalse || contradiction(in: value, rule) != nil else { return nil }
        }
        let first = returns[0]
        if let value = first.values.first, let why = contradiction(in: value, rule) {
            return (value.start, why, "leave out one of the two, or write `or` between them")
        }
        return (first.values.first?.start ?? first.offset, "`when` never gives true", "leave `when` out, or write enabled = false")
    }

    /// Two conditions of which one excludes the other, also one of `when` and a matcher.
    private static func contradiction(in value: LuaExpression, _ rule: CheckedRule) -> String? {
        var wanted: [(path: LuaPath, shown: String)] = []
        for part in value.conjuncts {
            guard case .binary("==", let left, let right, _) = part else { continue }
            for (field, literal) in [(left, right), (right, left)] {
                guard let path = field.path, case .view = path.root, let shown = LiteralValue.shown(literal.followed) else { continue }
                if let other = wanted.first(where: { $0.path == path && $0.shown != shown }) {
                    return "`\(path.written)` cannot be \(other.shown) and \(shown) at once"
                }
                wanted.append((path, shown))
                guard let (key, values) = matched(path, by: rule), let text = literal.followed.text, !values.contains(text) else {
                    continue
                }
                return "`\(key)` asks for \(values.map { "\"\($0)\"" }.joined(separator: " or ")), and `when` for \(shown)"
            }
        }
        return nil
    }

    /// The matcher that looks at the same field.
    private static func matched(_ path: LuaPath, by rule: CheckedRule) -> (key: String, values: [String])? {
        let field: Matcher.Field
        switch (path.root, path.keys) {
        case (.view("msg"), ["channel"]): field = .channel
        case (.view("msg"), ["topic"]): field = .topic
        case (.view("msg"), ["category"]): field = .category
        case (.view("msg"), ["priority"]): field = .urgency
        case (.view("device"), ["state"]): field = .state
        case (.view("device"), ["os", "name"]): field = .os
        case (.view("device"), ["screen", "tab"]): field = .tab
        default: return nil
        }
        return rule.matcher(field).map { (field.rawValue, $0) }
    }
}

extension LuaExpression {
    /// What must all be true.
    fileprivate var conjuncts: [LuaExpression] {
        switch self {
        case .binary("and", let left, let right, _): left.conjuncts + right.conjuncts
        case .one(let inner): inner.conjuncts
        default: [self]
        }
    }
}

extension DeviceState {
    /// `not_running` is another word for `terminated`.
    var canonical: DeviceState { self == .notRunning ? .terminated : self }
}
