// Turns what the Lua machine says of a file that did not load into a fault that a person who does not know Lua can
// act on: a place with a column, and a hint for the slips that are made most.
import LuaSandbox
import PushMessage

enum ScriptFaultReader {
    static func read(_ fault: ScriptFault, file: SourceFile, modules: [String]) -> RuleFault {
        let places = SourcePlaces(file.bytes)
        var line = fault.line
        var column = fault.column
        if line > 0, column == 0 {
            let place = places.place(onLine: line, near: fault.code == .luaSyntax ? near(fault.message) : named(fault.message))
            (line, column) = (place.line, place.column)
        }
        return RuleFault(
            code: code(of: fault), file: file.path, line: line, column: column, message: fault.message,
            hint: hint(for: fault, modules: modules))
    }

    private static func code(of fault: ScriptFault) -> RuleFault.Code {
        switch fault.code {
        case .luaSyntax: .luaSyntax
        case .sourceRefused: .sourceRefused
        case .sourceTooLarge: .fileTooLarge
        case .ruleRaised, .machineDead: .scriptRaised
        case .badValue: .badValue
        case .budgetFuel: .budgetFuel
        case .budgetMemory: .budgetMemory
        case .budgetTime: .budgetTime
        }
    }

    private static func hint(for fault: ScriptFault, modules: [String]) -> String? {
        switch fault.code {
        case .luaSyntax: return syntaxHint(fault.message)
        case .budgetFuel, .budgetMemory, .budgetTime:
            return "loading a file should only declare rules; look for a loop that does not end"
        case .ruleRaised:
            if let module = quoted(after: "module ", in: fault.message) {
                return DidYouMean.nearest(to: module, among: modules).map { "did you mean \"\($0)\"?" }
                    ?? "modules stand in lib/ and are named \"lib.name\""
            }
            guard let global = quoted(after: "global ", in: fault.message) else { return nil }
            return DidYouMean.nearest(to: global, among: ScriptWorld.names).map { "did you mean `\($0)`?" }
                ?? "`\(global)` has no value here; is a local missing, or are quotes?"
        case .sourceRefused, .sourceTooLarge, .badValue, .machineDead: return nil
        }
    }

    private static func syntaxHint(_ message: String) -> String? {
        let near = near(message)
        if let near, near.contains("“") || near.contains("”") || near.contains("‘") || near.contains("’") {
            return "use straight quotes: \""
        }
        if message.contains("unfinished string") { return "a quote is missing at the end of the text" }
        if let line = openedLine(message) {
            if near == "<eof>" { return "what was opened on line \(line) is never closed" }
            if message.hasPrefix("'}' expected") { return "a comma may be missing before `\(near ?? "")`" }
            return "look at line \(line), where it was opened"
        }
        if message.hasPrefix("'}' expected"), let near, near != "<eof>" { return "a comma may be missing before `\(near)`" }
        if near == "<eof>" { return "the file ends too early: something that was opened is not closed" }
        switch near {
        case "!", "!=": return "\"is not\" is written ~="
        case "&", "&&": return "\"and\" is written and"
        case "|", "||": return "\"or\" is written or"
        default: return message.hasPrefix("'then' expected") ? "a condition ends with then; \"equals\" is written ==" : nil
        }
    }

    /// What the parser stood at: `… near 'decide'`.
    private static func near(_ message: String) -> String? {
        guard let start = message.ranges(of: "near ").last?.upperBound else { return nil }
        let rest = message[start...]
        guard rest.hasPrefix("'"), rest.hasSuffix("'"), rest.count > 2 else { return rest.trimmed }
        return String(rest.dropFirst().dropLast())
    }

    /// The line of `(to close '{' at line 3)`.
    private static func openedLine(_ message: String) -> Int? {
        guard let start = message.firstRange(of: "at line ")?.upperBound else { return nil }
        return Int(message[start...].prefix { $0.isNumber })
    }

    /// The name that an error of a running script is about.
    private static func named(_ message: String) -> String? {
        for kind in ["global ", "local ", "field ", "method ", "upvalue ", "module "] {
            if let name = quoted(after: kind, in: message) { return name }
        }
        return nil
    }

    private static func quoted(after word: String, in message: String) -> String? {
        guard let start = message.firstRange(of: word)?.upperBound else { return nil }
        let rest = message[start...]
        guard let quote = rest.first, quote == "'" || quote == "\"" else { return nil }
        let name = rest.dropFirst().prefix { $0 != quote }
        return name.isEmpty ? nil : String(name)
    }
}

extension Substring {
    fileprivate var trimmed: String { String(self).trimmed }
}
