// What an expression stands for in the rule language: a field of a view, a function of the host, or nothing that is known.
// Follows variables that are set once.
import RuleReference

/// `msg.data.room`, `state.app.get`
struct LuaPath: Equatable {
    enum Root: Equatable {
        /// "msg", "device" or "event"
        case view(String)
        case global
    }
    let root: Root
    /// Of a global with its own name first.
    var keys: [String]

    var written: String {
        switch root {
        case .view(let name): ([name] + keys).joined(separator: ".")
        case .global: keys.joined(separator: ".")
        }
    }
}

extension LuaExpression {
    /// A variable that is set once, as what it was set to.
    var followed: LuaExpression {
        var expression = self
        for _ in 0..<8 {
            switch expression {
            case .one(let inner): expression = inner
            case .local(let variable, _):
                guard !variable.isReassigned, let value = variable.value else { return expression }
                expression = value
            default: return expression
            }
        }
        return expression
    }

    var path: LuaPath? {
        switch followed {
        case .global(let name, _): return LuaPath(root: .global, keys: [name])
        case .local(let variable, _): return variable.isReassigned ? nil : variable.view.map { LuaPath(root: .view($0), keys: []) }
        case .index(let object, let key, _):
            guard var path = object.path, let name = key.text else { return nil }
            path.keys.append(name)
            return path
        default: return nil
        }
    }

    /// A function that is written out, here or where the variable was set.
    var functionValue: LuaFunction? { if case .function(let function) = followed { function } else { nil } }

    /// What it is called as, when it is a call of the host or of a method of a view: "state.get", "device:is_showing".
    var calledName: String? {
        switch self {
        case .call(let callee, _, _):
            guard let path = callee.path, path.root == .global else { return nil }
            return path.written
        case .method(let object, let name, _, _):
            guard case .view(let view)? = object.path?.root, object.path?.keys.isEmpty == true else { return nil }
            return "\(view):\(name)"
        case .one(let inner): return inner.calledName
        default: return nil
        }
    }

    var arguments: [LuaExpression] {
        switch self {
        case .call(_, let arguments, _), .method(_, _, let arguments, _): arguments
        case .one(let inner): inner.arguments
        default: []
        }
    }

    /// What it is of the description; nil: unknown.
    var type: ValueType? {
        guard let path else { return nil }
        switch path.root {
        case .view(let name): return Reference.table(named: name).flatMap { ValueType.table($0).inner(path.keys[...]) }
        case .global:
            guard path.keys.starts(with: ["time", "wall"]), case .value(let type)? = Reference.function(named: "time.wall")?.use else {
                return nil
            }
            return type.inner(path.keys[2...])
        }
    }
}

extension ValueType {
    /// The type of a field of it.
    func inner(_ keys: ArraySlice<String>) -> ValueType? {
        guard let key = keys.first else { return self }
        switch self {
        case .table(let table): return (table[key]?.type ?? table.others)?.inner(keys.dropFirst())
        case .named(let name): return Reference.table(named: name).flatMap { ValueType.table($0).inner(keys) }
        case .map(let value, _): return value.inner(keys.dropFirst())
        case .either(let types):
            let some = types.filter { if case .nothing = $0 { false } else { true } }
            return some.count == 1 ? some[0].inner(keys) : nil
        default: return nil
        }
    }

    /// The table that it is; nil where it may be something else as well.
    var onlyTable: Table? {
        switch self {
        case .table(let table): return table
        case .named(let name): return Reference.table(named: name)
        case .either(let types):
            let some = types.filter { if case .nothing = $0 { false } else { true } }
            return some.count == 1 ? some[0].onlyTable : nil
        default: return nil
        }
    }
}
