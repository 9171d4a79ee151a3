// One eval: the app and the device loaded once, then every message of every source evaluated and written in order.
// Evaluations start from the state that was given; only with --apply are effects carried from message to message.
import JSONDocument
import PushMessage
import RuleEngine

/// What came of one message, or of an event without one.
struct EvalOutcome {
    /// In its source, from 1; of a whole document always 1.
    let line: Int
    /// A view into its reader; valid until the next message is read.
    let message: Message?
    let evaluations: [Evaluation]
    /// As it was named; nil: the journey.
    let event: Event?
    /// What waited for the app to come to the front.
    let held: [HeldText]
    /// On the icon, as the phone says or as it was remembered.
    let badgeBefore: Int?
}

final class EvalSession {
    private let options: EvalOptions
    private let console: Console
    private let evaluator: any RuleEvaluating
    private let reader: MessageReader
    /// What is known about the phone; a view into what `phone` owns.
    let device: Device
    private let phone: DeviceDocument
    /// nil: nothing goes over the network.
    private let pictures: PictureCheck?
    /// What evaluations see.
    private var state: AppState
    /// nil: nothing is remembered.
    private var answered: AnsweredState?
    private(set) var tally = EvalTally()
    private(set) var worst = ExitCode.done

    init(
        _ options: EvalOptions, _ evaluator: any RuleEvaluating, phone: DeviceDocument, state: AppState, pictures: PictureCheck?,
        _ console: Console
    ) {
        self.options = options
        self.console = console
        self.state = state
        answered = options.applyFile == nil ? nil : AnsweredState(state)
        self.evaluator = evaluator
        let manifest = evaluator.ruleset.manifest
        reader = MessageReader(fields: manifest.fields, links: manifest.linkOrder)
        self.phone = phone
        self.pictures = pictures
        device = phone.device
    }

    var ruleset: Ruleset { evaluator.ruleset }

    /// Sends out what has been answered so far, and gives what is to be remembered: the changes of the answers that have
    /// gone out. nil when that is nothing.
    func finishAnswers() -> AppState? {
        console.flush()
        answered?.settle(delivered: console.delivered)
        guard let answered else { return nil }
        let lost = answered.waitingCount
        guard lost > 0 else { return answered.state }
        console.warn(
            lost == 1
                ? "one answer did not arrive: what it changed is not remembered"
                : "\(lost) answers did not arrive: what they changed is not remembered")
        return answered.hasSettled ? answered.state : nil
    }

    /// Evaluates everything there is and writes each answer as soon as it is known.
    func run(_ write: (EvalOutcome, Bool) -> Void) throws(CommandFault) {
        if options.sources.isEmpty {
            answer(nil, line: 1, isLine: false, write)
            return
        }
        for source in options.sources {
            if console.isClosed { return }
            var stream = try MessageStream(source, asLines: options.output == .ndjson)
            defer { stream.close() }
            try run(&stream, write)
        }
    }

    private func run(_ stream: inout MessageStream, _ write: (EvalOutcome, Bool) -> Void) throws(CommandFault) {
        var bar = ProgressBar(console)
        let isLines = stream.isLines
        let source = stream.source
        while !console.isClosed {
            if stream.mustWait { console.flush() }
            var unread: (text: [UInt8], line: Int, fault: MessageFault)?
            let more = try stream.next { bytes, line in
                do throws(MessageFault) {
                    let message = try reader.read(
                        bytes, as: options.format, for: device.messageContext, limit: MessageStream.limit)
                    answer(message, line: line, isLine: isLines, write)
                } catch {
                    unread = (Array(bytes), line, error)
                }
            }
            if let unread {
                bar.clear()
                tally.unreadable += 1
                worst = max(worst, .badInput)
                console.report(
                    .unreadableMessage(
                        source: source.name, text: unread.text, line: unread.line, size: stream.size, unread.fault))
            }
            guard more else { break }
            bar.update(count: tally.count, part: stream.progress.map { Double($0.done) / Double($0.of) })
        }
        bar.clear()
    }

    private func answer(_ message: Message?, line: Int, isLine: Bool, _ write: (EvalOutcome, Bool) -> Void) {
        let outcome = evaluate(message, line: line)
        write(outcome, isLine)
        answered?.add(outcome.evaluations, endingAt: console.position, delivered: console.delivered)
        if answered?.isFull ?? false {
            console.flush()
            answered?.settle(delivered: console.arrived)
        }
    }

    private func evaluate(_ message: Message?, line: Int) -> EvalOutcome {
        let badge = device.badge ?? state.recipients[device.recipient?.string ?? ""]?.badge
        let shown = message ?? waitingMessage()
        let resumes = options.event.map { $0.event.name == .resume } ?? device.isTapped
        let held = resumes ? HeldText.waitingForResume(in: state, on: device, ruleset.manifest) : []
        let facts = pictureFacts(on: message)
        let evaluations =
            options.event.map { [evaluate(message, at: facts.first?.event ?? $0.event)] } ?? evaluateJourney(of: message, facts)
        tally.count(evaluations)
        if evaluations.contains(where: { !$0.decision.errors.isEmpty }) { worst = max(worst, .ruleFailed) }
        return EvalOutcome(
            line: line, message: shown, evaluations: evaluations, event: options.event?.event, held: held, badgeBefore: badge)
    }

    private func evaluate(_ message: Message?, at event: Event) -> Evaluation {
        let evaluation = measured {
            evaluator.evaluate(request(message, event, state))
        }
        if options.applyFile != nil { state.apply(evaluation.effects, recipient: evaluation.decision.recipient ?? "") }
        return evaluation
    }

    /// - Parameter facts: events with what is known about their pictures.
    private func evaluateJourney(of message: Message?, _ facts: [EventDocument]) -> [Evaluation] {
        let journey = evaluator.evaluateJourney(
            request(message, Event(.send), givenState()), details: { name in facts.first { $0.event.name == name }?.event },
            measuring: measured)
        if options.applyFile != nil { state = journey.state }
        return journey.evaluations
    }

    /// The state to begin with. One that goes on is given away, so that it is changed in its place: a stream of messages
    /// would copy all that is remembered for each of them.
    private func givenState() -> AppState {
        guard options.applyFile != nil else { return state }
        var given = AppState()
        swap(&given, &state)
        return given
    }

    private func request(_ message: Message?, _ event: Event, _ state: AppState) -> EvaluationRequest {
        EvaluationRequest(
            message: message, device: device, event: event, now: options.now ?? SystemClock.now(), state: state,
            options: EvaluationOptions(
                tracesRules: options.tracesRules, tracesLines: options.tracesLines,
                payload: options.emission == .payload ? .shown : .sent, measuresMemory: options.measuresUsage))
    }

    /// What comes of the pictures: of those that are found by an evaluation which changes nothing.
    private func pictureFacts(on message: Message?) -> [EventDocument] {
        guard let pictures else { return [] }
        let asked = options.event?.event
        let trial =
            asked.map { [evaluator.evaluate(request(message, $0, state))] }
            ?? evaluator.evaluateJourney(request(message, Event(.send), state)).evaluations
        do throws(CommandFault) {
            return try pictures.facts(on: trial, asked: asked)
        } catch {
            console.report(error)
            worst = max(worst, error.exitCode)
            return []
        }
    }

    /// The message that a `due` is about, for whoever draws it.
    private func waitingMessage() -> Message? {
        guard case .due(let id, _) = options.event?.event.meaning,
            let kept = state.recipients[device.recipient?.string ?? ""]?.deferred.message(id.string)
        else { return nil }
        do throws(MessageFault) {
            return try reader.read(kept.message, as: kept.format, for: device.messageContext, limit: kept.message.count)
        } catch {
            // The decision says so.
            return nil
        }
    }

    /// Adds the time that an evaluation took, when that was asked for.
    private func measured(_ evaluate: () -> Evaluation) -> Evaluation {
        guard options.measuresUsage else { return evaluate() }
        let start = ProgressBar.now()
        var evaluation = evaluate()
        evaluation.decision.usage.microseconds = Int((ProgressBar.now() - start) / 1000)
        return evaluation
    }
}
