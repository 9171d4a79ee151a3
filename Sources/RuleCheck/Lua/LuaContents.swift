// Everything in a part of a tree as two lists, outermost first, in the order in which it is written. Made once for a file;
// all checks that look at functions go over them.

struct LuaContents {
    private(set) var expressions: [LuaExpression] = []
    private(set) var statements: [LuaStatement] = []
    /// Whether functions inside are entered.
    private let entersFunctions: Bool

    init(of body: [LuaStatement], entersFunctions: Bool = true) {
        self.entersFunctions = entersFunctions
        body.forEach { add($0) }
    }

    init(of expression: LuaExpression) {
        entersFunctions = true
        add(expression)
    }

    private mutating func add(_ body: [LuaStatement]) { for statement in body { add(statement) } }
    private mutating func add(_ values: [LuaExpression]) { for value in values { add(value) } }

    private mutating func add(_ statement: LuaStatement) {
        statements.append(statement)
        switch statement {
        case .local(_, let values): add(values)
        case .assignment(let targets, let values, _):
            add(targets)
            add(values)
        case .named(let target, let function):
            add(target)
            enter(function)
        case .call(let call): add(call)
        case .block(let body): add(body)
        case .loop(let condition, let body, _):
            add(condition)
            add(body)
        case .until(let condition, let body, _):
            add(body)
            add(condition)
        case .branch(let arms, let otherwise, _):
            for arm in arms {
                add(arm.condition)
                add(arm.body)
            }
            if let otherwise { add(otherwise) }
        case .count(_, let from, let to, let step, let body, _):
            add(from)
            add(to)
            if let step { add(step) }
            add(body)
        case .each(_, let values, let body, _):
            add(values)
            add(body)
        case .give(let values, _): add(values)
        case .leave, .jump: break
        }
    }

    private mutating func add(_ expression: LuaExpression) {
        expressions.append(expression)
        switch expression {
        case .nothing, .truth, .number, .text, .varargs, .local, .global: break
        case .function(let function): enter(function)
        case .index(let object, let key, _):
            add(object)
            add(key)
        case .call(let callee, let arguments, _):
            add(callee)
            add(arguments)
        case .method(let object, _, let arguments, _):
            add(object)
            add(arguments)
        case .binary(_, let left, let right, _):
            add(left)
            add(right)
        case .unary(_, let value, _): add(value)
        case .table(let table):
            for item in table.items {
                if let key = item.key { add(key) }
                add(item.value)
            }
        case .one(let value): add(value)
        }
    }

    private mutating func enter(_ function: LuaFunction) {
        if entersFunctions { add(function.body) }
    }
}

extension LuaFunction {
    /// What it gives back, without functions inside of it. A function that can end without `return` gives nil as well.
    var returns: [(values: [LuaExpression], offset: Int)] {
        LuaContents(of: body, entersFunctions: false).statements.compactMap {
            if case .give(let values, let offset) = $0 { (values, offset) } else { nil }
        }
    }
}
