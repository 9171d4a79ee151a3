// Quiet hours that never end.
import CivilTime
import RuleEngine

extension Check {
    static let quietAlways = Check("quiet_always", .warning) { app, findings in
        for rule in app.rules {
            guard let quiet = rule.rule.quiet, quiet.hours.from.text == "00:00", quiet.hours.to.text == "24:00", quiet.hours.days == .all,
                rule.rule.decide != nil
            else { continue }
            findings.tell(
                rule, at: rule.offset(of: "quiet"), "it is quiet all day, every day: `decide` is never asked",
                hint: "say what happens with `decide` alone, or name the hours or the days")
        }
    }
}
