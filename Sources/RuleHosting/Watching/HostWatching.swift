// Who wants to know how a host does: told of what happens where it happens, in numbers. Nobody does unless somebody is named; then the way of a
// message is as if none of this were here. Nothing in here may wait: it is on that way.
public import PushMessage
public import RuleEngine

public protocol HostWatching: AnyObject, Sendable {
    /// Asked once for each shard, before it begins.
    /// - Parameter number: from 0.
    func desk(ofShard number: Int) -> any ShardWatching

    /// Something about the webhook that a person should know. On any thread.
    func heard(ofWebhook word: Webhook.Word)
}

extension HostWatching {
    public func heard(ofWebhook word: Webhook.Word) {}
}

/// Times are in nanoseconds.
public protocol ShardWatching: AnyObject, Sendable {
    /// Whether what is decided for somebody is to be recorded once it counts. On the shard's thread.
    func records(_ request: DecideRequest, recipient: String) -> Bool

    /// A request was decided: no dry run. On the shard's thread.
    /// - Parameters:
    ///   - side: nil: the app has no other rules for some of its recipients.
    ///   - waited: since the request was handed over.
    ///   - took: to read it, to evaluate it and to write the answer.
    func decided(_ evaluations: [Evaluation], of request: DecideRequest, by side: CanarySide?, waited: Int64, took: Int64)

    /// Requests that were decided are answered, each so long after it was handed over. On any thread.
    func answered(after time: Int64)

    /// What so many requests change was handed to the store, and it has answered. On any thread.
    func kept(_ count: Int, took: Int64)

    /// A request was decided, and what it changes could not be kept: it has changed nothing. On any thread.
    func notKept(_ request: DecideRequest)

    /// A request is answered with a problem. On any thread.
    func refused(_ code: String)

    /// What was decided counts, and its answer leaves. On any thread.
    func recorded(_ record: DecisionRecord)
}

/// Whose rules have decided, where an app has a canary.
public struct CanarySide: Sendable {
    /// The hash of the canary, on either side.
    public let canary: String
    /// By the canary; else by the base, which all others have.
    public let isCanary: Bool
    /// By neither, but as somebody was promised when the message was held back.
    public let isPinned: Bool

    init(canary: String, isCanary: Bool, isPinned: Bool = false) {
        self.canary = canary
        self.isCanary = isCanary
        self.isPinned = isPinned
    }
}

/// A decision as it can be lived through again.
public struct DecisionRecord: Sendable {
    public let app: String
    public let ruleset: String
    /// At which it was decided.
    public let at: Instant
    /// Of the request, as it came.
    public let body: [UInt8]
    /// JSON: the decision or those of the journey, with memory and time in their usage.
    public let decision: [UInt8]
    public let traceparent: String?
}
