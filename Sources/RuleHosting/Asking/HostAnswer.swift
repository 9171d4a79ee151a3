// What a host answers, and how it gets to whoever asked.
public struct HostAnswer: Sendable {
    /// Of the request.
    public let tag: UInt64
    /// Of HTTP: 200, or that of a problem.
    public let status: Int
    /// JSON: a decision, the decisions of a journey, or a problem.
    public let body: [UInt8]
    /// Seconds after which it may be worth trying again.
    public let retryAfter: Int?
    /// Of a problem.
    public let code: String?

    public var isProblem: Bool { status >= 400 }

    init(tag: UInt64, status: Int, body: [UInt8], retryAfter: Int? = nil, code: String? = nil) {
        self.tag = tag
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
        self.code = code
    }

    init(tag: UInt64, _ problem: HostProblem) {
        self.init(tag: tag, status: problem.status, body: problem.body, retryAfter: problem.retryAfter, code: problem.code)
    }
}

/// Whoever waits for answers, such as a loop that has many exchanges: all that are ready at the same moment come at once.
public protocol AnswerTaking: AnyObject, Sendable {
    /// Called on any thread; it must not wait.
    func take(_ answers: [HostAnswer])

    /// Nobody is there any more to hear an answer: what has waited for its turn until now need not be decided. Called on any thread.
    var isGone: Bool { get }
}

extension AnswerTaking {
    public var isGone: Bool { false }
}

/// For a single request.
final class CallingBack: AnswerTaking {
    private let done: @Sendable (HostAnswer) -> Void

    init(_ done: @escaping @Sendable (HostAnswer) -> Void) { self.done = done }

    func take(_ answers: [HostAnswer]) { for answer in answers { done(answer) } }
}

/// Answers that are ready, in their order, by whom they are for.
struct Delivery: ~Copyable {
    private var sinks: [(sink: any AnswerTaking, answers: [HostAnswer])] = []
    private let watch: (any ShardWatching)?

    init(_ watch: (any ShardWatching)?) { self.watch = watch }

    mutating func add(_ answer: HostAnswer, to sink: any AnswerTaking) {
        if let watch, let code = answer.code { watch.refused(code) }
        // Mostly the one of the answer before.
        for place in sinks.indices.reversed() where sinks[place].sink === sink {
            sinks[place].answers.append(answer)
            return
        }
        sinks.append((sink, [answer]))
    }

    mutating func send() {
        for (sink, answers) in sinks { sink.take(answers) }
        sinks.removeAll(keepingCapacity: true)
    }
}
