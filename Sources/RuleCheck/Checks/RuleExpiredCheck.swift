// A rule whose time is over.
import CivilTime
import PushMessage
import RuleEngine

extension Check {
    static let ruleExpired = Check("rule_expired", .warning) { app, findings in
        let zone = app.manifest?.zone ?? Zone.utc
        for rule in app.rules where rule.rule.isEnabled {
            guard let expires = rule.rule.expires, expires.instant(for: zone) <= app.now else { continue }
            findings.tell(
                rule, at: rule.offset(of: "expires"), "the rule is over: it has not matched since its `expires`",
                hint: "remove the rule, or give it a later date")
        }
    }
}
