// A rule that no case reaches.
import RuleEngine

extension Check {
    static let ruleWithoutCase = Check("rule_without_case", .warning) { app, findings in
        guard app.cases.count > 0 else { return }
        for rule in app.rules where rule.rule.isEnabled && !app.cases.reached.contains(rule.rule.name) {
            findings.tell(
                rule, at: rule.offset(), "no case reaches this rule", hint: "add a case whose message the rule matches")
        }
    }
}
