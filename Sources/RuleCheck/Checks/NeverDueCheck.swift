// A rule for messages that were held back, in an app in which no rule holds one back.
import RuleEngine

extension Check {
    static let neverDue = Check("never_due", .warning) { app, findings in
        guard !app.rules.contains(where: \.mayDefer), !app.scripts.contains(where: { $0.kind == .module && $0.namesDefer }) else { return }
        for rule in app.rules where rule.rule.isEnabled && rule.rule.events == [.due] {
            findings.tell(
                rule, at: rule.offset(of: "on"), "`due` is for messages that were held back, and no rule of this app holds one back",
                hint: "let a rule say defer(\"2h\"), or quiet = { \"21:00\", \"08:00\", otherwise = \"defer\" }")
        }
    }
}

extension CheckedRule {
    fileprivate var mayDefer: Bool {
        if rule.quiet?.otherwise == .defer || rule.cap?.otherwise == .defer { return true }
        if let wish = plainWish { return wish.fields.contains(.display) && wish.action == .defer }
        return rule.decide != nil && file.namesDefer
    }
}
