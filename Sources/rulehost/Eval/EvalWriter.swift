// Puts each outcome of an eval on standard output, in the form that was asked for or that the input suggests.
import JSONDocument
import PushMessage
import RuleEngine
import RuleStore

final class EvalWriter {
    private enum Form {
        case picture
        /// One sentence a message.
        case sentence
        /// Laid out for reading.
        case document
        case line
        case payload
    }

    private let options: EvalOptions
    private let session: EvalSession
    private let rulesFolder: String
    private let console: Console
    private var json = JSONWriter(reserving: 4096)
    private var hasLines = false
    private var count = 0
    /// Errors and strains of rules that have been told beside the answers, each once.
    private var told: Set<String> = []

    init(_ options: EvalOptions, session: EvalSession, rulesFolder: String, _ console: Console) {
        self.options = options
        self.session = session
        self.rulesFolder = rulesFolder
        self.console = console
    }

    func write(_ outcome: EvalOutcome, isLine: Bool) {
        hasLines = hasLines || isLine
        count += 1
        let form = form(isLine: isLine)
        switch form {
        case .picture:
            if count > 1 { console.write("\n") }
            let now = options.now ?? SystemClock.now()
            console.write(
                HumanAnswer(
                    outcome: outcome, device: session.device, ruleset: session.ruleset, rulesFolder: rulesFolder, now: now
                ).text(console.ink))
        case .sentence:
            console.write(SentenceAnswer(outcome: outcome, number: outcome.line, state: session.device.state).text(console.ink))
        case .document:
            console.write(laidOut(bytes(of: outcome)))
            console.write("\n")
        case .line:
            console.write(oneLine(bytes(of: outcome)))
            console.write("\n")
        case .payload:
            for evaluation in outcome.evaluations {
                guard let payload = evaluation.decision.payload else { continue }
                console.write(isLine ? oneLine(payload) : payload)
                if isLine || payload.last != 0x0A { console.write("\n") }
            }
        }
        switch form {
        case .picture, .document: break
        case .sentence, .line, .payload: tellErrors(of: outcome)
        }
        tellStrains(of: outcome)
    }

    /// Rules that came near a limit, each once.
    private func tellStrains(of outcome: EvalOutcome) {
        for strain in outcome.evaluations.flatMap(\.decision.usage.strains)
        where told.insert("\(strain.limit.rawValue) \(strain.rule)").inserted {
            RuleNotices(folder: RulesFolder(path: rulesFolder), console: console).tell(strain.warning, of: session.ruleset.app)
        }
    }

    /// Where an answer does not show it: a rule that failed, in one line of standard error, once for each place.
    private func tellErrors(of outcome: EvalOutcome) {
        for evaluation in outcome.evaluations {
            for error in evaluation.decision.errors {
                let place = AppLoading.path(of: error.file, app: session.ruleset.app, in: rulesFolder)
                guard told.insert("\(place):\(error.line) \(error.rule ?? "") \(error.code)").inserted else { continue }
                let rule = error.rule.map { "“\($0)” " } ?? ""
                let message = "\(rule)\(error.message)".printable
                let fault = FaultReport(place: "\(place):\(error.line)", message: message, excerpt: nil, hint: error.hint)
                console.writeError(fault.text(code: error.code, console.errorInk))
            }
        }
    }

    /// The summary, for people.
    func finish(seconds: Double) {
        guard !console.isQuiet, hasLines, console.errorIsTerminal || options.output == .human else { return }
        console.writeError(session.tally.summary(seconds: seconds, console.errorInk))
    }

    private func form(isLine: Bool) -> Form {
        switch options.output {
        case .human, nil:
            if options.emission == .payload { return .payload }
            if isLine { return options.output == .human ? .sentence : .line }
            return .picture
        case .json: return isLine || options.sources.count > 1 ? .line : .document
        default: return .line
        }
    }

    /// A list of decisions, or the one of the event that was named.
    private func bytes(of outcome: EvalOutcome) -> [UInt8] {
        json.reset()
        DecisionWriter.write(outcome.evaluations, ofEvent: options.event != nil, into: &json)
        return json.bytes
    }

    /// A payload that was asked for keeps its bytes, so that nothing around it is laid out.
    private func laidOut(_ bytes: [UInt8]) -> [UInt8] {
        guard options.emission == .decision else { return bytes }
        var compact = JSONWriter(reserving: bytes.count)
        bytes.withUnsafeBufferPointer { compact.minified(JSONText(start: $0.baseAddress, count: $0.count)) }
        return IndentedJSON.text(of: compact.bytes)
    }

    /// A payload keeps the spaces of the message it was made from; outside of texts a line break is only one of them.
    private func oneLine(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x0A) || bytes.contains(0x0D) else { return bytes }
        return bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    }
}
