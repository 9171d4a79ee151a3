// Which rules may match a message that another one matches: only those are held against each other. Two rules that ask the
// same field for different words never meet, and most rules of a large app ask one field, such as the channel. Made once for an
// app; it leaves out only what is certain.
import RuleEngine

struct RelatedRules {
    /// Fields whose words are compared as they stand.
    private static let exact: [Matcher.Field] = [.channel, .topic, .category, .tab, .state, .os, .urgency, .silent]

    private let rules: [CheckedRule]
    private let field: Matcher.Field
    /// Rules without `when`, by a word that they ask for; nil: they ask the field for nothing.
    private var open: [String?: [Int]] = [:]
    /// By the function that is their `when`, where it is written out: several may have the same one.
    private var conditional: [ObjectIdentifier: [Int]] = [:]

    init(_ rules: [CheckedRule]) {
        self.rules = rules
        field = RelatedRules.exact.min { RelatedRules.cost(of: $0, rules) < RelatedRules.cost(of: $1, rules) } ?? .channel
        for (place, rule) in rules.enumerated() {
            if rule.rule.when == nil {
                for word in words(of: rule) { open[word, default: []].append(place) }
            } else if let when = rule.whenFunction {
                conditional[ObjectIdentifier(when), default: []].append(place)
            }
        }
    }

    /// Places, ascending, of the rules that could match whenever the one at `place` does: those that may meet it and have no
    /// `when`, or the same one. Itself is among them.
    func over(_ place: Int) -> [Int] {
        let rule = rules[place]
        let words = words(of: rule)
        var found: [Int] = words.contains(nil) ? Set(open.values.joined()).sorted() : (words + [nil]).flatMap { open[$0] ?? [] }
        if rule.rule.when != nil, let when = rule.whenFunction { found += conditional[ObjectIdentifier(when)] ?? [] }
        return words.count > 1 || !found.isEmpty ? Set(found).sorted() : found
    }

    private func words(of rule: CheckedRule) -> [String?] {
        guard let words = rule.matcher(field), !words.isEmpty else { return [nil] }
        return words
    }

    /// How many pairs of rules without `when` would be looked at.
    private static func cost(of field: Matcher.Field, _ rules: [CheckedRule]) -> Int {
        var counts: [String: Int] = [:]
        var wild = 0
        for rule in rules where rule.rule.when == nil {
            if let words = rule.matcher(field), !words.isEmpty { for word in words { counts[word, default: 0] += 1 } } else { wild += 1 }
        }
        return counts.values.reduce(wild * rules.count) { $0 + $1 * $1 }
    }
}
