// Statements, and the bodies of functions, which are lists of them. A part of LuaParser; each function begins at the first word
// of what it reads and ends behind the last.

extension LuaParser {
    private static let closers: Set<String> = ["end", "else", "elseif", "until"]

    mutating func block() throws(Stop) -> [LuaStatement] {
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

    mutating func functionBody(at offset: Int, isMethod: Bool = false) throws(Stop) -> LuaFunction {
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
}
