// Finds the line and column of a key that an author wrote, so that a fault points at it. The values came from Lua,
// which keeps no places; so the text is looked at again. Where a table was not written out (it came from a variable
// or a function), the place is that of the last step that was.
import JSONDocument

struct SourcePlaces {
    struct Place: Equatable {
        /// From 1.
        let line: Int
        /// From 1, in Unicode scalars.
        let column: Int
    }

    private let source: [UInt8]
    private let tokens: [LuaToken]
    /// Where each line begins.
    private let lineStarts: [Int]
    /// The tokens that are the word `rule`, in order, and by the names that stand behind them.
    private let ruleWords: [Int]
    private let ruleWordsByName: [String: [Int]]

    init(_ source: [UInt8]) {
        self.source = source
        let tokens = LuaTokens(source).tokens
        self.tokens = tokens
        lineStarts = [0] + source.indices.filter { source[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        ruleWords = tokens.indices.filter { tokens[$0].kind == .name && tokens[$0].text == "rule" }
        var byName: [String: [Int]] = [:]
        for word in ruleWords {
            for token in tokens[(word + 1)...].prefix(2) where token.kind == .string { byName[token.text, default: []].append(word) }
        }
        ruleWordsByName = byName
    }

    /// In the rule that was declared on a line: the place of a key, or of the rule itself for an empty path.
    func place(of path: [PathStep], inRule name: String, declaredOn line: Int) -> Place {
        let named = ruleWordsByName[name].flatMap { first(of: $0, from: line) }
        guard let call = named ?? first(of: ruleWords, from: line) else { return Place(line: max(line, 1), column: 1) }
        guard let open = opening(from: call + 1, within: 4) else { return place(of: call) }
        return place(of: find(path, inTableAt: open) ?? call)
    }

    /// In the table that app.lua returns.
    func place(ofManifest path: [PathStep]) -> Place {
        guard let give = topLevelReturn else { return Place(line: 1, column: 1) }
        guard isSymbol(give + 1, "{") else { return place(of: give) }
        return place(of: find(path, inTableAt: give + 1) ?? give)
    }

    var hasReturn: Bool { tokens.indices.contains { isWord($0, "return") } }

    /// The `return` that ends the file, not one inside a function.
    private var topLevelReturn: Int? {
        var depth = 0
        for index in tokens.indices {
            if depth == 0, isWord(index, "return") { return index }
            depth += nesting(of: tokens[index])
        }
        return nil
    }

    /// What was opened last and never closed, with its line.
    var unclosed: (text: String, line: Int)? {
        var open: [LuaToken] = []
        for token in tokens {
            switch nesting(of: token) {
            case 1: open.append(token)
            case -1: if !open.isEmpty { open.removeLast() }
            default: break
            }
        }
        return open.last.map { ($0.text, $0.line) }
    }

    /// 1 for what opens something, -1 for what closes it.
    private func nesting(of token: LuaToken) -> Int {
        switch (token.kind, token.text) {
        case (.symbol, "{"), (.symbol, "("), (.symbol, "["), (.name, "function"), (.name, "if"), (.name, "do"), (.name, "repeat"): 1
        case (.symbol, "}"), (.symbol, ")"), (.symbol, "]"), (.name, "end"), (.name, "until"): -1
        default: 0
        }
    }

    /// The first token of a line whose text is this one; else the first of the line.
    func place(onLine line: Int, near text: String?) -> Place {
        var onLine = tokens.indices.filter { tokens[$0].line == line }
        // Where a condition begins no value can be given any more: the `=` that is one too many stands behind it.
        if text == "=", let condition = onLine.first(where: { SourcePlaces.conditions.contains(tokens[$0].text) }) {
            onLine.removeAll { $0 < condition }
        }
        if let text, let index = onLine.first(where: { tokens[$0].text == text || written($0) == text }) {
            return place(of: index)
        }
        return onLine.first.map(place(of:)) ?? Place(line: line, column: 1)
    }

    /// Where a line reads a variable: the name stands there on its own, not as a key, a field or in quotes.
    func place(ofRead name: String, onLine line: Int) -> Place? {
        tokens.indices.first { index in
            guard tokens[index].line == line, isWord(index, name), !isSymbol(index + 1, "=") else { return false }
            if index > 0, isSymbol(index - 1, ":") { return false }
            guard index > 0, isSymbol(index - 1, ".") else { return true }
            return index > 1 && isSymbol(index - 2, ".")
        }.map(place(of:))
    }

    /// What a line reads a name as, with all that stands before it: `msg.data.name` for `name`.
    func reading(of name: String, onLine line: Int) -> String? {
        guard let end = tokens.indices.first(where: { tokens[$0].line == line && isWord($0, name) && !isSymbol($0 + 1, "=") })
        else { return nil }
        var parts = [name]
        var index = end
        while index > 1, isSymbol(index - 1, "."), tokens[index - 2].kind == .name {
            index -= 2
            parts.append(tokens[index].text)
        }
        // Behind a bracket or a call it is not the whole; two dots join texts.
        guard index == 0 || !isSymbol(index - 1, ".") || index > 1 && isSymbol(index - 2, ".") else { return nil }
        return parts.reversed().joined(separator: ".")
    }

    /// `rule "name" (` where a brace belongs: the name.
    func ruleInParentheses(onLine line: Int) -> String? {
        for index in tokens.indices where isWord(index, "rule") && tokens[index].line <= line && isSymbol(index + 2, "(") {
            guard tokens[index + 1].kind == .string, !isSymbol(index + 3, "{") else { continue }
            let next = tokens[(index + 1)...].first { $0.kind == .name && $0.text == "rule" }
            if next.map({ $0.line > line }) ?? true { return tokens[index + 1].text }
        }
        return nil
    }

    /// The names behind `local` and `local function`.
    var localNames: [String] {
        tokens.indices.dropLast().compactMap { index in
            guard isWord(index, "local") else { return nil }
            let name = isWord(index + 1, "function") ? index + 2 : index + 1
            return name < tokens.count && tokens[name].kind == .name ? tokens[name].text : nil
        }
    }

    private static let conditions: Set<String> = ["return", "if", "elseif", "while", "until"]

    /// The names that stand behind the word `rule` with no table behind them, and where. Not those that are written with a backslash: what
    /// they are called only Lua knows.
    var namesWithoutTable: [(name: String, place: Place)] {
        tokens.indices.dropLast().compactMap { index in
            guard isWord(index, "rule"), tokens[index + 1].kind == .string, !isSymbol(index + 2, "{"), !isSymbol(index + 2, "(") else {
                return nil
            }
            if tokens[index + 1].text.contains("\\") { return nil }
            if index > 0, isSymbol(index - 1, ".") || isSymbol(index - 1, ":") { return nil }
            return (tokens[index + 1].text, place(of: index))
        }
    }

    /// The first of some characters on a line.
    func place(ofAny characters: Set<Character>, onLine line: Int) -> Place? {
        let lines = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard line > 0, line <= lines.count else { return nil }
        let text = String(decoding: lines[line - 1], as: UTF8.self)
        guard let index = text.firstIndex(where: characters.contains) else { return nil }
        return Place(line: line, column: text[..<index].unicodeScalars.count + 1)
    }

    /// Whether a text in straight quotes holds one of some characters, and behind it what looks like Lua again.
    func hasTextWith(_ characters: Set<Character>, onLine line: Int) -> Bool {
        tokens.contains { token in
            guard token.line == line, token.kind == .string else { return false }
            guard let quote = token.text.firstIndex(where: characters.contains) else { return false }
            let rest = String(token.text[token.text.index(after: quote)...]).trimmed
            return rest.isEmpty || rest.hasPrefix(",") || rest.hasPrefix("}") || rest.hasPrefix(")")
        }
    }

    func character(at place: Place) -> Character? {
        let lines = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard place.line > 0, place.line <= lines.count else { return nil }
        let scalars = String(decoding: lines[place.line - 1], as: UTF8.self).unicodeScalars
        return scalars.dropFirst(place.column - 1).first.map { Character($0) }
    }

    /// Line and column of a byte.
    func place(ofByte offset: Int) -> Place {
        let line = max(1, lineStarts.firstPlace { $0 > offset })
        let column = source[lineStarts[line - 1]..<min(max(offset, lineStarts[line - 1]), source.count)].count { $0 & 0xC0 != 0x80 } + 1
        return Place(line: line, column: column)
    }

    /// The first of some tokens, in order, that stands on a line or below it.
    private func first(of indices: [Int], from line: Int) -> Int? {
        let place = indices.firstPlace { tokens[$0].line >= line }
        return place < indices.count ? indices[place] : nil
    }

    private func place(of index: Int) -> Place { place(ofByte: tokens[index].offset) }

    private func written(_ index: Int) -> String {
        let end = index + 1 < tokens.count ? tokens[index + 1].offset : source.count
        let text = String(decoding: source[tokens[index].offset..<end], as: UTF8.self)
        return String(text.prefix { !$0.isNewline }).trimmed
    }

    private func isWord(_ index: Int, _ word: String) -> Bool {
        index < tokens.count && tokens[index].kind == .name && tokens[index].text == word
    }
    private func isSymbol(_ index: Int, _ symbol: String) -> Bool {
        index < tokens.count && tokens[index].kind == .symbol && tokens[index].text == symbol
    }
    private func opening(from start: Int, within count: Int) -> Int? {
        (start..<min(start + count, tokens.count)).first { isSymbol($0, "{") }
    }

    /// The token of the last step of the path that is written out in the table that opens at an index.
    private func find(_ path: [PathStep], inTableAt open: Int) -> Int? {
        var found: Int?
        var table: Int? = open
        for step in path {
            guard let opened = table, let item = item(step, inTableAt: opened) else { break }
            found = item.place
            table = isSymbol(item.value, "{") ? item.value : nil
            if table == nil, tokens.indices.contains(item.value), tokens[item.value].kind == .name,
                isSymbol(item.value + 1, "{")
            {
                table = item.value + 1
            }
        }
        return found
    }

    /// Where an item of a table begins, and where its value does.
    private func item(_ step: PathStep, inTableAt open: Int) -> (place: Int, value: Int)? {
        var index = open + 1
        var position = 0
        while index < tokens.count, !isSymbol(index, "}") {
            let start = index
            var key: String?
            var value = index
            if tokens[index].kind == .name, isSymbol(index + 1, "=") {
                key = tokens[index].text
                value = index + 2
            } else if isSymbol(index, "["), index + 1 < tokens.count, isSymbol(index + 2, "]"), isSymbol(index + 3, "=") {
                key = tokens[index + 1].text
                value = index + 4
            } else {
                position += 1
            }
            switch step {
            case .key(let wanted) where key == wanted: return (start, value)
            case .place(let wanted) where key == nil && position == wanted: return (start, value)
            default: index = endOfItem(from: value)
            }
        }
        return nil
    }

    /// Behind the comma that ends an item, or at the brace that closes its table.
    private func endOfItem(from start: Int) -> Int {
        var depth = 0
        var index = start
        while index < tokens.count {
            if depth == 0, isSymbol(index, "}") { return index }
            if depth == 0, isSymbol(index, ",") || isSymbol(index, ";") { return index + 1 }
            depth += nesting(of: tokens[index])
            index += 1
        }
        return index
    }
}

extension [Int] {
    /// Of a list whose elements fulfil a condition from some place on: that place.
    fileprivate func firstPlace(where isBehind: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension String {
    var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
