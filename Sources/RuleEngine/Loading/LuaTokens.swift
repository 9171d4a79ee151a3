// The words of a Lua source with their places. Used to say where a fault is, and by the parser of `check`; whether the text is Lua, the Lua
// machine decides. It never fails: what it cannot read becomes a one-byte symbol.

package struct LuaToken {
    package enum Kind { case name, string, number, symbol }
    package let kind: Kind
    /// For a string what stands between its quotes, escapes unread.
    package let text: String
    /// Bytes from the start of the source.
    package let offset: Int
    package let line: Int
}

package struct LuaTokens {
    package let tokens: [LuaToken]

    package init(_ source: [UInt8]) {
        var scanner = Scanner(source: source)
        tokens = scanner.all()
    }
}

private struct Scanner {
    let source: [UInt8]
    var place = 0
    var line = 1

    init(source: [UInt8]) { self.source = source }

    mutating func all() -> [LuaToken] {
        var tokens: [LuaToken] = []
        while let token = next() { tokens.append(token) }
        return tokens
    }

    private func byte(_ ahead: Int = 0) -> UInt8 { place + ahead < source.count ? source[place + ahead] : 0 }

    private mutating func next() -> LuaToken? {
        skipBlank()
        guard place < source.count else { return nil }
        let start = place
        let startLine = line
        let first = byte()
        if isNameByte(first), !isDigit(first) {
            while isNameByte(byte()), place < source.count { place += 1 }
            return token(.name, start, startLine, start..<place)
        }
        if isDigit(first) || (first == UInt8(ascii: ".") && isDigit(byte(1))) {
            while isNameByte(byte()) || byte() == UInt8(ascii: ".") { place += 1 }
            return token(.number, start, startLine, start..<place)
        }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            return quoted(first, start, startLine)
        }
        if let level = longBracket() {
            let text = skipLong(level)
            return token(.string, start, startLine, text)
        }
        place += 1
        if first == UInt8(ascii: "="), byte() == UInt8(ascii: "=") { place += 1 }
        if first == UInt8(ascii: "~") || first == UInt8(ascii: "<") || first == UInt8(ascii: ">"),
            byte() == UInt8(ascii: "=")
        {
            place += 1
        }
        return token(.symbol, start, startLine, start..<place)
    }

    private func token(_ kind: LuaToken.Kind, _ start: Int, _ line: Int, _ text: Range<Int>) -> LuaToken {
        LuaToken(kind: kind, text: String(decoding: source[text], as: UTF8.self), offset: start, line: line)
    }

    private mutating func quoted(_ quote: UInt8, _ start: Int, _ startLine: Int) -> LuaToken {
        place += 1
        while place < source.count, byte() != quote, byte() != UInt8(ascii: "\n") {
            if byte() == UInt8(ascii: "\\") {
                place += 1
                if byte() == UInt8(ascii: "\n") { line += 1 }
            }
            place += 1
        }
        let end = min(place, source.count)
        place = min(place + 1, source.count)
        if end < source.count, source[end] == UInt8(ascii: "\n") { place = end }
        return token(.string, start, startLine, (start + 1)..<max(start + 1, end))
    }

    private mutating func skipBlank() {
        while place < source.count {
            switch byte() {
            case UInt8(ascii: "\n"):
                line += 1
                place += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 11, 12: place += 1
            case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"):
                place += 2
                if let level = longBracket() {
                    _ = skipLong(level)
                } else {
                    while place < source.count, byte() != UInt8(ascii: "\n") { place += 1 }
                }
            default: return
            }
        }
    }

    /// The level of the `[==[` that begins here.
    private func longBracket() -> Int? {
        guard byte() == UInt8(ascii: "[") else { return nil }
        var level = 0
        while byte(1 + level) == UInt8(ascii: "=") { level += 1 }
        return byte(1 + level) == UInt8(ascii: "[") ? level : nil
    }

    /// Moves behind the closing bracket; gives what stands between.
    private mutating func skipLong(_ level: Int) -> Range<Int> {
        place += level + 2
        let start = min(place, source.count)
        while place < source.count {
            if byte() == UInt8(ascii: "\n") { line += 1 }
            if byte() == UInt8(ascii: "]"), closes(level) {
                let end = place
                place += level + 2
                return start..<end
            }
            place += 1
        }
        return start..<source.count
    }

    private func closes(_ level: Int) -> Bool {
        for ahead in 0..<level where byte(1 + ahead) != UInt8(ascii: "=") { return false }
        return byte(1 + level) == UInt8(ascii: "]")
    }

    private func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    private func isNameByte(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (65...90).contains(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
    }
}
