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

    init(_ source: [UInt8]) {
        self.source = source
        tokens = LuaTokens(source).tokens
    }

    /// In the rule that was declared on a line: the place of a key, or of the rule itself for an empty path.
    func place(of path: [PathStep], inRule name: String, declaredOn line: Int) -> Place {
        var call: Int?
        for (index, token) in tokens.enumerated() where token.line >= line && isWord(index, "rule") {
            if call == nil { call = index }
            if tokens[index...].dropFirst().prefix(2).contains(where: { $0.kind == .string && $0.text == name }) {
                call = index
                break
            }
        }
        guard let call else { return Place(line: max(line, 1), column: 1) }
        guard let open = opening(from: call + 1, within: 4) else { return place(of: call) }
        return place(of: find(path, inTableAt: open) ?? call)
    }

    /// In the table that app.lua returns.
    func place(ofManifest path: [PathStep]) -> Place {
        guard let give = tokens.indices.last(where: { isWord($0, "return") && isSymbol($0 + 1, "{") }) else {
            let give = tokens.indices.last { isWord($0, "return") }
            return give.map(place(of:)) ?? Place(line: 1, column: 1)
        }
        return place(of: find(path, inTableAt: give + 1) ?? give)
    }

    /// The first token of a line whose text is this one; else the first of the line.
    func place(onLine line: Int, near text: String?) -> Place {
        let onLine = tokens.indices.filter { tokens[$0].line == line }
        if let text, let index = onLine.first(where: { tokens[$0].text == text || written($0) == text }) {
            return place(of: index)
        }
        return onLine.first.map(place(of:)) ?? Place(line: line, column: 1)
    }

    /// Line and column of a byte.
    func place(ofByte offset: Int) -> Place {
        var line = 1
        var column = 1
        for byte in source.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return Place(line: line, column: column)
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
            let token = tokens[index]
            switch (token.kind, token.text) {
            case (.symbol, "{"), (.symbol, "("), (.symbol, "["), (.name, "function"), (.name, "if"), (.name, "do"),
                (.name, "repeat"):
                depth += 1
            case (.symbol, "}") where depth == 0: return index
            case (.symbol, "}"), (.symbol, ")"), (.symbol, "]"), (.name, "end"), (.name, "until"): depth -= 1
            case (.symbol, ","), (.symbol, ";"): if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return index
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
