// A case expects the answer of a rule that is not there.
import JSONDocument
import PushMessage
import RuleEngine
import RuleStore

extension Check {
    static let caseRuleUnknown = Check("case_rule_unknown", .error) { app, findings in
        guard app.loaded != nil else { return }
        let names = app.rules.map(\.rule.name)
        let known = Set(names)
        let guards = GuardName.allCases.map { "guard:\($0.rawValue)" }
        for file in app.cases.files {
            CaseShape.forEachExpected(in: file) { decision in
                guard let rule = decision["display"]?["rule"], let name = rule.text?.string, !known.contains(name), !guards.contains(name)
                else { return }
                let place = TextPlace(of: rule.offset, in: file.bytes)
                findings.tell(
                    file.path, place.line, place.column, "no rule of the app is called \"\(name)\"",
                    hint: DidYouMean.nearest(to: name, among: names + guards).map { "did you mean \"\($0)\"?" }
                        ?? "a rule's name, or one of \(guards.joined(separator: ", "))")
            }
        }
    }
}
