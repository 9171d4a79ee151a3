// A request on its way through a shard, and what came of it.
import EffectStore
import PushMessage
import RuleEngine

struct Ask: Sendable {
    let request: DecideRequest
    let sink: any AnswerTaking

    init(_ request: DecideRequest, _ sink: any AnswerTaking) {
        self.request = request
        self.sink = sink
    }

    /// nil: nobody will ask again, or nothing is kept.
    var key: IdempotencyKey? { request.options.isDryRun ? nil : request.options.idempotency }

    var evaluation: EvaluationOptions {
        EvaluationOptions(
            tracesRules: request.options.trace != .none, tracesLines: request.options.trace == .lines, payload: .sent,
            measuresMemory: request.options.measuresUsage)
    }
}

/// What was decided, before it is kept.
struct Decided {
    let ask: Ask
    let status: Int
    let body: [UInt8]
    var retryAfter: Int?
    /// Whose state it was decided on; nil: nobody's, there is only a problem to tell.
    var recipient: String?
    var effects: [Effect] = []

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
    }

    /// The same for somebody who has repeated the request.
    init(_ ask: Ask, _ other: Decided) {
        self.ask = ask
        status = other.status
        body = other.body
        retryAfter = other.retryAfter
    }

    var answer: HostAnswer { HostAnswer(tag: ask.request.tag, status: status, body: body, retryAfter: retryAfter) }
}
