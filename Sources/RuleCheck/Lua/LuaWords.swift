// The words of a file as the parser wants them: signs of several characters joined, names told from reserved words, and
// texts with their escapes read. Made of LuaTokens.
import RuleEngine

struct LuaWords {
    enum Kind { case name, string, number, symbol }

    struct Word {
        let kind: Kind
        /// Of a text as it stands between its quotes.
        let text: String
        let offset: Int

        /// A sign or a reserved word.
        var isFixed: Bool { kind == .symbol }
    }

    let all: [Word]
    private let source: [UInt8]

    private static let reserved: Set<String> = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil", "not", "or",
        "repeat", "return", "then", "true", "until", "while",
    ]
    /// Signs whose characters come one by one.
    private static let joined: Set<String> = ["..", "...", "//", "::", "<<", ">>"]

    init(_ source: [UInt8]) {
        self.source = source
        var words: [Word] = []
        for token in LuaTokens(source).tokens {
            switch token.kind {
            case .name:
                words.append(Word(kind: LuaWords.reserved.contains(token.text) ? .symbol : .name, text: token.text, offset: token.offset))
            case .string: words.append(Word(kind: .string, text: token.text, offset: token.offset))
            case .number: words.append(Word(kind: .number, text: token.text, offset: token.offset))
            case .symbol:
                if let last = words.last, last.kind == .symbol, last.offset + last.text.utf8.count == token.offset,
                    LuaWords.joined.contains(last.text + token.text)
                {
                    words[words.count - 1] = Word(kind: .symbol, text: last.text + token.text, offset: last.offset)
                } else {
                    words.append(Word(kind: .symbol, text: token.text, offset: token.offset))
                }
            }
        }
        all = words
    }

    func isSymbol(_ text: String, at place: Int) -> Bool { place < all.count && all[place].isFixed && all[place].text == text }

    /// What a text says. Of escapes by number only those for ASCII are read; the others stay as they are written.
    func content(of word: Word) -> String {
        guard source[word.offset] != UInt8(ascii: "["), word.text.utf8.contains(UInt8(ascii: "\\")) else { return word.text }
        var text = ""
        var rest = word.text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\", let escaped = rest.popFirst() else {
                text.unicodeScalars.append(scalar)
                continue
            }
            switch escaped {
            case "n": text += "\n"
            case "t": text += "\t"
            case "r": text += "\r"
            case "\\", "\"", "'", "\n": text.unicodeScalars.append(escaped)
            case "z": while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
            case "0"..."9":
                var digits = String(escaped)
                while digits.count < 3, let next = rest.first, ("0"..."9").contains(next) {
                    digits.unicodeScalars.append(rest.removeFirst())
                }
                if let code = UInt8(digits), code < 0x80 { text.unicodeScalars.append(Unicode.Scalar(code)) } else { text += "\\\(digits)" }
            default:
                text += "\\"
                text.unicodeScalars.append(escaped)
            }
        }
        return text
    }

    /// nil for what is no number that counts anything.
    static func number(_ text: String) -> Double? {
        if text.hasPrefix("0x") || text.hasPrefix("0X") { return Int(text.dropFirst(2), radix: 16).map(Double.init) }
        return Double(text)
    }
}
