// One app that runs in a child, as the asking side holds it: a stand-in for its Evaluator. Belongs to one thread at a time.
public import RuleEngine

public final class WorkerApp: RuleEvaluating {
    /// As it looks from outside.
    public let ruleset: Ruleset
    public let warnings: [RuleWarning]
    private let text: AppText
    private let pool: WorkerPool
    private lazy var outage = Outage(of: ruleset)
    /// Where it was asked last: there it is loaded.
    private weak var worker: Worker?
    /// Fuel that its messages have used lately, each; before the first it is not known.
    private var fuelEach = Turn.fuel

    /// Questions that go to a child at a time: neighbours wait for no more than these, and no more are lost with it.
    public static let batch = 64

    /// Where others wait for the same process, a turn is about as long as this, and at least one question.
    private enum Turn {
        /// Some two milliseconds.
        static let fuel = 200_000
        static let bytes = 256 << 10
    }

    init(_ ruleset: Ruleset, _ warnings: [RuleWarning], text: AppText, worker: Worker, pool: WorkerPool) {
        self.worker = worker
        self.ruleset = ruleset
        self.warnings = warnings
        self.text = text
        self.pool = pool
    }

    deinit { worker?.drop(text.slot) }

    public func evaluate(_ request: consuming EvaluationRequest) -> Evaluation {
        let question = Question(request, windows: ruleset.manifest.dedupe)
        var answer: Evaluation?
        ask([question]) { answer = $0 }
        return answer ?? outage.answer(question, because: error(.died, ChildEnd.died(0).sentence))
    }

    /// As many answers as questions, in their order. The questions do not know of each other: two about one recipient belong
    /// into two batches, the effects of the first applied between them.
    public func evaluate(_ questions: [Question]) -> [Evaluation] {
        var answers: [Evaluation] = []
        answers.reserveCapacity(questions.count)
        var place = 0
        while place < questions.count {
            let end = place + turn(questions[place...])
            ask(questions[place..<end]) { answers.append($0) }
            place = end
        }
        return answers
    }

    private func turn(_ questions: ArraySlice<Question>) -> Int {
        let most = min(questions.count, WorkerApp.batch, max(1, Turn.fuel / max(1, fuelEach)))
        var bytes = 0
        var count = 0
        for question in questions.prefix(most) {
            bytes += question.bytes.count
            if count > 0, bytes > Turn.bytes { break }
            count += 1
        }
        return count
    }

    /// Calls `take` once for each question.
    private func ask(_ questions: ArraySlice<Question>, _ take: (Evaluation) -> Void) {
        let place = pool.worker(of: ruleset.app, ruleset.hash)
        if worker !== place {
            // Elsewhere it is needed no more.
            worker?.drop(text.slot)
            worker = place
        }
        guard let worker = place else {
            let error = error(.quarantined, ChildEnd.quarantine)
            for question in questions { take(outage.answer(question, because: error)) }
            return
        }
        var answered = questions.startIndex
        var fuel = 0
        var isOverBudget = false
        do throws(ChildEnd) {
            let stray = try worker.ask(text, questions) { (bytes) throws(CrossingFault) in
                let evaluation = try bytes.withUnsafeBufferPointer { (bytes) throws(CrossingFault) in
                    try Evaluation(crossing: UnsafeRawBufferPointer(bytes), to: questions[answered], of: ruleset)
                }
                answered += 1
                fuel += evaluation.decision.usage.fuel
                let isStopped = evaluation.decision.errors.contains { $0.code.hasPrefix("budget_") }
                isOverBudget = isOverBudget || isStopped
                take(evaluation)
                return isStopped
            }
            if let stray { pool.separate(stray.app) }
            fuelEach = fuel / max(1, questions.count)
            pool.charge(ruleset.app, fuel, isOverBudget: isOverBudget)
        } catch {
            pool.blame(ruleset.app, ruleset.hash, for: error)
            let error = self.error(OutageCode(error), error.sentence)
            for question in questions[answered...] { take(outage.answer(question, because: error)) }
        }
    }

    private func error(_ code: OutageCode, _ sentence: String) -> RuleError {
        RuleError(code: code.rawValue, rule: nil, file: "app.lua", line: 1, message: sentence)
    }
}
