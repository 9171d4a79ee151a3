// The words for a fault: one sentence on what is wrong and where, the place itself when there is a text to show,
// and what to do. Printed on stderr by Console; a first line "file:line:column: error: …" is what editors follow.

import EffectStore
import HTTPAPI
import HostTelemetry
import JSONDocument
import PushMessage
import RuleEngine
import RuleHosting
import RuleLab
import RuleStore

struct FaultReport {
    let place: String?
    let message: String
    let excerpt: Excerpt?
    let hint: String?

    func text(code: String, _ ink: Ink) -> String {
        // Names of files, apps and flags may hold anything; nothing of it may reach the terminal as a command.
        var text = ink.paint("\((place ?? "rulehost").printable):", .strong) + " " + ink.paint("error:", .bad)
        text += " \(message.printable) " + ink.paint("[\(code)]", .faint) + "\n"
        if let excerpt { text += excerpt.text(ink) }
        if let hint { text += "  " + ink.paint("hint:", .accent) + " \(hint.printable)\n" }
        return text
    }
}

extension FaultReport {
    fileprivate static func message(
        _ source: String, _ text: [UInt8], _ line: Int, _ size: Int?, _ fault: MessageFault
    ) -> FaultReport {
        var message = fault.message
        var hint = fault.hint
        if fault.code == JSONFault.Code.tooLarge.rawValue {
            if let size { message = "the text has \(size) bytes, but at most \(MessageStream.limit) are allowed" }
            hint = "phones take 4096 bytes"
        }
        guard let inner = fault.line, let column = fault.column else {
            return FaultReport(place: line > 1 ? "\(source):\(line)" : source, message: message, excerpt: nil, hint: hint)
        }
        let number = line + inner - 1
        return FaultReport(
            place: "\(source):\(number):\(column)", message: message + (fault.offset.map(atByte) ?? ""),
            excerpt: Excerpt(of: text, line: inner, column: column, numbered: number), hint: hint)
    }

    /// - Parameter line: of the text in its source, from 1.
    fileprivate static func json(
        _ source: String, _ text: [UInt8], line: Int = 1, _ fault: JSONFault, hint: String? = nil
    ) -> FaultReport {
        let number = line + fault.line - 1
        return FaultReport(
            place: "\(source):\(number):\(fault.column)", message: fault.message + atByte(fault.offset),
            excerpt: Excerpt(of: text, line: fault.line, column: fault.column, numbered: number), hint: hint ?? fault.hint)
    }

    /// From 0, in the document or, of one document a line, in its line.
    private static func atByte(_ offset: Int) -> String { " (byte \(offset))" }

    fileprivate static func notAnObject(_ source: String, _ text: [UInt8]) -> FaultReport {
        let place = TextPlace(of: text.firstIndex { $0 > 0x20 } ?? 0, in: text)
        return FaultReport(
            place: "\(source):\(place.line):\(place.column)", message: "this must be a JSON object",
            excerpt: Excerpt(of: text, line: place.line, column: place.column), hint: "write {\"key\": value}")
    }

    fileprivate static func traffic(_ source: String, _ text: [UInt8], _ line: Int, _ fault: TrafficFault) -> FaultReport {
        guard let offset = fault.offset else {
            return FaultReport(place: "\(source):\(line)", message: fault.message.printable, excerpt: nil, hint: fault.hint?.printable)
        }
        let column = TextPlace(of: offset, in: text).column
        return FaultReport(
            place: "\(source):\(line):\(column)", message: fault.message.printable,
            excerpt: Excerpt(of: text, line: 1, column: column, numbered: line), hint: fault.hint?.printable)
    }

    fileprivate static func noTraffic(
        _ source: String, _ lines: String, _ first: (line: Int, text: [UInt8], fault: TrafficFault)?
    ) -> FaultReport {
        let form = #"a line of traffic is {"at": "2026-01-01T12:00:00Z", "app": "APP", "message": {…}, "device": {…}}"#
        guard let first else {
            return FaultReport(place: source, message: "it has no line", excerpt: nil, hint: form)
        }
        let report = traffic(source, first.text, first.line, first.fault)
        let message = lines == "1" ? "its only line cannot be read" : "none of its \(lines) lines can be read; of the first"
        return FaultReport(place: report.place, message: "\(message): \(report.message)", excerpt: report.excerpt, hint: form)
    }

    fileprivate static func condition(_ text: String, _ fault: FailCondition.Fault) -> FaultReport {
        FaultReport(
            place: "--fail-if:1:\(fault.column)", message: fault.message.printable,
            excerpt: Excerpt(of: Array(text.utf8), line: 1, column: fault.column, length: fault.length), hint: fault.hint.printable)
    }

    fileprivate static func vary(_ text: String, _ fault: VaryText.Fault) -> FaultReport {
        FaultReport(
            place: "--vary:1:\(fault.column)", message: fault.message.printable,
            excerpt: Excerpt(of: Array(text.utf8), line: 1, column: fault.column, length: fault.length), hint: fault.hint?.printable)
    }

    fileprivate static func combinations(_ count: Int?, _ most: Int, _ inputs: [(name: String, values: Int)]) -> FaultReport {
        let factors = inputs.map { "\($0.name) has \(Figures.grouped($0.values))" }.joined(separator: ", ")
        let widest = inputs.max { $0.values < $1.values }?.name ?? ""
        return FaultReport(
            place: nil,
            message:
                "there are \(count.map { Figures.grouped($0) } ?? "too many") combinations, and at most \(Figures.grouped(most)) are decided: "
                + factors.printable, excerpt: nil,
            hint: "vary fewer values, \(widest) first, or hold an input fast: --state, --tab, --permission, --set".printable)
    }

    fileprivate static func request(_ source: String, _ text: [UInt8], _ fault: RequestFault) -> FaultReport {
        let place = fault.place(in: text)
        return FaultReport(
            place: source + (place.map { ":\($0.line):\($0.column)" } ?? ""), message: fault.message.printable,
            excerpt: place.flatMap { Excerpt(of: text, line: $0.line, column: $0.column) }, hint: fault.hint?.printable)
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
            usage("there is no verb `\(name.withoutUserinfo)`", suggestion, "`rulehost help` lists the verbs")
        case .unknownFlag(let name, let verb, let suggestion):
            usage(
                verb.map { "\($0) has no flag \(name.withoutUserinfo)" } ?? "there is no flag \(name.withoutUserinfo)", suggestion,
                // -5, as a value may be.
                name.dropFirst().first?.isNumber ?? false
                    ? "write -- before words that are no flags: -- \(name)"
                    : "`rulehost help\(verb.map { " \($0)" } ?? "")` lists the flags")
        case .missingValue(let flag, let placeholder):
            usage("--\(flag) needs a value", nil, "write --\(flag)=\(placeholder)")
        case .needlessValue(let flag):
            usage("--\(flag) takes no value", nil, "write --\(flag) alone")
        case .invalidValue(let flag, let value, let expected, let suggestion):
            usage("`\(value.withoutUserinfo)` is not a value of --\(flag)", suggestion, "expected: \(expected)")
        case .notUTF8(let word):
            usage(
                "`\(word.withoutUserinfo)` holds bytes that are not UTF-8", nil,
                "give a file of such a name another one, or hand its content over on standard input: < FILE")
        // Other verbs of versions take an app by itself.
        case .unexpectedOperand(let word, let verb) where ["versions", "audit"].contains(verb) && RulesFolder.isAppName(word):
            usage("\(verb) does not know what to do with `\(word)`", nil, "of one app: rulehost \(verb) --app \(word)")
        case .unexpectedOperand(let word, let verb):
            usage("\(verb) does not know what to do with `\(word.withoutUserinfo)`", nil, "`rulehost help \(verb)` shows how it is called")
        case .missingOperand(let verb, let operands):
            usage("\(verb) needs \(operands)", nil, "`rulehost help \(verb)` shows examples")
        case .fetchUnavailable:
            usage(
                "the pictures cannot be fetched: libcurl is not installed", nil,
                "install it (on Debian: apt-get install libcurl4), or leave out --fetch")
        case .flagsDisagree(let one, let other, let why): usage("--\(one) and --\(other) do not go together", nil, why)
        case .inputTwice: usage("standard input can be read only once", nil, "write - once")
        case .unreadableFile(let path, let errno):
            FaultReport(
                place: path, message: "the file cannot be read: \(SystemError.text(errno))", excerpt: nil,
                hint: errno == SystemError.noSuchFile ? "check the name; paths are relative to the folder you are in" : nil)
        case .notAFile(let path): FaultReport(place: path, message: "it is not a file", excerpt: nil, hint: "put a file there")
        case .fileTooLong(let path, let limit):
            FaultReport(
                place: path, message: "the file has more than the \(limit) bytes that are taken", excerpt: nil,
                hint: "nothing of a longer one is looked at; is it the right file?")
        case .unreadableJSON(let source, let text, let fault):
            .json(source, text, fault)
        case .unreadableValue(let text, let hint, let fault):
            .json("VALUE", text, fault, hint: hint)
        case .unreadableLine(let source, let text, let line, let fault):
            .json(source, text, line: line, fault)
        case .unreadableEvent(let text, let fault):
            .json("--event", text, fault, hint: EventDocument.form)
        case .notAnObject(let source, let text):
            .notAnObject(source, text)
        case .unreadableMessage(let source, let text, let line, let size, let fault):
            .message(source, text, line, size, fault)
        case .request(let fault, let source, let text):
            .request(source, text, fault)
        case .unreadableTraffic(let source, let text, let line, let fault): .traffic(source, text, line, fault)
        case .noTraffic(let source, let lines, let first): .noTraffic(source, lines, first)
        case .failCondition(let text, let fault): .condition(text, fault)
        case .varyText(let text, let fault): .vary(text, fault)
        case .tooManyCombinations(let count, let most, let inputs): .combinations(count, most, inputs)
        case .noThread:
            FaultReport(
                place: nil, message: "the system gives no thread to work on", excerpt: nil,
                hint: "end other programs, or raise the limit (ulimit -u)")
        case .hostNotStarted(let fault): FaultReport(place: nil, message: fault.message, excerpt: nil, hint: fault.hint)
        case .notListening(let fault): fault.report
        case .tokens(let path, let fault):
            FaultReport(place: "\(path):\(fault.line)", message: fault.message, excerpt: nil, hint: fault.hint)
        case .hostUnreachable(let place, let message, let hint):
            FaultReport(place: place, message: message, excerpt: nil, hint: hint)
        case .ofHost(let place, let problem): FaultReport(place: place, message: problem.detail, excerpt: nil, hint: problem.hint)
        case .secret(let path, let message, let hint): FaultReport(place: path, message: message, excerpt: nil, hint: hint)
        case .tls(let certificate, let key, let fault): fault.report(certificate: certificate, key: key)
        case .telemetry(let fault): FaultReport(place: nil, message: fault.message, excerpt: nil, hint: fault.hint)
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
                // Only state has places, and what is remembered of people is nobody's business.
                excerpt: nil, hint: fault.hint)
        case .effectStore(let fault):
            FaultReport(place: fault.path, message: fault.message.printable, excerpt: nil, hint: fault.hint?.printable)
        case .versions(let problem): FaultReport(place: nil, message: problem.detail, excerpt: nil, hint: problem.hint)
        case .stateNotWritten(let path, let reason):
            FaultReport(place: path, message: "the state cannot be written: \(reason)", excerpt: nil, hint: nil)
        case .outputNotWritten(let errno):
            FaultReport(place: nil, message: "the answer cannot be written: \(SystemError.text(errno))", excerpt: nil, hint: nil)
        case .noCaseRan(let filter):
            FaultReport(
                place: nil,
                message: filter.map { "no case has the words `\($0)` in its file or name".printable } ?? "there is no case to run",
                excerpt: nil,
                hint: filter == nil
                    ? "docs/cases.md tells how a case is written, and where it stands"
                    : "the words are looked for as they stand, one after the other, in \"cases/FILE.json NAME OF THE CASE\"; capitals and hyphens do not matter"
            )
        case .unknownEntry(let word, let suggestion):
            usage("the reference has nothing about `\(word)`", suggestion.map { "`\($0)`" }, "`rulehost docs` lists what there is")
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
