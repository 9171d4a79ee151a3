// One rule of an app that loaded, together with where it is written: what the checks of rules look at.
import PushMessage
import RuleEngine

struct CheckedRule {
    let rule: Rule
    let file: CheckedFile
    /// nil: its table is not written out.
    let call: CheckedFile.RuleCall?

    init(_ rule: Rule, in file: CheckedFile) {
        self.rule = rule
        self.file = file
        let onLine = file.callsByLine[rule.line] ?? []
        call = onLine.first { $0.name == rule.name } ?? file.callsByName[rule.name] ?? onLine.first
    }

    /// Where a key of it is written, as far as it is; without keys the rule itself.
    func offset(of path: String...) -> Int? {
        guard let call else { return nil }
        var table: LuaTable? = call.table
        var found = call.offset
        for key in path {
            guard
                let item = table?.item(key)
                    ?? table.flatMap({ table in Int(key).flatMap { $0 <= table.listed.count ? table.listed[$0 - 1] : nil } })
            else { break }
            found = item.offset
            table = item.value.followed.table
        }
        return found
    }

    var line: Int { rule.line }

    func matcher(_ field: Matcher.Field) -> [String]? { rule.matchers.first { $0.field == field }?.values }

    var whenFunction: LuaFunction? { call?.table.item("when")?.value.functionValue }
    var decideFunction: LuaFunction? { call?.table.item("decide")?.value.functionValue }

    /// What it wants whenever it matches; nil when that is a function's business.
    var plainWish: Contribution? { if case .table(let wish)? = rule.decide { wish } else { nil } }

    /// It says the same whatever the hour, the count and the person: no quiet hours, no cap, no share, no dates.
    var isUnconditional: Bool {
        rule.quiet == nil && rule.cap == nil && rule.rollout == nil && rule.holdout == nil && rule.starts == nil && rule.expires == nil
    }
}

extension Findings {
    mutating func tell(_ rule: CheckedRule, at offset: Int?, _ message: String, hint: String? = nil, code: String? = nil) {
        if let offset {
            tell(rule.file, at: offset, message, hint: hint, code: code, rule: rule.rule.name)
        } else {
            tell(rule.file.path, rule.line, 1, message, hint: hint, code: code, rule: rule.rule.name)
        }
    }
}
