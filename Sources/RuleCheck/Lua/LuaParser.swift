// Reads the words of a Lua 5.4 file (LuaTokens) into a tree. Whether the text is Lua, the Lua machine has decided before:
// this parser says nothing about a file that it cannot read, it gives none. Called by CheckedFile. Here is what all of it needs:
// words, variables, and how deep it is; statements and expressions have files of their own.
import RuleEngine

struct LuaParser {
    /// Files that nest deeper are refused by the machine.
    private static let deepest = 400
    /// Of an expression: what goes over a tree goes down in it. `a + b + c …` is as high as it is long, and nobody writes so long a one.
    static let highest = 2_000

    struct Stop: Error {}

    private let source: [UInt8]
    let words: LuaWords
    var place = 0
    private var depth = 0
    /// Of the expression that was read last.
    var height = 0
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

    var isAtEnd: Bool { place >= words.all.count }
    var offset: Int { isAtEnd ? source.count : words.all[place].offset }

    func sees(_ word: String) -> Bool { !isAtEnd && words.all[place].isFixed && words.all[place].text == word }

    mutating func take(_ word: String) -> Bool {
        guard sees(word) else { return false }
        place += 1
        return true
    }

    mutating func need(_ word: String) throws(Stop) {
        guard take(word) else { throw Stop() }
    }

    mutating func name() throws(Stop) -> (text: String, offset: Int) {
        guard !isAtEnd, words.all[place].kind == .name else { throw Stop() }
        place += 1
        return (words.all[place - 1].text, words.all[place - 1].offset)
    }

    var seesName: Bool { !isAtEnd && words.all[place].kind == .name }

    // MARK: variables

    mutating func declare(_ name: String, _ offset: Int) -> LuaVariable {
        let variable = LuaVariable(name: name, offset: offset)
        scopes[scopes.count - 1].append(variable)
        return variable
    }

    func find(_ name: String) -> LuaVariable? {
        for scope in scopes.reversed() {
            if let variable = scope.last(where: { $0.name == name }) { return variable }
        }
        return nil
    }

    mutating func scoped<Result>(_ body: (inout LuaParser) throws(Stop) -> Result) throws(Stop) -> Result {
        guard depth < LuaParser.deepest else { throw Stop() }
        depth += 1
        scopes.append([])
        defer {
            depth -= 1
            scopes.removeLast()
        }
        return try body(&self)
    }

    mutating func deeper<Result>(_ body: (inout LuaParser) throws(Stop) -> Result) throws(Stop) -> Result {
        guard depth < LuaParser.deepest else { throw Stop() }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }
}
