// Two rules that set the same field to different values for the same message. One of them is not heard; where neither says
// which (priority, override), that is left to the order of files.
import RuleEngine

extension Check {
    static let conflictingWriters = Check("conflicting_writers", .warning) { app, findings in
        // A rule that never makes a difference is told as that.
        let shadowed = Set(app.shadows.map(\.rule.rule.name))
        func isHeard(_ rule: CheckedRule) -> Bool { rule.rule.isEnabled && !shadowed.contains(rule.rule.name) }
        for (place, later) in app.rules.enumerated() where isHeard(later) && !later.rule.overrides {
            for other in app.related.over(place).prefix(while: { $0 < place }) {
                let earlier = app.rules[other]
                guard isHeard(earlier), !earlier.rule.isFinal else { continue }
                app.work.pairs += 1
                look(earlier, later, &findings)
            }
        }
    }

    private static func look(_ earlier: CheckedRule, _ later: CheckedRule, _ findings: inout Findings) {
        let isCovered = Conditions.covers(earlier, later)
        // Where the later one is the more general it speaks for all that the earlier one leaves to it.
        let isOpen =
            !isCovered && !Conditions.covers(later, earlier) && earlier.rule.priority == later.rule.priority
            && earlier.rule.when == nil && later.rule.when == nil && later.isUnconditional && Conditions.meet(earlier, later)
        guard isCovered || isOpen, let first = earlier.constantWish, let second = later.writtenWish else { return }
        for (name, field) in second.fields where !["reason", "hold_until", "pin"].contains(name) {
            guard let mine = second.json(of: name), let theirs = first.json(of: name), mine != theirs else { continue }
            // Suppress beats show: that is no question of order.
            if name == "display", first.action != second.action { continue }
            let other = "\"\(earlier.rule.name)\" (\(earlier.file.path):\(earlier.line))"
            if isCovered {
                findings.tell(
                    later, at: field.offset,
                    "`\(name)` never counts here: \(other) sets it to \(text(theirs)) first, whenever this rule matches",
                    hint: "leave it out, or give this rule `override` or a higher `priority`")
            } else {
                findings.tell(
                    later, at: field.offset,
                    "`\(name)` is also set by \(other), to \(text(theirs)): when both match, the one that is first counts",
                    hint: "say which one counts: give one of them a `priority` or `override`")
            }
        }
    }

    private static func text(_ json: [UInt8]) -> String {
        let text = String(decoding: json, as: UTF8.self)
        return text.count <= 40 ? text : String(text.prefix(40)) + "…"
    }
}
