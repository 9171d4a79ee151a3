// The names that scripts have, by the description of the language. Used by the checks beside it.
import RuleReference

enum KnownNames {
    /// "rule", "string", "state"
    static let roots = Set(
        Reference.functions.filter { !$0.name.contains(":") }.map { String($0.name.prefix { $0 != "." }) } + ["_ENV"])

    /// Of each library the names in it, in the order of the description.
    static let members: [String: [String]] = {
        var members: [String: [String]] = [:]
        for function in Reference.functions where !function.name.contains(":") {
            let parts = function.name.split(separator: ".").map(String.init)
            for count in 1..<max(parts.count, 1) {
                let library = parts[..<count].joined(separator: ".")
                if members[library]?.contains(parts[count]) != true { members[library, default: []].append(parts[count]) }
            }
        }
        return members
    }()

    static func methods(of view: String) -> [String] {
        Reference.functions.filter { $0.name.hasPrefix("\(view):") }.map { String($0.name.dropFirst(view.count + 1)) }
    }

    /// What is assigned to.
    static func targets(in file: CheckedFile) -> [LuaExpression] {
        file.contents.statements.flatMap { statement -> [LuaExpression] in
            switch statement {
            case .assignment(let targets, _, _): targets
            case .named(let target, _): [target]
            default: []
            }
        }
    }

    /// The variables of a file, each name once.
    static func locals(of file: CheckedFile) -> [String] {
        var names: [String] = []
        var met: Set<String> = []
        func add(_ variables: [LuaVariable]) {
            for variable in variables where met.insert(variable.name).inserted { names.append(variable.name) }
        }
        for statement in file.contents.statements {
            switch statement {
            case .local(let variables, _), .each(let variables, _, _, _): add(variables)
            case .count(let variable, _, _, _, _, _): add([variable])
            default: break
            }
        }
        for case .function(let function) in file.contents.expressions { add(function.parameters) }
        return names
    }
}
