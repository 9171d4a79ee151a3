// Turns what the Lua machine says of a file that did not load into a fault that a person who does not know Lua can
// act on: a place with a column, and a hint for the slips that are made most.
import LuaSandbox
import PushMessage

struct ScriptFaultReader {
    private let fault: ScriptFault
    private let file: SourceFile
    private let modules: [String]
    private let places: SourcePlaces

    /// - Parameter modules: the names that `require` knows, to guess from.
    static func read(_ fault: ScriptFault, file: SourceFile, _ text: SourceText, modules: [String]) -> RuleFault {
        let reader = ScriptFaultReader(fault: fault, file: file, modules: modules, places: text.places)
        return reader.read()
    }

    private func read() -> RuleFault {
        let (message, hint) = sentence
        var place = SourcePlaces.Place(line: fault.line, column: fault.column)
        if fault.code == .luaSyntax, let quote = curlyQuote {
            place = quote
        } else if fault.line > 0, fault.column == 0 {
            place = places.place(onLine: fault.line, near: fault.code == .luaSyntax ? near : name)
        }
        return RuleFault(
            code: code, file: file.path, line: place.line, column: place.column, message: message, hint: hint)
    }

    private var code: RuleFault.Code {
        switch fault.code {
        case .luaSyntax: .luaSyntax
        case .sourceRefused: .sourceRefused
        case .sourceTooLarge: .fileTooLarge
        case .ruleRaised where namelessRule != nil: .ruleWithoutName
        case .ruleRaised, .machineDead: .scriptRaised
        case .badValue: .badValue
        case .budgetFuel: .budgetFuel
        case .budgetMemory: .budgetMemory
        case .budgetTime: .budgetTime
        }
    }

    private var sentence: (message: String, hint: String?) {
        switch fault.code {
        case .luaSyntax:
            if let quote = curlyQuoteText { return ("\(quote) is not a quote of Lua", "write straight quotes: \"…\"") }
            return (fault.message, syntaxHint)
        case .budgetFuel, .budgetMemory, .budgetTime:
            return (fault.message, "loading a file should only declare rules; look for a loop that does not end")
        case .ruleRaised: return raised
        case .sourceRefused, .sourceTooLarge, .badValue, .machineDead: return (fault.message, nil)
        }
    }

    // MARK: scripts that failed

    /// The machine's own sentences carry their advice behind a mark; what a script raised stays as it is.
    private var raised: (message: String, hint: String?) {
        if let namelessRule { return (namelessRule, "write what it does: rule \"Chat: stay quiet\" { … }") }
        if file.path == "app.lua", !places.hasReturn, fault.message.contains(" is not a local variable: ") {
            return (parted(at: ": ")?.what ?? fault.message, manifestHint)
        }
        if let (what, advice) = parted(at: ": there is no such module; ") {
            let module = quoted(after: "require ")
            let near = module.flatMap { DidYouMean.nearest(to: $0, among: modules) }
            return ("there is no module \"\(module ?? what)\"", near.map { "did you mean \"\($0)\"?" } ?? advice)
        }
        if let (what, advice) = parted(at: " is not defined; ") { return ("\(what) is not defined", advice) }
        if let (what, advice) = parted(at: " is not a local variable: ") { return ("\(what) is not a local variable", advice) }
        return (fault.message, nil)
    }

    /// What is wrong with the name of a rule that has none, in the machine's words.
    private var namelessRule: String? {
        let beginnings = ["a rule needs a name", "a rule's name must not be empty", "a rule's name must be text"]
        guard fault.code == .ruleRaised, beginnings.contains(where: fault.message.hasPrefix) else { return nil }
        return parted(at: ": ")?.what ?? fault.message
    }

    private func parted(at mark: String) -> (what: String, advice: String)? {
        guard let range = fault.message.firstRange(of: mark) else { return nil }
        return (String(fault.message[..<range.lowerBound]), String(fault.message[range.upperBound...]))
    }

    /// The name that an error is about.
    private var name: String? {
        if fault.message.hasPrefix("'") { return quoted(after: "") }
        for kind in ["global ", "local ", "field ", "method ", "upvalue ", "require "] {
            if let name = quoted(after: kind) { return name }
        }
        return nil
    }

    private func quoted(after word: String) -> String? {
        let start = word.isEmpty ? fault.message.startIndex : fault.message.firstRange(of: word)?.upperBound
        guard let start, start < fault.message.endIndex else { return nil }
        let quote = fault.message[start]
        guard quote == "'" || quote == "\"" else { return nil }
        let name = fault.message[start...].dropFirst().prefix { $0 != quote }
        return name.isEmpty ? nil : String(name)
    }

    // MARK: text that is not Lua

    private var syntaxHint: String? {
        if fault.message.contains("unfinished string") { return "a quote is missing at the end of the text" }
        if near == "<eof>" {
            return places.unclosed.map { "the `\($0.text)` of line \($0.line) is never closed" }
        }
        if file.path == "app.lua", !places.hasReturn { return manifestHint }
        if fault.message.hasPrefix("'}' expected"), let near { return "a comma may be missing before `\(near)`" }
        if fault.message.hasPrefix("')' expected"), let rule = places.ruleInParentheses(onLine: fault.line) {
            return "the keys of a rule stand in braces: rule \"\(rule)\" { … }"
        }
        if fault.message.contains("(to close "), let line = openedLine { return "look at line \(line), where it was opened" }
        switch near {
        case "+": return "to count up write the text \"+1\", with quotes"
        case "=" where !fault.message.hasPrefix("'then'"): return "\"equals\" is written =="
        case "!", "!=": return "\"is not\" is written ~="
        case "&", "&&": return "\"and\" is written and"
        case "|", "||": return "\"or\" is written or"
        default:
            return fault.message.hasPrefix("'then' expected") ? "a condition ends with then; \"equals\" is written ==" : nil
        }
    }

    private var manifestHint: String { "app.lua gives its table back: write return { api = 1 }" }

    /// What the parser stood at: `… near 'decide'`.
    private var near: String? {
        guard let start = fault.message.ranges(of: "near ").last?.upperBound else { return nil }
        let rest = String(fault.message[start...]).trimmed
        guard rest.hasPrefix("'"), rest.hasSuffix("'"), rest.count > 2 else { return rest }
        return String(rest.dropFirst().dropLast())
    }

    /// The line of `(to close '{' at line 3)`.
    private var openedLine: Int? {
        guard let start = fault.message.firstRange(of: "at line ")?.upperBound else { return nil }
        return Int(fault.message[start...].prefix { $0.isNumber })
    }

    private static let curlyQuotes: Set<Character> = ["“", "”", "„", "‘", "’"]

    /// A typographic quote at which the parser stopped: it names such bytes by number. One that was to end a text has
    /// not ended it, and the parser stopped behind it.
    private var curlyQuote: SourcePlaces.Place? {
        let isStop = near?.hasPrefix("<\\226") ?? false
        guard isStop || places.hasTextWith(ScriptFaultReader.curlyQuotes, onLine: fault.line) else { return nil }
        return places.place(ofAny: ScriptFaultReader.curlyQuotes, onLine: fault.line)
    }

    private var curlyQuoteText: Character? { curlyQuote.flatMap(places.character) }
}
