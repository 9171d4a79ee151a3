// One app that runs in a child, as the asking side holds it: a stand-in for its Evaluator. Belongs to one thread at a time.
public import RuleEngine

public final class WorkerApp: RuleEvaluating {
    /// As it looks from outside.
    public let ruleset: Ruleset
    public let warnings: [RuleWarning]
    private let text: AppText
    private let pool: WorkerPool
    private lazy var outage = Outage(of: ruleset)

    /// Questions that go to a child at a time: neighbours wait for no more than these, and no more are lost with it.
    public static let batch = 64

    init(_ ruleset: Ruleset, _ warnings: [RuleWarning], text: AppText, pool: WorkerPool) {
        self.ruleset = ruleset
        self.warnings = warnings
        self.text = text
        self.pool = pool
    }

    deinit { pool.worker(of: ruleset.app, ruleset.hash)?.drop(text.slot) }

    public func evaluate(_ request: consuming EvaluationRequest) -> Evaluation {
        let question = Question(request)
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
            let end = min(questions.count, place + WorkerApp.batch)
            ask(questions[place..<end]) { answers.append($0) }
            place = end
        }
        return answers
    }

    /// Calls `take` once for each question.
    private func ask(_ questions: ArraySlice<Question>, _ take: (Evaluation) -> Void) {
        guard let worker = pool.worker(of: ruleset.app, ruleset.hash) else {
            let error = error(.quarantined, ChildEnd.quarantine)
            for question in questions { take(outage.answer(question, because: error)) }
            return
        }
        var answered = questions.startIndex
        do throws(ChildEnd) {
            try worker.ask(text, questions) { (bytes) throws(CrossingFault) in
                let evaluation = try bytes.withUnsafeBufferPointer { (bytes) throws(CrossingFault) in
                    try Evaluation(crossing: UnsafeRawBufferPointer(bytes), to: questions[answered], of: ruleset)
                }
                answered += 1
                take(evaluation)
                return evaluation.decision.errors.contains { $0.code.hasPrefix("budget_") }
            }
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
