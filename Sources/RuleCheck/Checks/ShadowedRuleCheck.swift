// A rule that never makes a difference: one that is asked before it ends the run, or says all that it could say, whenever
// it matches.
import RuleEngine

extension Check {
    static let shadowedRule = Check("shadowed_rule", .error) { app, findings in
        for shadow in app.shadows {
            findings.tell(shadow.rule, at: shadow.rule.offset(), shadow.sentence, hint: shadow.cure)
        }
    }
}

/// A rule that another one takes every effect from.
struct Shadow {
    let rule: CheckedRule
    let sentence: String
    let cure: String
}

enum Shadows {
    static func all(in app: CheckedApp) -> [Shadow] {
        app.rules.indices.compactMap { place in shadow(over: place, in: app) }
    }

    private static func shadow(over place: Int, in app: CheckedApp) -> Shadow? {
        let rule = app.rules[place]
        for other in app.related.over(place) where other != place {
            let caster = app.rules[other]
            app.work.pairs += 1
            guard Conditions.covers(caster, rule) else { continue }
            let name = "\"\(caster.rule.name)\" (\(caster.file.path):\(caster.line))"
            if other < place, caster.rule.isFinal {
                return Shadow(
                    rule: rule, sentence: "this rule is never asked: \(name) matches whenever it does, and is `final`",
                    cure: "put it before that rule, give it a higher `priority`, or narrow the other one")
            }
            // What ends the run has that effect, whatever becomes of its wishes.
            guard !rule.rule.isFinal, let wish = caster.constantWish, let fields = wish.bits, let action = wish.action,
                let wishes = rule.possibleWishes, !wishes.isEmpty
            else { continue }
            if other < place, !rule.rule.overrides, wishes.allSatisfy({ isLost($0, to: fields, action) }) {
                return Shadow(
                    rule: rule, sentence: "this rule never makes a difference: \(name) says all of it first, whenever it matches",
                    cure: "put it before that rule, give it a higher `priority` or `override`, or narrow the other one")
            }
            if other > place, caster.rule.overrides, wishes.allSatisfy({ $0.bits?.isSubset(of: fields) ?? false }) {
                return Shadow(
                    rule: rule, sentence: "this rule never makes a difference: \(name) overrides all of it, whenever it matches",
                    cure: "narrow that rule, or take its `override` away")
            }
            if other > place, !rule.rule.overrides, action == .suppress, wishes.allSatisfy({ isShown($0) }) {
                return Shadow(
                    rule: rule, sentence: "this rule never makes a difference: \(name) suppresses the message whenever it matches",
                    cure: "suppress beats show whatever the order: narrow that rule, or give this one `override` and a place behind it")
            }
        }
        return nil
    }

    /// Everything of a later wish goes to the one that was first.
    private static func isLost(_ wish: ReturnedWish, to fields: ContributionFields, _ action: Display.Action?) -> Bool {
        guard let bits = wish.bits, let wanted = wish.action, !bits.isEmpty else { return false }
        let ofDisplay: ContributionFields = [.display, .reason, .holdUntil, .pin]
        let display = bits.intersection(ofDisplay)
        guard bits.subtracting(ofDisplay).isSubset(of: fields) else { return false }
        guard !display.isEmpty else { return true }
        guard let action else { return false }
        guard let wanted else { return true }
        // Of the same action the first one's options, reason and time count, as far as it has them.
        return action.weight > wanted.weight || action.weight == wanted.weight && display.isSubset(of: fields)
    }

    /// It wants nothing but that the message is shown or held back.
    private static func isShown(_ wish: ReturnedWish) -> Bool {
        guard let bits = wish.bits, let action = wish.action, let action, action != .suppress else { return false }
        return bits.isSubset(of: [.display, .reason, .holdUntil, .pin])
    }
}

extension CheckedRule {
    /// What it wants at every match, whatever the hour, the count and the person.
    var constantWish: ReturnedWish? { isUnconditional && rule.isEnabled ? writtenWish : nil }
}

extension Display.Action {
    /// Suppress beats defer beats show.
    fileprivate var weight: Int {
        switch self {
        case .show: 0
        case .defer: 1
        case .suppress: 2
        }
    }
}
