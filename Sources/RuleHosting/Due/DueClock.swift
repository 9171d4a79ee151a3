// Looks when messages that are held back are due, and has them decided again then: once each, also over restarts, because what is
// decided lets go of them in the commit that keeps it. A thread of its own, which sleeps until the next one.
import EffectStore
import Glibc
import JSONDocument
import PushMessage
import RuleEngine

final class DueClock: Sendable {
    private struct State {
        var isClosed = false
        /// Something has been held back since the last look.
        var isPoked = true
        /// Handed to a shard, and not decided.
        var underWay: Set<Key> = []
        /// Not to be looked at again before.
        var notBefore: [Key: Int64] = [:]
    }

    private struct Key: Hashable {
        let app: String
        let recipient: String
        let id: String

        init(_ message: DueMessage) { (app, recipient, id) = (message.app, message.recipient, message.id) }
    }

    private let state = Monitor(State())
    private let keeping: any HostKeeping
    private let clock: @Sendable () -> Instant
    private let listeners: Listeners
    private let shard: @Sendable (String) -> Shard?
    private let thread = Monitor<pthread_t?>(nil)

    /// Messages that are looked at in one turn.
    private static let most = 256
    /// Milliseconds between looks where nothing is due before, for clocks that are set.
    private static let longest: Int64 = 1_000
    /// Milliseconds after which one that could not be decided is tried again.
    private static let patience: Int64 = 5_000

    init(
        keeping: any HostKeeping, listeners: Listeners, clock: @escaping @Sendable () -> Instant,
        shard: @escaping @Sendable (String) -> Shard?
    ) { (self.keeping, self.listeners, self.clock, self.shard) = (keeping, listeners, clock, shard) }

    func start() throws(HostStartFault) {
        guard let started = HostThread.start({ [self] in work() }) else { throw .noThread }
        thread.withLock { $0 = started }
    }

    func end() {
        state.change { $0.isClosed = true }
        let started = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let started { pthread_join(started, nil) }
    }

    /// Something has been held back, and that is kept.
    func poke() { state.change { $0.isPoked = true } }

    // MARK: the thread

    private func work() {
        while true {
            let isClosed = state.withLock { state in
                state.isPoked = false
                return state.isClosed
            }
            if isClosed { return }
            let pause = look()
            _ = state.wait(milliseconds: Int(pause)) { $0.isPoked || $0.isClosed ? true : nil }
        }
    }

    /// - Returns: milliseconds until there is something to do.
    private func look() -> Int64 {
        let now = clock()
        let busy = state.withLock { state in
            state.notBefore = state.notBefore.filter { $0.value > now.milliseconds }
            return state.underWay.count + state.notBefore.count
        }
        let messages: [DueMessage]
        do throws(EffectStoreFault) {
            messages = try keeping.due(first: DueClock.most + busy)
        } catch {
            return DueClock.longest
        }
        for message in messages {
            guard message.at <= now else { return min(max(1, message.at.milliseconds - now.milliseconds), DueClock.longest) }
            hand(message)
        }
        return DueClock.longest
    }

    private func hand(_ message: DueMessage) {
        let key = Key(message)
        let isNew = state.withLock { $0.notBefore[key] == nil && $0.underWay.insert(key).inserted }
        guard isNew else { return }
        guard let shard = shard(message.app) else { return finish(key, again: nil) }
        let sink = CallingBack { answer in self.take(answer, message) }
        shard.queue.signal(
            .task { shard in
                switch shard.due(message, sink) {
                case .asked: break
                // What has moved, or is gone, is looked at again when it may be there.
                case .notBefore(let instant): self.finish(key, again: instant.milliseconds)
                case .unreadable: self.finish(key, again: self.clock().milliseconds + DueClock.patience)
                }
            })
    }

    private func take(_ answer: HostAnswer, _ message: DueMessage) {
        guard answer.status == 200 else {
            // An app that is gone may come back, but hardly in a moment.
            let patience = DueClock.patience * (answer.status == 404 ? 120 : 1)
            return finish(Key(message), again: clock().milliseconds + patience)
        }
        listeners.tell(
            HostEvent(
                app: message.app, at: clock(),
                kind: .due(DueDecision(recipient: message.recipient, id: message.id, decision: answer.body)), info: nil))
        finish(Key(message), again: nil)
    }

    private func finish(_ key: Key, again: Int64?) {
        state.change { state in
            state.underWay.remove(key)
            if let again { state.notBefore[key] = again }
            // There may be more than one turn looks at, and it may be held back again.
            state.isPoked = true
        }
    }
}

/// What was decided about a message whose time had come.
public struct DueDecision: Sendable {
    /// "" when the device named none.
    public let recipient: String
    /// As it was kept.
    public let id: String
    /// JSON.
    public let decision: [UInt8]
}

extension Shard {
    enum DueOutcome {
        case asked
        /// It waits for a later moment than the table says, or does not wait any more.
        case notBefore(Instant)
        /// Of the store.
        case unreadable
    }

    /// Asks about a message whose time has come, as anybody asks. On the shard's thread.
    func due(_ message: DueMessage, _ sink: any AnswerTaking) -> DueOutcome {
        let memory = seat(of: message.app).memory
        let now = clock()
        do throws(HostProblem) {
            try memory.open(message.recipient)
        } catch {
            return .unreadable
        }
        guard let kept = memory.state.recipients[message.recipient]?.deferred.message(message.id), let at = kept.dueAt else {
            return .notBefore(Instant(milliseconds: now.milliseconds + 60_000))
        }
        // The rules of its zone have changed since.
        guard at <= now else { return .notBefore(at) }
        let body = Shard.body(of: message, attempt: kept.attempt)
        let since = watch == nil ? 0 : HostClock.nanoseconds()
        decide([Ask(DecideRequest(app: message.app, body: body), sink, since: since, pinned: kept.ruleset, due: message)])
        return .asked
    }

    private static func body(of message: DueMessage, attempt: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("event")
        writer.beginObject()
        writer.key("name")
        writer.string("due")
        writer.key("deferred_id")
        writer.string(message.id)
        writer.key("attempt")
        writer.integer(attempt)
        writer.endObject()
        writer.key("device")
        writer.beginObject()
        if !message.recipient.isEmpty {
            writer.key("recipient")
            writer.string(message.recipient)
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}
