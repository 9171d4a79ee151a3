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
        /// Something may be due before the next look.
        var isPoked = true
        /// When that is, in milliseconds.
        var wake = Int64.max
        var turns: [String: DueTurn] = [:]
        /// Handed to shards, and not decided.
        var underWay: Int { turns.values.reduce(0) { $0 + $1.count } }
    }

    private let state = Monitor(State())
    private let keeping: any HostKeeping
    private let clock: @Sendable () -> Instant
    private let listeners: Listeners
    private let shard: @Sendable (String) -> Shard?
    private let thread = Monitor<pthread_t?>(nil)

    /// Messages that are with shards at the same time, of all apps.
    private static let most = 4_096
    /// Milliseconds between looks where nothing is due before, for clocks that are set.
    private static let longest: Int64 = 1_000

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

    /// Something has been held back until then, and that is kept.
    func poke(_ at: Instant) {
        state.change { state in
            if at.milliseconds < state.wake { state.isPoked = true }
        }
    }

    /// To be told what happens in the host.
    var ear: any HostListening { DueEar(self) }

    /// The app rests no more.
    fileprivate func wake(_ app: String) {
        state.change { state in
            guard state.turns[app] != nil else { return }
            state.turns[app]?.wake()
            state.isPoked = true
        }
    }

    // MARK: the thread

    private func work() {
        while true {
            let isClosed = state.withLock { state in
                state.isPoked = false
                return state.isClosed
            }
            if isClosed { return }
            let now = clock().milliseconds
            let wake = min(look(now), now + DueClock.longest)
            state.withLock { $0.wake = wake }
            _ = state.wait(milliseconds: Int(max(1, wake - now))) { $0.isPoked || $0.isClosed ? true : nil }
        }
    }

    /// App by app: one whose messages cannot be decided is no other's business.
    /// - Returns: when there is something to do, in milliseconds.
    private func look(_ now: Int64) -> Int64 {
        var wake = Int64.max
        do throws(EffectStoreFault) {
            let apps = try keeping.dueApps().sorted { $0.at < $1.at }
            var room = state.withLock { state in
                state.turns = state.turns.filter { !$0.value.isOver(now: now) }
                return DueClock.most - state.underWay
            }
            for (app, first) in apps {
                guard first.milliseconds <= now else { return min(wake, first.milliseconds) }
                let rows = state.withLock { $0.turns[app, default: DueTurn()].rows(now: now) }
                guard rows > 0, room > 0 else { continue }
                let messages = try keeping.due(of: app, first: rows)
                let due = messages.prefix { $0.at.milliseconds <= now }
                if due.count < messages.count { wake = min(wake, messages[due.count].at.milliseconds) }
                let taken = state.withLock { $0.turns[app, default: DueTurn()].take(Array(due), now: now) }
                room -= taken.count
                hand(taken, of: app)
            }
        } catch {
            // Looked at again soon.
        }
        return wake
    }

    private func hand(_ messages: [DueMessage], of app: String) {
        guard !messages.isEmpty else { return }
        guard let shard = shard(app) else {
            for message in messages { finish(message, .failed) }
            return
        }
        shard.queue.signal(
            .task { shard in
                var asks: [Ask] = []
                for message in messages {
                    switch shard.due(message, CallingBack { self.take($0, message) }) {
                    case .ask(let ask): asks.append(ask)
                    // What has moved, or is gone, is looked at again when it may be there.
                    case .notBefore(let instant): self.finish(message, .moved(instant.milliseconds))
                    case .unreadable: self.finish(message, .failed)
                    }
                }
                shard.decide(asks)
            })
    }

    private func take(_ answer: HostAnswer, _ message: DueMessage) {
        guard answer.status == 200 else { return finish(message, answer.status == 404 ? .appIsGone : .failed) }
        listeners.tell(
            HostEvent(
                app: message.app, at: clock(),
                kind: .due(DueDecision(recipient: message.recipient, id: message.id, decision: answer.body)), info: nil))
        finish(message, .done)
    }

    private func finish(_ message: DueMessage, _ outcome: DueTurn.Outcome) {
        let now = clock().milliseconds
        state.change { state in
            if state.turns[message.app]?.finish(message, outcome, now: now) == true { state.isPoked = true }
        }
    }
}

/// Hears that other rules are in force. Listeners know it for as long as there is a host; it does not hold the clock, which holds them.
private final class DueEar: HostListening {
    private weak let clock: DueClock?

    init(_ clock: DueClock) { self.clock = clock }

    func heard(_ event: HostEvent) { if case .reload = event.kind { clock?.wake(event.app) } }
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
        case ask(Ask)
        /// It waits for a later moment than the table says, or does not wait any more.
        case notBefore(Instant)
        /// Of the store.
        case unreadable
    }

    /// What is to be asked about a message whose time has come, as anybody asks. On the shard's thread.
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
        return .ask(Ask(DecideRequest(app: message.app, body: body), sink, since: since, pinned: kept.ruleset, due: message))
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
