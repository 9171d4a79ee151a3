// A function of the host is called with too few or too many values, or with one that is written out and cannot be meant.
import RuleReference

extension Check {
    static let wrongArgument = Check("wrong_argument", .error) { app, findings in
        for found in app.expressions {
            let (file, rule, expression) = (found.file, found.rule, found.expression)
            if case .one = expression { continue }
            guard let name = expression.calledName, let function = Reference.function(named: name),
                // A file that declares rules or requires modules wrongly does not load.
                case .call(let parameters, _) = function.use, function.time != .whileLoading
            else { continue }
            let arguments = expression.arguments
            let isOpen = arguments.last.map(LiteralValue.mayBeSeveral) ?? false
            if !isOpen, let missing = parameters.dropFirst(arguments.count).first(where: { !$0.isOptional && !$0.repeats }) {
                findings.tell(
                    file, at: expression.offset, "\(name) is called without `\(missing.name)`", hint: "write \(function.signature)",
                    rule: rule?.name)
                continue
            }
            if let last = parameters.last, !last.repeats, arguments.count > parameters.count, !function.isLua, name != "log" {
                findings.tell(
                    file, at: arguments[parameters.count].start, "\(name) takes \(count(parameters.count)), not \(arguments.count)",
                    hint: "write \(function.signature)", rule: rule?.name)
            }
            // Lua's own library takes numbers for texts and the reverse; what `decide` gives has a check of its own.
            guard !function.isLua, !ReturnedWish.makers.contains(name) else { continue }
            for (parameter, argument) in zip(parameters, arguments) {
                guard let (wrong, offset) = LiteralValue.mismatch(argument, parameter.type) else { continue }
                findings.tell(
                    file, at: offset, "`\(parameter.name)` of \(name) \(wrong)", hint: "write \(function.signature)", rule: rule?.name)
            }
        }
    }

    private static func count(_ number: Int) -> String { number == 1 ? "one value" : "\(number) values" }
}
