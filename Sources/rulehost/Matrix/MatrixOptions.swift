// What a matrix is asked to do: the arguments, each checked and typed. Made once, before anything is read.
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab
import RuleStore

struct MatrixOptions {
    let app: String?
    /// nil: an event without a message.
    let source: InputSource?
    let device: DeviceInput
    let format: MessageFormat?
    /// JSON text; nil: the journey.
    let event: [UInt8]?
    let now: Instant?
    let stateFile: String?
    /// In the order in which they were given.
    let varied: [MatrixInput]
    let fixed: [Held]
    let page: String?
    let output: OutputFormat
    let folder: RulesFolder
    let isolation: Isolation

    /// An input that a flag holds fast.
    struct Held {
        let input: String
        let flag: String
        /// "state background"
        let words: String
    }

    init(_ arguments: Arguments, inputIsTerminal: Bool) throws(CommandFault) {
        app = arguments[.app]
        device = try DeviceInput(arguments)
        format = arguments[.messageFormat].flatMap(MessageFormat.init(rawValue:))
        let event = if let text = arguments[.event] { try EventDocument(EventDocument.json(of: text)) } else { nil as EventDocument? }
        self.event = event == nil ? nil : arguments[.event].map(EventDocument.json)
        now = try arguments.instant(.now)
        stateFile = arguments[.stateFile]
        page = arguments[.html]
        output = arguments.format
        folder = RulesFolder(path: arguments.rulesFolder)
        isolation = Isolation(arguments)
        fixed = MatrixOptions.fixed(arguments)
        varied = try MatrixOptions.varied(arguments, fixed)
        guard arguments.operands.count <= 1 else { throw .unexpectedOperand(arguments.operands[1], verb: "matrix") }
        source = try MatrixOptions.source(
            arguments.operands.first, needed: event?.event.needsMessage ?? true, inputIsTerminal: inputIsTerminal)
    }

    private static func source(
        _ operand: String?, needed: Bool, inputIsTerminal: Bool
    ) throws(CommandFault) -> InputSource? {
        if let operand { return InputSource(operand, name: "MESSAGE") }
        guard needed else { return nil }
        guard !inputIsTerminal else {
            throw .missingOperand(verb: "matrix", operands: "a message: a file, JSON, or - for standard input")
        }
        return .standardInput
    }

    private static func fixed(_ arguments: Arguments) -> [Held] {
        var fixed: [Held] = []
        for (flag, input) in [
            (Flag.state, "state"), (.permission, "permission"), (.timezone, "timezone"), (.recipient, "recipient"), (.badge, "badge"),
            (.tap, "tap"), (.action, "action"), (.tab, "screen"), (.path, "screen"), (.event, "event"),
        ] where arguments.has(flag) {
            let value = arguments.all(flag).filter { !$0.isEmpty }.joined(separator: ",")
            fixed.append(
                Held(input: input, flag: "--\(flag.name)", words: ([flag.name, value].filter { !$0.isEmpty }).joined(separator: " ")))
        }
        for setting in arguments.all(.set) {
            let name = String(setting.prefix { $0 != "=" })
            fixed.append(Held(input: name, flag: "--set \(name)", words: setting.replacing("=", with: " ")))
        }
        return fixed
    }

    private static func varied(
        _ arguments: Arguments, _ fixed: [Held]
    ) throws(CommandFault) -> [MatrixInput] {
        var varied: [MatrixInput] = []
        for text in arguments.all(.vary) {
            let input: MatrixInput
            do throws(VaryText.Fault) { input = try VaryText.read(text) } catch { throw .varyText(text, error) }
            let length = max(1, input.name.unicodeScalars.count)
            if let flag = fixed.first(where: { $0.input == input.name })?.flag {
                throw .varyText(
                    text,
                    VaryText.Fault(
                        column: 1, length: length, message: "`\(input.name)` is held fast by \(flag)", hint: "leave one of them out"))
            }
            if varied.contains(where: { $0.overlaps(input) }) {
                throw .varyText(
                    text,
                    VaryText.Fault(
                        column: 1, length: length, message: "`\(input.name)` is varied twice",
                        hint: "name all of its values in one --vary"))
            }
            varied.append(input)
        }
        return varied
    }

    /// What is varied in the end: what it is by default, but for what is held fast or said otherwise, then the rest.
    func inputs(_ defaults: [MatrixInput]) -> [MatrixInput] {
        var rest = varied
        var inputs: [MatrixInput] = []
        for input in defaults where !fixed.contains(where: { $0.input == input.name }) {
            if let place = rest.firstIndex(where: { $0.overlaps(input) }) {
                inputs.append(rest.remove(at: place))
            } else {
                inputs.append(input)
            }
        }
        return inputs + rest
    }
}
