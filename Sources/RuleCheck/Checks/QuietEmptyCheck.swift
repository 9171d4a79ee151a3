// Quiet hours that never come.
import CivilTime
import RuleEngine

extension Check {
    static let quietEmpty = Check("quiet_empty", .error) { app, findings in
        for rule in app.rules {
            guard let quiet = rule.rule.quiet, quiet.hours.from == quiet.hours.to else { continue }
            findings.tell(
                rule, at: rule.offset(of: "quiet"), "the quiet hours begin and end at \(quiet.hours.from.text): it is never quiet",
                hint: "write two different times; all day is { \"00:00\", \"24:00\" }")
        }
    }
}
