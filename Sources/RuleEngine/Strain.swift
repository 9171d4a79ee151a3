// An evaluation or a load that came near one of its limits, and what had the largest part in it. It is no part of the
// decision's JSON: whoever runs cases or a dry run tells the author, before a larger message goes beyond the limit.
import LuaSandbox

public struct Strain: Sendable, Equatable {
    public enum Limit: String, Sendable, CaseIterable {
        /// In units.
        case fuel
        /// In bytes.
        case memory
    }

    public let limit: Limit
    public let used: Int
    public let allowed: Int
    public let rule: String
    /// Of the rule, relative to the app's folder.
    public let file: String
    public let line: Int

    /// From half of a limit on.
    static func isStrain(_ used: Int, of allowed: Int) -> Bool { used >= allowed - allowed / 2 }

    public var warning: RuleWarning {
        let share = allowed > 0 ? Int(Double(used) / Double(allowed) * 100) : 100
        let whole =
            switch limit {
            case .fuel: "\(used) of its \(allowed) units of fuel"
            case .memory: "\(used) of its \(allowed) bytes of memory"
            }
        return RuleWarning(
            code: .nearLimit, file: file, line: line, column: 1,
            message: "one message used \(whole), \(share) %; the largest part is the rule \"\(rule)\"",
            hint: "beyond the limit the rule fails, and those after it are not asked")
    }
}

/// Looks at what is used after each rule of one evaluation.
struct StrainWatch {
    private var before = ScriptSpending()
    /// The largest step so far, and the place of the rule that made it.
    private var fuel: (step: Int64, rule: Int) = (-1, 0)
    private var memory: (step: Int, rule: Int) = (-1, 0)

    mutating func begin(_ spent: ScriptSpending) { before = spent }

    mutating func look(_ spent: ScriptSpending, after rule: Int) {
        if spent.fuel - before.fuel > fuel.step { fuel = (spent.fuel - before.fuel, rule) }
        if spent.memoryPeak - before.memoryPeak > memory.step { memory = (spent.memoryPeak - before.memoryPeak, rule) }
        before = spent
    }

    /// Nothing, mostly.
    func strains(within limits: ScriptLimits, of rules: [Rule]) -> [Strain] {
        var strains: [Strain] = []
        let (fuelUsed, fuelAllowed) = (Int(before.fuel), Int(limits.callFuel))
        if Strain.isStrain(fuelUsed, of: fuelAllowed) { strains.append(strain(.fuel, fuelUsed, fuelAllowed, rules[fuel.rule])) }
        if Strain.isStrain(before.memoryPeak, of: limits.memory) {
            strains.append(strain(.memory, before.memoryPeak, limits.memory, rules[memory.rule]))
        }
        return strains
    }

    private func strain(_ limit: Strain.Limit, _ used: Int, _ allowed: Int, _ rule: Rule) -> Strain {
        Strain(limit: limit, used: used, allowed: allowed, rule: rule.name, file: rule.file, line: rule.line)
    }
}
