// The words for a fault: one sentence on what is wrong and where, the place itself when there is a text to show,
// and what to do. Printed on stderr by Console; a first line "file:line:column: error: …" is what editors follow.

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
        case .unreadableFile(let path, let errno):
            FaultReport(
                place: path, message: "the file cannot be read: \(SystemError.text(errno))", excerpt: nil,
                hint: errno == SystemError.noSuchFile ? "check the name; paths are relative to the folder you are in" : nil)
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
