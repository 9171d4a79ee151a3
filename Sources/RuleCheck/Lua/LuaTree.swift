// A Lua file as a tree, with the place of everything in it. Made by LuaParser, looked at by the checks. It says what is
// written, not what it does; names are resolved: an expression knows which variable it reads.

/// An expression. `offset` is where it begins, in bytes from the start of the file; of a field where its name stands.
indirect enum LuaExpression {
    case nothing(offset: Int)
    case truth(Bool, offset: Int)
    case number(Double, offset: Int)
    case text(String, offset: Int)
    case varargs(offset: Int)
    case function(LuaFunction)
    /// A variable of the file.
    case local(LuaVariable, offset: Int)
    case global(String, offset: Int)
    /// `object.key`, `object[key]`
    case index(LuaExpression, LuaExpression, offset: Int)
    case call(LuaExpression, [LuaExpression], offset: Int)
    /// `object:name(…)`; the offset is the name's.
    case method(LuaExpression, String, [LuaExpression], offset: Int)
    case binary(String, LuaExpression, LuaExpression, offset: Int)
    case unary(String, LuaExpression, offset: Int)
    case table(LuaTable)
    /// In parentheses: one value of however many.
    case one(LuaExpression)

    var offset: Int {
        switch self {
        case .nothing(let offset), .truth(_, let offset), .number(_, let offset), .text(_, let offset), .varargs(let offset),
            .local(_, let offset), .global(_, let offset), .index(_, _, let offset), .call(_, _, let offset),
            .method(_, _, _, let offset), .binary(_, _, _, let offset), .unary(_, _, let offset):
            offset
        case .function(let function): function.offset
        case .table(let table): table.offset
        case .one(let inner): inner.offset
        }
    }

    /// Where it begins for a reader: of `msg.title` the `msg`.
    var start: Int {
        switch self {
        case .index(let object, _, _), .method(let object, _, _, _): object.start
        case .call(let callee, _, _): callee.start
        case .binary(_, let left, _, _): left.start
        default: offset
        }
    }

    var text: String? { if case .text(let text, _) = self { text } else { nil } }
    var table: LuaTable? { if case .table(let table) = self { table } else { nil } }
}

/// `{ … }`
final class LuaTable {
    struct Item {
        /// nil: the next place.
        let key: LuaExpression?
        let value: LuaExpression
        /// Of the key, or of the value without one.
        let offset: Int
    }

    let offset: Int
    var items: [Item] = []

    init(offset: Int) { self.offset = offset }

    /// By a written name; of several the last one counts.
    func item(_ key: String) -> Item? { items.last { $0.key?.text == key } }

    /// Those without a key, in order.
    var listed: [Item] { items.filter { $0.key == nil } }
}

final class LuaFunction {
    let offset: Int
    /// Without the `self` of a method.
    var parameters: [LuaVariable] = []
    var body: [LuaStatement] = []

    init(offset: Int) { self.offset = offset }
}

/// A local variable or a parameter.
final class LuaVariable {
    let name: String
    let offset: Int
    /// What it was declared with; nil for parameters, loops and lists of names.
    var value: LuaExpression?
    /// Something is assigned to it after its declaration.
    var isReassigned = false
    /// Which view a parameter holds: "msg", "device", "event".
    var view: String?

    init(name: String, offset: Int) {
        self.name = name
        self.offset = offset
    }
}

indirect enum LuaStatement {
    case local([LuaVariable], [LuaExpression])
    case assignment([LuaExpression], [LuaExpression], offset: Int)
    /// `function name() … end`
    case named(LuaExpression, LuaFunction)
    case call(LuaExpression)
    case block([LuaStatement])
    case loop(while: LuaExpression, [LuaStatement], offset: Int)
    case until(LuaExpression, [LuaStatement], offset: Int)
    case branch([(condition: LuaExpression, body: [LuaStatement])], otherwise: [LuaStatement]?, offset: Int)
    case count(LuaVariable, from: LuaExpression, to: LuaExpression, step: LuaExpression?, [LuaStatement], offset: Int)
    case each([LuaVariable], [LuaExpression], [LuaStatement], offset: Int)
    case give([LuaExpression], offset: Int)
    case leave(offset: Int)
    /// `goto`, a label.
    case jump(offset: Int)
}
