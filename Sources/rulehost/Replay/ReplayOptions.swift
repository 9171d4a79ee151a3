// What a replay is asked to do: the arguments, each checked and typed. Made once, before anything is read.
import RuleStore

struct ReplayOptions {
    /// nil: the one that the traffic names first.
    let app: String?
    let traffic: InputSource
    /// nil: everybody.
    let recipient: String?
    let stateFile: String?
    let applyFile: String?
    let page: String?
    let format: OutputFormat
    let folder: RulesFolder
    let isolation: Isolation

    init(_ arguments: Arguments, inputIsTerminal: Bool) throws(CommandFault) {
        if let operand = arguments.operands.first { throw .unexpectedOperand(operand, verb: "replay") }
        guard let traffic = arguments[.traffic] else {
            throw .missingOperand(verb: "replay", operands: "recorded traffic: --traffic FILE, or --traffic - for standard input")
        }
        self.traffic = traffic == "-" ? .standardInput : .file(traffic)
        if self.traffic == .standardInput, inputIsTerminal {
            throw .missingOperand(verb: "replay", operands: "traffic on standard input, and that is a terminal")
        }
        app = arguments[.app]
        recipient = arguments[.recipientOfReplay]
        stateFile = arguments[.stateFile]
        applyFile = arguments[.applyReplay]
        page = arguments[.html]
        format = arguments.format
        folder = RulesFolder(path: arguments.rulesFolder)
        isolation = Isolation(arguments)
    }
}
