// A change of the badge counts only for a message that is shown: in a rule that suppresses it does nothing.
import RuleEngine

extension Check {
    static let badgeNeverCounts = Check("badge_never_counts", .error) { app, findings in
        for rule in app.rules {
            for wish in rule.writtenWishes {
                guard let badge = wish.relativeBadge else { continue }
                if wish.action == .some(.suppress) {
                    findings.tell(
                        rule, at: badge.offset, "a change of the badge counts only when the message is shown, and this rule suppresses it",
                        hint: "write badge = { add = …, even_if_suppressed = true }, or leave it out")
                } else if wish["display"] == nil, rule.rule.events.allSatisfy({ !$0.hasQuietHours }) {
                    let events = EventName.allCases.filter(rule.rule.events.contains).map { "`\($0.rawValue)`" }.joined(separator: ", ")
                    findings.tell(
                        rule, at: badge.offset, "a change of the badge counts only when a message is shown, and \(events) shows none",
                        hint: "write badge = { add = …, even_if_suppressed = true }")
                } else if let other = suppressor(of: rule, in: app) {
                    findings.tell(
                        rule, at: badge.offset,
                        "a change of the badge counts only when the message is shown, and \"\(other.rule.name)\" (\(other.file.path):\(other.line)) suppresses it whenever this rule matches",
                        hint: "write badge = { add = …, even_if_suppressed = true }, or narrow the other rule")
                }
            }
        }
    }

    private static func suppressor(of rule: CheckedRule, in app: CheckedApp) -> CheckedRule? {
        guard !rule.rule.overrides else { return nil }
        return app.rules.first { other in
            other.constantWish?.action == .some(.suppress) && other.rule.name != rule.rule.name && Conditions.covers(other, rule)
        }
    }
}

extension CheckedRule {
    /// All that it may want, as far as it is written out.
    var writtenWishes: [ReturnedWish] {
        if let wish = writtenWish { return [wish] }
        guard let call else { return [] }
        return (decideFunction?.returns ?? []).compactMap { values, _ in
            values.first.flatMap { ReturnedWish($0, isPlain: false, in: file, call) }
        }
    }
}
