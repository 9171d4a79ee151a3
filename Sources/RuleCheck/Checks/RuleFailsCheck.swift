// A rule that fails in a case which does not expect it. Told once for each place that fails, with the first case.
import RuleEngine

extension Check {
    static let ruleFails = Check("rule_fails", .error) { app, findings in
        var told: [RuleError] = []
        for (error, file, line, name) in app.cases.failures where !told.contains(where: { isSame($0, error) }) {
            told.append(error)
            let speaker = error.rule.map { "the rule \"\($0)\"" } ?? "the evaluation"
            findings.tell(
                error.file, error.line, 1, "\(speaker) fails in the case \"\(name)\" (\(file):\(line)): \(error.message)",
                hint: error.hint ?? "mend the rule; a case that is about the failure says so with `errors` in `expect`", rule: error.rule)
        }
    }

    private static func isSame(_ one: RuleError, _ other: RuleError) -> Bool {
        one.rule == other.rule && one.file == other.file && one.line == other.line && one.code == other.code
    }
}
