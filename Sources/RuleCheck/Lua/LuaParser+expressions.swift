// Expressions and tables. A part of LuaParser; what goes over a tree goes down in it, so that it is kept count of how high an
// expression becomes.

extension LuaParser {
    mutating func expressions() throws(Stop) -> [LuaExpression] {
        var values = [try expression()]
        var highest = height
        while take(",") {
            values.append(try expression())
            highest = max(highest, height)
        }
        height = highest
        return values
    }

    /// How tightly an operator binds, to the left and to the right.
    private static let priorities: [String: (left: Int, right: Int)] = [
        "or": (1, 1), "and": (2, 2), "<": (3, 3), ">": (3, 3), "<=": (3, 3), ">=": (3, 3), "~=": (3, 3), "==": (3, 3), "|": (4, 4),
        "~": (5, 5), "&": (6, 6), "<<": (7, 7), ">>": (7, 7), "..": (9, 8), "+": (10, 10), "-": (10, 10), "*": (11, 11), "/": (11, 11),
        "//": (11, 11), "%": (11, 11), "^": (14, 13),
    ]
    private static let unaryPriority = 12
    private static let unaries: Set<String> = ["not", "-", "#", "~"]

    /// One more on top of what was read last and of what was read before it.
    private mutating func grow(over other: Int = 0) throws(Stop) {
        height = max(height, other) + 1
        guard height <= LuaParser.highest else { throw Stop() }
    }

    mutating func expression(above limit: Int = 0) throws(Stop) -> LuaExpression {
        try deeper { parser throws(Stop) in
            let start = parser.offset
            var left: LuaExpression
            if let sign = LuaParser.unaries.first(where: parser.sees) {
                parser.place += 1
                left = .unary(sign, try parser.expression(above: LuaParser.unaryPriority), offset: start)
                try parser.grow()
            } else {
                left = try parser.simple()
            }
            while !parser.isAtEnd, parser.words.all[parser.place].isFixed,
                let priority = LuaParser.priorities[parser.words.all[parser.place].text], priority.left > limit
            {
                let sign = parser.words.all[parser.place]
                parser.place += 1
                let before = parser.height
                left = .binary(sign.text, left, try parser.expression(above: priority.right), offset: sign.offset)
                try parser.grow(over: before)
            }
            return left
        }
    }

    private mutating func simple() throws(Stop) -> LuaExpression {
        let start = offset
        guard !isAtEnd else { throw Stop() }
        let word = words.all[place]
        height = 0
        switch word.kind {
        case .string:
            place += 1
            return .text(words.content(of: word), offset: start)
        case .number:
            place += 1
            return .number(LuaWords.number(word.text) ?? .nan, offset: start)
        case .name, .symbol: break
        }
        if take("nil") { return .nothing(offset: start) }
        if take("true") { return .truth(true, offset: start) }
        if take("false") { return .truth(false, offset: start) }
        if take("...") { return .varargs(offset: start) }
        if sees("{") { return .table(try table()) }
        if take("function") { return .function(try functionBody(at: start)) }
        return try suffixed()
    }

    func variable(_ name: String, _ offset: Int) -> LuaExpression {
        find(name).map { .local($0, offset: offset) } ?? .global(name, offset: offset)
    }

    /// A name or parentheses, and what is hung on it.
    mutating func suffixed() throws(Stop) -> LuaExpression {
        var value: LuaExpression
        height = 0
        if take("(") {
            value = .one(try expression())
            try need(")")
            try grow()
        } else {
            guard seesName else { throw Stop() }
            let (text, offset) = try name()
            value = variable(text, offset)
        }
        while true {
            let before = height
            guard let more = try suffix(of: value) else { return value }
            value = more
            try grow(over: before)
        }
    }

    /// nil: nothing more hangs on it.
    private mutating func suffix(of value: LuaExpression) throws(Stop) -> LuaExpression? {
        let start = offset
        if take(".") {
            let (key, place) = try name()
            return .index(value, .text(key, offset: place), offset: place)
        }
        if take("[") {
            let key = try expression()
            try need("]")
            return .index(value, key, offset: key.start)
        }
        if take(":") {
            let (key, place) = try name()
            guard let arguments = try arguments() else { throw Stop() }
            return .method(value, key, arguments, offset: place)
        }
        return try arguments().map { .call(value, $0, offset: start) }
    }

    /// nil: none begin here.
    private mutating func arguments() throws(Stop) -> [LuaExpression]? {
        if take("(") {
            if take(")") { return [] }
            let values = try expressions()
            try need(")")
            return values
        }
        if sees("{") { return [.table(try table())] }
        if !isAtEnd, words.all[place].kind == .string {
            place += 1
            return [.text(words.content(of: words.all[place - 1]), offset: words.all[place - 1].offset)]
        }
        return nil
    }

    private mutating func table() throws(Stop) -> LuaTable {
        let table = LuaTable(offset: offset)
        var highest = 0
        defer { height = highest }
        try need("{")
        while !sees("}") {
            let start = offset
            if take("[") {
                let key = try expression()
                try need("]")
                try need("=")
                table.items.append(LuaTable.Item(key: key, value: try expression(), offset: start))
            } else if seesName, words.isSymbol("=", at: place + 1) {
                let (key, place) = try name()
                try need("=")
                table.items.append(LuaTable.Item(key: .text(key, offset: place), value: try expression(), offset: start))
            } else {
                table.items.append(LuaTable.Item(key: nil, value: try expression(), offset: start))
            }
            highest = max(highest, height + 1)
            guard take(",") || take(";") else { break }
        }
        try need("}")
        return table
    }
}
