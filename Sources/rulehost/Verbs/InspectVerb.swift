// `rulehost inspect`: what a payload is. Reads messages and writes what was found; asks no rules.
import JSONDocument
import PushMessage
import RuleEngine
import RuleStore

extension Verb {
    static let inspect = Verb(
        name: "inspect", summary: "shows what a payload is: its fields, what is wrong with it, its callbacks",
        operands: "[MESSAGE… | -]",
        details: [
            "Reads push messages as eval does, and shows for each of them the normalised message, where every field came from, what a sender should repair (lint), the callbacks it causes, and its size.",
            "With --app the app's field map is used. --device says for whom: it decides between iOS and Android and fills in the callbacks.",
            "Lint does not change the exit code.",
        ],
        flags: [.app, .device, .messageFormat],
        formats: [.human, .json, .ndjson],
        examples: [
            Example(command: "rulehost inspect examples/messages/misspelt.json", meaning: "What is wrong with this message?"),
            Example(
                command: "rulehost inspect --app topics examples/messages/silent-nested.json",
                meaning: "What does the app's field map find in it?"),
            Example(
                command: "rulehost inspect --format json '{\"aps\":{\"alert\":\"hello\"}}'",
                meaning: "The same, for a program"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            try Inspection(arguments, console).run()
        })
}

private struct Inspection {
    private let sources: [InputSource]
    private let format: MessageFormat?
    private let output: OutputFormat?
    private let device: DeviceDocument
    private let hasDevice: Bool
    private let reader: MessageReader
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) throws(CommandFault) {
        self.console = console
        var sources = arguments.operands.map { InputSource($0, name: "MESSAGE") }
        if sources.isEmpty {
            guard !console.inputIsTerminal else {
                throw .missingOperand(verb: "inspect", operands: "a message: a file, JSON, or - for standard input")
            }
            sources = [.standardInput]
        }
        guard sources.count(where: { $0 == .standardInput }) < 2 else { throw .inputTwice }
        self.sources = sources
        format = arguments[.messageFormat].flatMap(MessageFormat.init(rawValue:))
        output = arguments.chosenFormat
        hasDevice = arguments.has(.device)
        device = try DeviceDocument(DeviceInput(arguments))
        if let app = arguments[.app] {
            let manifest = try AppLoading.evaluator(of: app, in: RulesFolder(path: arguments.rulesFolder)).ruleset.manifest
            reader = MessageReader(fields: manifest.fields, links: manifest.linkOrder)
        } else {
            reader = MessageReader()
        }
    }

    func run() throws(CommandFault) -> ExitCode {
        var worst = ExitCode.done
        var count = 0
        var json = JSONWriter(reserving: 4096)
        for source in sources {
            if console.isClosed { break }
            var stream = try MessageStream(source, asLines: output == .ndjson)
            defer { stream.close() }
            let isLines = stream.isLines
            var more = true
            while more, !console.isClosed {
                if stream.mustWait { console.flush() }
                var unread: (text: [UInt8], line: Int, fault: MessageFault)?
                more = try stream.next { bytes, line in
                    do throws(MessageFault) {
                        let message = try reader.read(
                            bytes, as: format, for: device.device.messageContext, limit: MessageStream.limit)
                        count += 1
                        write(message, number: count, isLine: isLines, &json)
                    } catch {
                        unread = (Array(bytes), line, error)
                    }
                }
                if let unread {
                    worst = .badInput
                    console.report(
                        .unreadableMessage(
                            source: source.name, text: unread.text, line: unread.line, size: stream.size, unread.fault))
                }
            }
        }
        return worst
    }

    private func write(_ message: Message, number: Int, isLine: Bool, _ json: inout JSONWriter) {
        if output == .human || output == nil && !isLine {
            if number > 1 { console.write("\n") }
            console.write(InspectPage(message: message, device: device.device, showsAllStates: !hasDevice).text(console.ink))
            return
        }
        json.reset()
        let phone = device.device
        InspectAnswer.write(message, state: phone.state, platform: phone.platform, tapped: phone.isTapped, into: &json)
        console.write(output == .json && !isLine && sources.count == 1 ? IndentedJSON.text(of: json.bytes) : json.bytes)
        console.write("\n")
    }
}
