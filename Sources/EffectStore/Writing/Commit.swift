// What is handed to the store at once: the effects of what one request caused for one recipient and, when it was sent with a
// key, the answer that a repeated request gets. Both are kept, or neither. Bytes are made here, on the thread of whoever asks.
import PushMessage
public import RuleEngine

public struct Commit: Sendable {
    public let app: String
    /// "" when the device names none.
    public let recipient: String
    public let answer: KeptAnswer?
    /// Empty: nothing changes.
    let effects: [UInt8]
    /// Values of the whole app are among them.
    let shares: Bool
    let due: [DueChange]
    let chain: CommitChain?
    /// What somebody elsewhere is to be told of it; nil: nothing.
    let post: [UInt8]?

    /// - Parameters:
    ///   - effects: of one evaluation, or of a whole journey in its order.
    ///   - post: what somebody elsewhere is to be told of it, kept until he has been.
    ///   - chain: what the commits before it in the chain change is what this one was decided on.
    public init(
        app: String, recipient: String, effects: [Effect], answer: KeptAnswer? = nil, post: [UInt8]? = nil, chain: CommitChain? = nil
    ) {
        self.post = post
        self.chain = chain
        self.app = app
        self.recipient = recipient
        self.answer = answer
        self.effects = effects.isEmpty ? [] : KeptBytes.bytes(of: effects)
        shares = effects.contains { $0.isOfApp }
        due = effects.compactMap(DueChange.init)
    }

    /// About as many as it writes.
    var bytes: Int { effects.count + (answer?.answer.count ?? 0) + (post?.count ?? 0) }
}

/// The answer to a request with a key of its own: who repeats the request gets it again.
public struct KeptAnswer: Sendable, Equatable {
    /// Of whoever may ask: a name of the token, never the token. Two tokens may use the same key.
    public var token: String
    public var key: String
    /// Of the request, so that another one with the same key is told from a copy.
    public var question: [UInt8]
    public var status: Int
    public var answer: [UInt8]

    public init(token: String, key: String, question: [UInt8], status: Int, answer: [UInt8]) {
        self.token = token
        self.key = key
        self.question = question
        self.status = status
        self.answer = answer
    }

    /// How long it is kept: a day, in milliseconds.
    static let life: Int64 = 24 * 3_600_000
}

/// What became of a commit.
public enum CommitOutcome: Sendable, Equatable {
    case kept
    /// Nothing was changed: the key has been answered before, and this is the answer.
    case answeredBefore(KeptAnswer)
}

/// How much a commit that is acknowledged withstands.
public enum Durability: String, Sendable, CaseIterable {
    /// A power cut; each commit waits for the disk alone.
    case strict
    /// A power cut; all that wait at the same time wait for the disk together.
    case group
    /// The end of the process, but not a power cut, which costs the last moments and never the file.
    case none
}

enum DueChange: Sendable {
    /// nil: at no time, but when the app comes to the front.
    case keep(id: String, at: Instant?)
    case drop(id: String)

    init?(_ effect: Effect) {
        switch effect {
        case .keepDeferred(let message): self = .keep(id: message.id, at: message.dueAt)
        case .dropDeferred(let id): self = .drop(id: id)
        default: return nil
        }
    }
}

extension Effect {
    var isOfApp: Bool {
        switch self {
        case .setValue(.app, _, _), .deleteValue(.app, _): true
        default: false
        }
    }
}
