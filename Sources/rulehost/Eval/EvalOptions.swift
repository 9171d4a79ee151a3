// What an eval is asked to do: the arguments, each checked and typed. Made once, before anything is read.
import JSONDocument
import PushMessage
import RuleEngine

struct EvalOptions {
    enum Emission { case decision, payload }

    let app: String?
    let sources: [InputSource]
    let device: DeviceInput
    let format: MessageFormat?
    /// nil: the journey.
    let event: EventDocument?
    let now: Instant?
    let stateFile: String?
    /// nil: what a host remembers is not asked for.
    let store: StorePlace?
    let applyFile: String?
    let tracesRules: Bool
    let tracesLines: Bool
    let measuresUsage: Bool
    let fetchesPictures: Bool
    let emission: Emission
    /// nil: left out, so that the input decides.
    let output: OutputFormat?

    init(_ arguments: Arguments, inputIsTerminal: Bool) throws(CommandFault) {
        app = arguments[.app]
        device = try DeviceInput(arguments)
        format = arguments[.messageFormat].flatMap(MessageFormat.init(rawValue:))
        event = if let text = arguments[.event] { try EventDocument(EventDocument.json(of: text)) } else { nil }
        now = try arguments.instant(.now)
        stateFile = arguments[.stateFile]
        store = try StorePlace(arguments)
        if store != nil, stateFile != nil {
            throw .flagsDisagree("store", "state-file", why: "both say what the app remembers: leave out one of them")
        }
        applyFile = arguments[.apply]
        tracesRules = arguments.has(.trace)
        tracesLines = arguments[.trace] == "lines"
        measuresUsage = arguments.has(.usage)
        fetchesPictures = arguments.has(.fetch)
        emission = arguments[.emit] == "payload" ? .payload : .decision
        output = arguments.chosenFormat
        var sources = arguments.operands.map { InputSource($0, name: "MESSAGE") }
        if sources.isEmpty, event?.event.needsMessage ?? true {
            guard !inputIsTerminal else {
                throw .missingOperand(verb: "eval", operands: "a message: a file, JSON, or - for standard input")
            }
            sources = [.standardInput]
        }
        guard sources.count(where: { $0 == .standardInput }) < 2 else {
            throw .inputTwice
        }
        self.sources = sources
    }
}
