// A request on its way through a shard, and what came of it.
import EffectStore
import PushMessage
import RuleEngine

/// An object: it is handed from list to list more often than it is made.
final class Ask: Sendable {
    let request: DecideRequest
    let sink: any AnswerTaking
    /// When it was handed over, in nanoseconds; 0 where nobody watches.
    let since: Int64
    /// What is decided is recorded.
    let isRecorded: Bool

    /// By whose rules it is decided; nil: by those in force.
    let pinned: String?
    /// The message whose time has come.
    let due: DueMessage?

    init(
        _ request: DecideRequest, _ sink: any AnswerTaking, since: Int64 = 0, pinned: String? = nil, due: DueMessage? = nil,
        isRecorded: Bool = false
    ) {
        self.due = due
        self.request = request
        self.sink = sink
        self.since = since
        self.pinned = pinned
        self.isRecorded = isRecorded
    }

    /// The same for somebody who writes down what is decided.
    var recorded: Ask { Ask(request, sink, since: since, pinned: pinned, due: due, isRecorded: true) }

    /// About the bytes that it takes.
    var weight: Int { request.body.count + 256 }

    /// nil: nobody will ask again, or nothing is kept.
    var key: IdempotencyKey? { request.options.isDryRun ? nil : request.options.idempotency }

    var measuresUsage: Bool { request.options.measuresUsage || isRecorded }

    var evaluation: EvaluationOptions {
        EvaluationOptions(
            tracesRules: request.options.trace != .none, tracesLines: request.options.trace == .lines, payload: .sent,
            measuresMemory: measuresUsage)
    }
}

/// What was decided, before it is kept. The shard fills it in; from then on nobody changes it.
final class Decided {
    let ask: Ask
    let status: Int
    let body: [UInt8]
    var retryAfter: Int?
    /// Whose state it was decided on; nil: nobody's, there is only a problem to tell.
    var recipient: String?
    /// The same recipient in memory.
    var hot: Hot?
    var effects: [Effect] = []
    /// Of a problem.
    var code: String?
    var record: DecisionRecord?
    /// What a webhook is to be told of it.
    var post: [UInt8]?

    init(_ ask: Ask, status: Int = 200, body: [UInt8]) {
        self.ask = ask
        self.status = status
        self.body = body
    }

    init(_ ask: Ask, _ problem: HostProblem) {
        self.ask = ask
        status = problem.status
        body = problem.body
        retryAfter = problem.retryAfter
        code = problem.code
    }

    /// Until when something is held back, the earliest; nil: nothing is.
    var firstDue: Instant? {
        effects.compactMap { if case .keepDeferred(let message) = $0 { message.dueAt } else { nil } }.min()
    }

    /// - Parameter ask: the one that was decided, or one that has repeated it.
    func answer(to ask: Ask) -> HostAnswer {
        HostAnswer(tag: ask.request.tag, status: status, body: body, retryAfter: retryAfter, code: code)
    }
}
