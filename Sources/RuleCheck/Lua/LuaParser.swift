// Reads the words of a Lua 5.4 file (LuaTokens) into a tree. Whether the text is Lua, the Lua machine has decided before:
// this parser says nothing about a file that it cannot read, it gives none. Called by CheckedFile.
import RuleEngine

struct LuaParser {
    /// Files that nest deeper are refused by the machine.
    private static let deepest = 400
    /// Of an expression: what goes over a tree goes down in it. `a + b + c …` is as high as it is long, and nobody writes so long a one.
    private static let highest = 2_000

    private struct Stop: Error {}

    private let source: [UInt8]
    private let words: LuaWords
    private var place = 0
    private var depth = 0
    /// Of the expression that was read last.
    private var height = 0
    /// The variables that can be seen, innermost last.
    private var scopes: [[LuaVariable]] = [[]]

    /// nil: not Lua, or deeper than can be read.
    static func parse(_ source: [UInt8]) -> [LuaStatement]? {
        var parser = LuaParser(source: source, words: LuaWords(source))
        do throws(Stop) {
            let body = try parser.block()
            return parser.isAtEnd ? body : nil
        } catch {
            return nil
        }
    }

    private init(source: [UInt8], words: LuaWords) {
        self.source = source
        self.words = words
    }

    // MARK: words

    private var isAtEnd: Bool { place >= words.all.count }
    private var offset: Int { isAtEnd ? source.count : words.all[place].offset }

    private func sees(_ word: String) -> Bool { !isAtEnd && words.all[place].isFixed && words.all[place].text == word }

    private mutating func take(_ word: String) -> Bool {
        guard sees(word) else { return false }
        place += 1
        return true
    }

    private mutating func need(_ word: String) throws(Stop) {
        guard take(word) else { throw Stop() }
    }

    private mutating func name() throws(Stop) -> (text: String, offset: Int) {
        guard !isAtEnd, words.all[place].kind == .name else { throw Stop() }
        place += 1
        return (words.all[place - 1].text, words.all[place - 1].offset)
    }

    private var seesName: Bool { !isAtEnd && words.all[place].kind == .name }

    // MARK: variables

    private mutating func declare(_ name: String, _ offset: Int) -> LuaVariable {
        let variable = LuaVariable(name: name, offset: offset)
        scopes[scopes.count - 1].append(variable)
        return variable
    }

    private func find(_ name: String) -> LuaVariable? {
        for scope in scopes.reversed() {
            if let variable = scope.last(where: { $0.name == name }) { return variable }
        }
        return nil
    }

    private mutating func scoped<Result>(_ body: (inout LuaParser) throws(Stop) -> Result) throws(Stop) -> Result {
        guard depth < LuaParser.deepest else { throw Stop() }
        depth += 1
        scopes.append([])
        defer {
            depth -= 1
            scopes.removeLast()
        }
        return try body(&self)
    }

    private mutating func deeper<Result>(_ body: (inout LuaParser) throws(Stop) -> Result) throws(Stop) -> Result {
        guard depth < LuaParser.deepest else { throw Stop() }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    // MARK: statements

    private static let closers: Set<String> = ["end", "else", "elseif", "until"]

    private mutating func block() throws(Stop) -> [LuaStatement] {
        var body: [LuaStatement] = []
        var highest = 0
        defer { height = highest }
        while !isAtEnd, !LuaParser.closers.contains(where: sees) {
            if take(";") { continue }
            let isLast = sees("return")
            body.append(isLast ? try giveBack() : try statement())
            highest = max(highest, height)
            if isLast { break }
        }
        return body
    }

    private mutating func giveBack() throws(Stop) -> LuaStatement {
        let start = offset
        try need("return")
        var values: [LuaExpression] = []
        if !isAtEnd, !sees(";"), !LuaParser.closers.contains(where: sees) { values = try expressions() }
        _ = take(";")
        return .give(values, offset: start)
    }

    private mutating func statement() throws(Stop) -> LuaStatement {
        let start = offset
        if take("local") { return try local() }
        if take("if") { return try branch(start) }
        if take("for") { return try loop(start) }
        if take("while") {
            let condition = try expression()
            try need("do")
            let body = try scoped { parser throws(Stop) in try parser.block() }
            try need("end")
            return .loop(while: condition, body, offset: start)
        }
        if take("repeat") {
            // The condition sees the variables of the body.
            let (condition, body) = try scoped { parser throws(Stop) in
                let body = try parser.block()
                try parser.need("until")
                return (try parser.expression(), body)
            }
            return .until(condition, body, offset: start)
        }
        if take("do") {
            let body = try scoped { parser throws(Stop) in try parser.block() }
            try need("end")
            return .block(body)
        }
        if take("function") { return try namedFunction(start) }
        if take("break") { return .leave(offset: start) }
        if take("::") {
            _ = try name()
            try need("::")
            return .jump(offset: start)
        }
        // Not a reserved word where a variable can be meant.
        if !isAtEnd, words.all[place].text == "goto", words.all[place].isFixed {
            place += 1
            _ = try name()
            return .jump(offset: start)
        }
        return try assignmentOrCall()
    }

    private mutating func local() throws(Stop) -> LuaStatement {
        if take("function") {
            let (name, offset) = try name()
            let variable = declare(name, offset)
            let function = try functionBody(at: offset)
            variable.value = .function(function)
            return .local([variable], [.function(function)])
        }
        var names: [(text: String, offset: Int)] = []
        repeat {
            names.append(try name())
            if take("<") {
                _ = try name()
                try need(">")
            }
        } while take(",")
        let values = take("=") ? try expressions() : []
        let variables = names.map { declare($0.text, $0.offset) }
        for (index, variable) in variables.enumerated() where index < values.count {
            // A call in the last place may give several.
            if index < values.count - 1 || variables.count == values.count { variable.value = values[index] }
        }
        return .local(variables, values)
    }

    private mutating func branch(_ start: Int) throws(Stop) -> LuaStatement {
        var arms: [(condition: LuaExpression, body: [LuaStatement])] = []
        repeat {
            let condition = try expression()
            try need("then")
            arms.append((condition, try scoped { parser throws(Stop) in try parser.block() }))
        } while take("elseif")
        let otherwise = take("else") ? try scoped { parser throws(Stop) in try parser.block() } : nil
        try need("end")
        return .branch(arms, otherwise: otherwise, offset: start)
    }

    private mutating func loop(_ start: Int) throws(Stop) -> LuaStatement {
        var names = [try name()]
        if take("=") {
            let from = try expression()
            try need(",")
            let to = try expression()
            let step = take(",") ? try expression() : nil
            try need("do")
            let first = names[0]
            return try scoped { parser throws(Stop) in
                let variable = parser.declare(first.text, first.offset)
                let body = try parser.block()
                try parser.need("end")
                return .count(variable, from: from, to: to, step: step, body, offset: start)
            }
        }
        while take(",") { names.append(try name()) }
        try need("in")
        let values = try expressions()
        try need("do")
        let all = names
        return try scoped { parser throws(Stop) in
            let variables = all.map { parser.declare($0.text, $0.offset) }
            let body = try parser.block()
            try parser.need("end")
            return .each(variables, values, body, offset: start)
        }
    }

    private mutating func namedFunction(_ start: Int) throws(Stop) -> LuaStatement {
        let (first, offset) = try name()
        var target = variable(first, offset)
        while take(".") {
            let (key, place) = try name()
            target = .index(target, .text(key, offset: place), offset: place)
        }
        var isMethod = false
        if take(":") {
            let (key, place) = try name()
            target = .index(target, .text(key, offset: place), offset: place)
            isMethod = true
        }
        if case .local(let variable, _) = target { variable.isReassigned = true }
        return .named(target, try functionBody(at: start, isMethod: isMethod))
    }

    private mutating func assignmentOrCall() throws(Stop) -> LuaStatement {
        let start = offset
        var targets = [try suffixed()]
        if sees("=") || sees(",") {
            while take(",") { targets.append(try suffixed()) }
            try need("=")
            for target in targets { if case .local(let variable, _) = target { variable.isReassigned = true } }
            return .assignment(targets, try expressions(), offset: start)
        }
        switch targets[0] {
        case .call, .method: return .call(targets[0])
        default: throw Stop()
        }
    }

    // MARK: functions

    private mutating func functionBody(at offset: Int, isMethod: Bool = false) throws(Stop) -> LuaFunction {
        let function = LuaFunction(offset: offset)
        try need("(")
        return try scoped { parser throws(Stop) in
            if isMethod { _ = parser.declare("self", offset) }
            while !parser.sees(")") {
                if parser.take("...") { break }
                let (name, place) = try parser.name()
                let parameter = parser.declare(name, place)
                if CheckedFile.viewNames.contains(name) { parameter.view = name }
                function.parameters.append(parameter)
                guard parser.take(",") else { break }
            }
            try parser.need(")")
            function.body = try parser.block()
            try parser.need("end")
            return function
        }
    }

    // MARK: expressions

    private mutating func expressions() throws(Stop) -> [LuaExpression] {
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

    private mutating func expression(above limit: Int = 0) throws(Stop) -> LuaExpression {
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

    private func variable(_ name: String, _ offset: Int) -> LuaExpression {
        find(name).map { .local($0, offset: offset) } ?? .global(name, offset: offset)
    }

    /// A name or parentheses, and what is hung on it.
    private mutating func suffixed() throws(Stop) -> LuaExpression {
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
