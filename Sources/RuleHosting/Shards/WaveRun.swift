// Many requests of one app decided at a time, where its rules run in another process: the way there and back is paid once for all
// of them. What comes of it is what one after the other would give: of requests about one recipient only the first is in a wave, and
// what was decided on something that an earlier one of the wave has changed for the whole app is decided again in the next.
import PushMessage
import RuleEngine
import RuleWorkers

struct WaveRun {
    private let asks: [Ask]
    private let app: WorkerApp
    private let rules: RulesInUse
    private let memory: AppMemory
    private let now: Instant
    /// Of the next wave.
    private(set) var width: Int
    private(set) var decided: [Decided] = []

    /// One request of a wave, on a state of its own.
    private struct Rider {
        let ask: Ask
        let recipient: String
        let hot: Hot
        let moment: Instant
        /// nil: the event that was named.
        let journey: [EventName]?
        var state: AppState
        var evaluations: [Evaluation] = []
        /// Of the event that comes next; nil: there is none.
        var question: Question?

        var steps: Int { journey?.count ?? 1 }
        var changesApp: Bool {
            !ask.request.options.isDryRun
                && evaluations.contains {
                    $0.effects.contains {
                        if case .setValue(.app, _, _) = $0 { true } else if case .deleteValue(.app, _) = $0 { true } else { false }
                    }
                }
        }
    }

    init(_ asks: [Ask], by app: WorkerApp, rules: RulesInUse, on memory: AppMemory, now: Instant, width: Int) {
        self.asks = asks
        self.app = app
        self.rules = rules
        self.memory = memory
        self.now = now
        self.width = width
        decided.reserveCapacity(asks.count)
    }

    mutating func run() {
        while decided.count < asks.count {
            rules.begin()
            var wave = board()
            guard !wave.isEmpty else { continue }
            ride(&wave)
            land(wave)
        }
    }

    /// Those that come next, until one is about a recipient who is among them. One that has no answer but a problem is decided
    /// at once when it is the first, and ends the wave otherwise.
    private mutating func board() -> [Rider] {
        var wave: [Rider] = []
        var recipients = ExactTable<Bool>()
        for ask in asks[decided.count...].prefix(width) {
            do throws(HostProblem) {
                let read = try rules.read(ask)
                guard recipients.updateValue(true, forKey: read.recipient) == nil else { break }
                let hot = try memory.open(read.recipient)
                let journey = read.event == nil ? read.message.map { Evaluator.events(of: $0, on: read.device) } ?? [] : nil
                var rider = Rider(
                    ask: rules.watched(ask, read.recipient), recipient: read.recipient, hot: hot,
                    moment: try rules.moment(of: ask, read, now: now),
                    journey: journey,
                    state: memory.state(of: read.recipient))
                if rider.steps > 0 { rider.question = question(rider, read) }
                wave.append(rider)
            } catch {
                if wave.isEmpty { decided.append(Decided(ask, error)) }
                break
            }
        }
        return wave
    }

    private func question(_ rider: Rider, _ read: ReadRequest) -> Question {
        Question(
            EvaluationRequest(
                message: read.message, device: read.device,
                event: rider.journey.map { Event($0[rider.evaluations.count]) } ?? read.event ?? Event(.send), now: rider.moment,
                state: rider.state, options: rider.ask.evaluation),
            windows: rules.ruleset.manifest.dedupe)
    }

    /// Step by step, each of them for all at once.
    private func ride(_ wave: inout [Rider]) {
        while true {
            let riding = wave.indices.filter { wave[$0].question != nil }
            guard !riding.isEmpty else { return }
            let start = HostClock.microseconds()
            let evaluations = app.evaluate(riding.compactMap { wave[$0].question })
            let each = Int(HostClock.microseconds() - start) / riding.count
            for (place, evaluation) in zip(riding, evaluations) { take(evaluation, microseconds: each, &wave[place]) }
        }
    }

    private func take(_ evaluation: Evaluation, microseconds: Int, _ rider: inout Rider) {
        var evaluation = evaluation
        if rider.ask.measuresUsage { evaluation.decision.usage.microseconds = microseconds }
        rider.evaluations.append(evaluation)
        rider.question = nil
        guard rider.evaluations.count < rider.steps else {
            // Else memory would change a copy: all that is remembered of the recipient would be copied for each message.
            rider.state = AppState()
            return
        }
        rider.state.apply(evaluation.effects, recipient: rider.recipient)
        do throws(HostProblem) {
            rider.question = question(rider, try rules.read(rider.ask))
        } catch {
            // It has been read before.
        }
    }

    /// In order, until one has changed what those behind it were decided on.
    private mutating func land(_ wave: [Rider]) {
        var landed = 0
        let each = rules.passed / Int64(max(1, wave.count))
        for rider in wave {
            let result = rules.decided(
                rider.ask, rider.evaluations, ofEvent: rider.journey == nil, recipient: rider.recipient, rider.hot, at: rider.moment)
            rules.tell(of: rider.evaluations, for: rider.ask, took: each)
            memory.apply(result.effects, recipient: rider.recipient)
            decided.append(result)
            landed += 1
            if rider.changesApp, landed < wave.count { break }
        }
        width = landed < wave.count ? max(1, landed) : min(WorkerApp.batch, width * 2)
    }
}
