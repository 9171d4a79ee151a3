// A loop that no message gets out of, or one that is written to go round so often that its budget is in sight.
import LuaSandbox
import RuleEngine

extension Check {
    static let endlessLoop = Check("endless_loop", .error, codes: ["endless_loop", "long_loop"]) { app, findings in
        let fuel = app.manifest?.limits.fuel.map(Double.init) ?? .infinity
        let allowed = min(fuel, Double(ScriptLimits().callFuel))
        for file in app.scripts {
            for statement in file.contents.statements {
                switch statement {
                case .loop(let condition, let body, let offset):
                    guard condition.followed.isAlwaysTrue, !canLeave(body) else { continue }
                    findings.tell(
                        file, at: offset, "the loop never ends: the rule would fail when its work is used up",
                        hint: "add a condition that becomes false, or leave it with break", code: "endless_loop")
                case .until(let condition, let body, let offset):
                    guard condition.followed.isAlwaysFalse, !canLeave(body) else { continue }
                    findings.tell(
                        file, at: offset, "the loop never ends: the rule would fail when its work is used up",
                        hint: "add a condition that becomes true, or leave it with break", code: "endless_loop")
                case .count(_, let from, let to, let step, let body, let offset):
                    guard let first = LiteralValue.number(from.followed), let last = LiteralValue.number(to.followed), !canLeave(body)
                    else { continue }
                    let width = step.map { LiteralValue.number($0.followed) ?? .nan } ?? 1
                    let rounds = ((last - first) / width).rounded(.down) + 1
                    // Each round costs a unit at least.
                    guard rounds * 2 >= allowed else { continue }
                    findings.tell(
                        file, at: offset,
                        "the loop goes round \(shown(rounds)) times, and one message may use \(shown(allowed)) units of work in all",
                        hint: "a message has few things to go over: use ipairs, or leave the loop with break", code: "long_loop")
                default: continue
                }
            }
        }
    }

    private static func shown(_ number: Double) -> String {
        guard let whole = Int(exactly: number) else { return "endlessly many" }
        var text = ""
        for (place, digit) in String(whole).reversed().enumerated() {
            if place > 0, place % 3 == 0 { text = "," + text }
            text = String(digit) + text
        }
        return text
    }

    /// By break, return, goto or an error. A break of a loop inside counts too: rather nothing said than something wrong.
    private static func canLeave(_ body: [LuaStatement]) -> Bool {
        let inside = LuaContents(of: body, entersFunctions: false)
        let leaves = inside.statements.contains { statement in
            switch statement {
            case .leave, .give, .jump: true
            default: false
            }
        }
        return leaves || inside.expressions.contains { $0.calledName == "error" || $0.calledName == "assert" }
    }
}

extension LuaExpression {
    var isAlwaysTrue: Bool {
        switch self {
        case .truth(true, _), .number, .text, .table, .function: true
        case .unary("not", let inner, _): inner.followed.isAlwaysFalse
        case .one(let inner): inner.isAlwaysTrue
        default: false
        }
    }

    /// Also for what compares with two different things at once.
    var isAlwaysFalse: Bool {
        switch self {
        case .truth(false, _), .nothing: true
        case .unary("not", let inner, _): inner.followed.isAlwaysTrue
        case .one(let inner): inner.isAlwaysFalse
        case .binary("and", let left, let right, _): left.followed.isAlwaysFalse || right.followed.isAlwaysFalse
        case .binary("or", let left, let right, _): left.followed.isAlwaysFalse && right.followed.isAlwaysFalse
        case .binary("==", let left, let right, _):
            LiteralValue.shown(left.followed).flatMap { one in LiteralValue.shown(right.followed).map { one != $0 } } ?? false
        default: false
        }
    }
}
