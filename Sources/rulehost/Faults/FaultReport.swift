// The words for a fault: one sentence on what is wrong and where, the place itself when there is a text to show,
// and what to do. Printed on stderr by Console; a first line "file:line:column: error: …" is what editors follow.

import JSONDocument
import PushMessage
import RuleEngine
import RuleStore

struct FaultReport {
    let place: String?
    let message: String
    let excerpt: Excerpt?
    let hint: String?

    func text(code: String, _ ink: Ink) -> String {
        var text = ink.paint("\(place ?? "rulehost"):", .strong) + " " + ink.paint("error:", .bad) + " \(message) "
        text += ink.paint("[\(code)]", .faint) + "\n"
        if let excerpt { text += excerpt.text(ink) }
        if let hint { text += "  " + ink.paint("hint:", .accent) + " \(hint)\n" }
        return text
    }
}

extension FaultReport {
    fileprivate static func message(_ source: String, _ text: [UInt8], _ line: Int, _ fault: MessageFault) -> FaultReport {
        var place = source
        var excerpt: Excerpt?
        // The text of a document that is too long was not read to its end, so there is no place to show.
        if let inner = fault.line, let column = fault.column, fault.code != JSONFault.Code.tooLarge.rawValue {
            place += ":\(line + inner - 1):\(column)"
            excerpt = Excerpt(of: text, line: inner, column: column, numbered: line + inner - 1)
            return FaultReport(place: place, message: fault.message, excerpt: excerpt, hint: fault.hint)
        }
        if line > 1 { place += ":\(line)" }
        let hint = "a message has at most \(MessageStream.limit) bytes; phones take 4096"
        return FaultReport(place: place, message: fault.message, excerpt: nil, hint: hint)
    }
}

extension RuleFaultPlace {
    var report: FaultReport {
        var place = path
        if fault.line > 0 { place += ":\(fault.line)" }
        if fault.line > 0, fault.column > 0 { place += ":\(fault.column)" }
        return FaultReport(
            place: place, message: fault.message.printable,
            excerpt: source.flatMap { Excerpt(of: $0, line: fault.line, column: fault.column) }, hint: fault.hint?.printable)
    }
}

extension CommandFault {
    var report: FaultReport {
        switch self {
        case .unknownVerb(let name, let suggestion):
            usage("there is no verb `\(name)`", suggestion, "`rulehost help` lists the verbs")
        case .unknownFlag(let name, let verb, let suggestion):
            usage(
                verb.map { "\($0) has no flag \(name)" } ?? "there is no flag \(name)", suggestion,
                "`rulehost help\(verb.map { " \($0)" } ?? "")` lists the flags")
        case .missingValue(let flag, let placeholder):
            usage("--\(flag) needs a value", nil, "write --\(flag)=\(placeholder)")
        case .needlessValue(let flag):
            usage("--\(flag) takes no value", nil, "write --\(flag) alone")
        case .invalidValue(let flag, let value, let expected, let suggestion):
            usage("`\(value)` is not a value of --\(flag)", suggestion, "expected: \(expected)")
        case .unexpectedOperand(let word, let verb):
            usage("\(verb) does not know what to do with `\(word)`", nil, "`rulehost help \(verb)` shows how it is called")
        case .missingOperand(let verb, let operands):
            usage("\(verb) needs \(operands)", nil, "`rulehost help \(verb)` shows examples")
        case .inputTwice: usage("standard input can be read only once", nil, "write - once")
        case .unreadableFile(let path, let errno):
            FaultReport(
                place: path, message: "the file cannot be read: \(SystemError.text(errno))", excerpt: nil,
                hint: errno == SystemError.noSuchFile ? "check the name; paths are relative to the folder you are in" : nil)
        case .unreadableJSON(let source, let text, let fault):
            FaultReport(
                place: "\(source):\(fault.line):\(fault.column)", message: fault.message,
                excerpt: Excerpt(of: text, line: fault.line, column: fault.column), hint: fault.hint)
        case .notAnObject(let source):
            FaultReport(place: source, message: "this must be a JSON object", excerpt: nil, hint: "write {\"key\": value}")
        case .unreadableMessage(let source, let text, let line, let fault):
            .message(source, text, line, fault)
        case .request(let fault, let source):
            FaultReport(place: source, message: fault.message.printable, excerpt: nil, hint: fault.hint?.printable)
        case .appNotNamed(let apps, let folder):
            usage(
                apps.isEmpty ? "\(folder) has no apps" : "it is not said which app decides", nil,
                apps.isEmpty
                    ? "make a folder \(folder)/APP with an app.lua in it"
                    : "write --app with one of: \(apps.prefix(20).joined(separator: ", "))")
        case .rules(let places):
            // Console reports each of them by itself.
            places.first?.report ?? FaultReport(place: nil, message: "the rules do not load", excerpt: nil, hint: nil)
        case .store(let fault):
            FaultReport(
                place: fault.path + (fault.line > 0 ? ":\(fault.line):\(fault.column)" : ""), message: fault.message,
                excerpt: Excerpt(ofFile: fault.path, line: fault.line, column: fault.column), hint: fault.hint)
        case .stateNotWritten(let path, let reason):
            FaultReport(place: path, message: "the state cannot be written: \(reason)", excerpt: nil, hint: nil)
        case .outputNotWritten(let errno):
            FaultReport(place: nil, message: "the answer cannot be written: \(SystemError.text(errno))", excerpt: nil, hint: nil)
        case .internalFault(let what):
            FaultReport(place: nil, message: what, excerpt: nil, hint: "this is a fault of rulehost: please report it")
        }
    }

    private func usage(_ message: String, _ suggestion: String?, _ advice: String) -> FaultReport {
        FaultReport(
            place: nil, message: message.printable, excerpt: nil,
            hint: suggestion.map { "did you mean \($0)? \(advice)" } ?? advice)
    }
}
