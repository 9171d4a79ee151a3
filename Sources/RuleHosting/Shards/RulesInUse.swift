// The rules that an app is decided by: as they were loaded, wherever they run, with the readers that go with them. Made by the
// loader; from then on it belongs to the shard's thread.
import JSONDocument
import PushMessage
import RuleEngine
import RuleWorkers

// SAFETY: handed from the loader's thread to that of the shard, and not touched by the former any more.
final class RulesInUse: @unchecked Sendable {
    enum Place {
        case here(Evaluator)
        case there(WorkerApp)
    }

    let place: Place
    let ruleset: Ruleset
    private let reader: RequestReader
    /// Where requests are read ahead, and when that was done last; nil while there are not many at a time.
    private var lane: (lane: ReadAheadLane, lastUse: Int64)?
    private let limit: Int
    private var writer = JSONWriter(reserving: 4_096)
    /// Questions that are asked at a time; fewer where messages change what all of them look at.
    private var width = WorkerApp.batch
    /// nil: the app has no canary.
    private var side: CanarySide?
    /// Of the batch that is being decided.
    private var watch: (any ShardWatching)?
    /// When what is decided now was begun; only where somebody watches.
    private var start: Int64 = 0

    init(_ place: Place, settings: HostSettings) {
        self.place = place
        ruleset =
            switch place {
            case .here(let evaluator): evaluator.ruleset
            case .there(let app): app.ruleset
            }
        limit = settings.mostBody
        reader = RequestReader(ruleset.manifest, limit: limit)
    }

    /// As many answers as requests, in their order; each is decided on what those before have left.
    ///
    /// - Parameter ahead: reads them meanwhile.
    func decide(
        _ asks: [Ask], on memory: AppMemory, now: Instant, watch: (any ShardWatching)? = nil, ahead: ReadAhead? = nil
    ) -> [Decided] {
        self.watch = watch
        begin()
        switch place {
        case .here(let evaluator):
            guard let ahead, asks.count >= ReadAhead.least else {
                return asks.map { decide($0, by: evaluator, on: memory, now: now) }
            }
            let work = ahead.begin(asks, in: laneForMany())
            defer { work.end() }
            return asks.indices.map { decide(asks[$0], work.take($0), by: evaluator, on: memory, now: now) }
        case .there(let app):
            var run = WaveRun(asks, by: app, rules: self, on: memory, now: now, width: width)
            run.run()
            width = run.width
            return run.decided
        }
    }

    private func laneForMany() -> ReadAheadLane {
        let lane = lane?.lane ?? ReadAheadLane { RequestReader(ruleset.manifest, limit: limit) }
        self.lane = (lane, HostClock.ticks())
        return lane
    }

    /// Lets go of what is only needed for many requests at a time: about a megabyte.
    func rest(since: Int64) { if let lane, lane.lastUse < since { self.lane = nil } }

    /// - Parameter read: nil: it is read now.
    private func decide(
        _ asked: Ask, _ read: ReadRequest? = nil, by evaluator: Evaluator, on memory: AppMemory, now: Instant
    ) -> Decided {
        do throws(HostProblem) {
            let read = if let read { read } else { try self.read(asked) }
            let recipient = read.recipient
            let ask = watched(asked, recipient)
            let hot = try memory.open(recipient)
            let moment = try moment(of: ask, read, now: now)
            let decided: Decided
            let evaluations: [Evaluation]
            let isDryRun = ask.request.options.isDryRun
            if let event = read.event {
                // Written where it stands: a decision is dear to copy, and out of an array it would be.
                let started = ask.measuresUsage ? HostClock.microseconds() : 0
                var evaluation = evaluator.evaluate(
                    EvaluationRequest(
                        message: read.message, device: read.device, event: event, now: moment, state: memory.state, options: ask.evaluation)
                )
                if ask.measuresUsage { evaluation.decision.usage.microseconds = Int(HostClock.microseconds() - started) }
                if !isDryRun { memory.apply(evaluation.effects, recipient: recipient) }
                let body = ask.isRecorded ? nil : bytes(of: evaluation)
                evaluations = [consume evaluation]
                decided = self.decided(ask, evaluations, body, ofEvent: true, recipient: recipient, hot, at: moment)
            } else {
                let journey = evaluator.evaluateJourney(
                    EvaluationRequest(
                        message: read.message, device: read.device, event: Event(.send), now: moment,
                        state: isDryRun ? memory.state(of: recipient) : memory.take(), options: ask.evaluation),
                    measuring: { self.measured(ask, $0) })
                if !isDryRun { memory.put(journey.state) }
                evaluations = journey.evaluations
                decided = self.decided(ask, evaluations, ofEvent: false, recipient: recipient, hot, at: moment)
            }
            tell(of: evaluations, for: ask, took: nil)
            return decided
        } catch {
            begin()
            return Decided(asked, error)
        }
    }

    /// Beside which others they are in force, from now on.
    func stand(on side: CanarySide?) { self.side = side }

    /// Only whom a request is about; nil: nobody, or that cannot be read.
    func recipient(of ask: Ask) -> String? { reader.recipient(of: ask.request.body) }

    // MARK: parts of a decision, wherever it is made

    func read(_ ask: Ask) throws(HostProblem) -> ReadRequest { try reader.read(ask.request.body, ask.request.outline) }

    /// The moment of a decision: who may say it does.
    func moment(of ask: Ask, _ read: ReadRequest, now: Instant) throws(HostProblem) -> Instant {
        guard let chosen = read.now else { return now }
        guard ask.request.options.isDryRun || ask.request.options.mayChooseNow else { throw .nowNotAllowed }
        return chosen
    }

    /// - Parameter written: the evaluations as the answer tells them; nil: they are written here.
    func decided(
        _ ask: Ask, _ evaluations: [Evaluation], _ written: [UInt8]? = nil, ofEvent isNamed: Bool, recipient: String, _ hot: Hot,
        at moment: Instant
    ) -> Decided {
        let decided: Decided
        if ask.isRecorded {
            let measured = bytes(of: evaluations, ofEvent: isNamed)
            decided = Decided(
                ask, body: ask.request.options.measuresUsage ? measured : bytes(of: evaluations.map(\.unmeasured), ofEvent: isNamed))
            decided.record = DecisionRecord(
                app: ask.request.app, ruleset: ruleset.hash, at: moment, body: ask.request.body, decision: measured,
                traceparent: ask.request.options.traceparent)
        } else {
            decided = Decided(ask, body: written ?? bytes(of: evaluations, ofEvent: isNamed))
        }
        decided.recipient = recipient
        decided.hot = hot
        if !ask.request.options.isDryRun {
            decided.effects = evaluations.count == 1 ? evaluations[0].effects : evaluations.flatMap(\.effects)
        }
        return decided
    }

    private func bytes(of evaluations: [Evaluation], ofEvent isNamed: Bool) -> [UInt8] {
        writer.reset()
        DecisionWriter.write(evaluations, ofEvent: isNamed, into: &writer)
        return writer.bytes
    }

    private func bytes(of evaluation: borrowing Evaluation) -> [UInt8] {
        writer.reset()
        DecisionWriter.write(evaluation.decision, into: &writer)
        return writer.bytes
    }

    private func measured(_ ask: Ask, _ evaluate: () -> Evaluation) -> Evaluation {
        guard ask.measuresUsage else { return evaluate() }
        let start = HostClock.microseconds()
        var evaluation = evaluate()
        evaluation.decision.usage.microseconds = Int(HostClock.microseconds() - start)
        return evaluation
    }

    // MARK: what whoever watches is told

    /// The request as it is decided: with more measured when it is recorded.
    func watched(_ ask: Ask, _ recipient: String) -> Ask {
        guard let watch, !ask.request.options.isDryRun, watch.records(ask.request, recipient: recipient) else { return ask }
        return ask.recorded
    }

    func begin() { if watch != nil { start = HostClock.nanoseconds() } }

    /// Since `begin`; 0 where nobody watches.
    var passed: Int64 { watch == nil ? 0 : HostClock.nanoseconds() - start }

    /// - Parameter took: nil: everything since `begin`, and what comes next begins now.
    func tell(of evaluations: [Evaluation], for ask: Ask, took: Int64?) {
        guard let watch else { return }
        let before = start
        if took == nil { start = HostClock.nanoseconds() }
        if ask.request.options.isDryRun { return }
        watch.decided(evaluations, of: ask.request, by: side, waited: before - ask.since, took: took ?? start - before)
    }
}

extension Evaluation {
    /// Without what is told only on request.
    fileprivate var unmeasured: Evaluation {
        var copy = self
        copy.decision.leaveOutMeasures()
        return copy
    }
}

extension Decision {
    fileprivate mutating func leaveOutMeasures() {
        usage.memoryBytes = nil
        usage.microseconds = nil
        for place in deferred.indices { deferred[place].leaveOutMeasures() }
    }
}
