// Tells a server of an app's owner what was decided about messages whose time had come: one POST each, signed, repeated until it is
// taken. What is to be told is in the store since the commit that decided it, so that neither a kill nor a restart loses it; here are
// only numbers. Made and ended by RuleHost; its threads wait for the other end, and nobody waits for them.
//
// 1. What fails is tried again after a pause that doubles, and given up when it is a day old.
// 2. When the other end fails again and again it is left alone for a while, and then asked by one post, until one is taken.
import CHTTPCall
import EffectStore
import Glibc
import PushMessage

public final class Webhook: Sendable {
    private struct State {
        var queue = PostQueue()
        var facts = Facts()
        var secret: [UInt8]
        /// Sent, and not heard of.
        var underWay = 0
        /// In a row, of all posts.
        var failuresInRow = 0
        /// Until then nobody is asked.
        var resumes: Int64 = 0
        /// Failing, and that has been said.
        var isToldFailing = false
        /// Something may be new.
        var isPoked = true
        var isReading = false
        /// Told or given up, and still in the store.
        var done: [Int64] = []
        var isDropping = false
        /// The store has refused something.
        var storeResumes: Int64 = 0
        var closedAt: Int64?
        /// Rises with each change that a lane may wait for.
        var turn = 0
    }

    private enum Step {
        case end
        case read(after: Int64)
        case drop([Int64])
        case send(PostQueue.Entry, secret: [UInt8])
        case wait(Int64, turn: Int)
    }

    private let settings: Settings
    private let keeping: any HostKeeping
    private let clock: @Sendable () -> Instant
    private let tell: @Sendable (Word) -> Void
    private let state: Monitor<State>
    private let lanes = Monitor<[pthread_t]>([])
    /// Milliseconds after which a store that has refused is asked again, and between looks where nothing happens.
    private static let patience: Int64 = 1_000, longest: Int64 = 60_000
    /// Failures in a row from which on there is word of it.
    private static let telling = 3

    init(
        _ settings: Settings, keeping: any HostKeeping, clock: @escaping @Sendable () -> Instant,
        tell: @escaping @Sendable (Word) -> Void = { _ in }
    ) throws(HostStartFault) {
        self.settings = settings
        self.keeping = keeping
        self.clock = clock
        self.tell = tell
        state = Monitor(State(secret: settings.secret))
        guard hc_available() != 0 else {
            throw HostStartFault(
                code: "fetch_unavailable", message: "nobody can be told over HTTP: libcurl is not installed",
                hint: "install it (on Debian: apt-get install libcurl4)")
        }
        for _ in 0..<max(1, settings.lanes) {
            guard let lane = HostThread.start({ [self] in work() }) else {
                close()
                throw .noThread
            }
            lanes.withLock { $0.append(lane) }
        }
    }

    /// What is under way has a moment; what waits is told by the next host on the store.
    func close() {
        change { $0.closedAt = $0.closedAt ?? HostClock.ticks() }
        let started = lanes.withLock { lanes in
            defer { lanes = [] }
            return lanes
        }
        for lane in started { pthread_join(lane, nil) }
        // What was taken must not be told again if that can be helped.
        let rest = state.wait { state -> [Int64]? in state.isDropping ? nil : state.done }
        guard !rest.isEmpty else { return }
        let isOver = Monitor(false)
        keeping.dropFromOutbox(rest) { _ in isOver.change { $0 = true } }
        isOver.wait { $0 ? () : nil }
    }

    /// Something is to be told, and that is kept.
    func poke() { change { $0.isPoked = true } }

    /// From the next post on.
    func sign(with secret: [UInt8]) { change { $0.secret = secret } }

    var facts: Facts {
        state.withLock { state in
            var facts = state.facts
            facts.waiting = state.queue.count + state.underWay
            facts.oldest = state.queue.oldest
            return facts
        }
    }

    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        state.change { state in
            state.turn += 1
            return body(&state)
        }
    }

    // MARK: the lanes

    private func work() {
        let call = WebhookCall(settings)
        while true {
            switch state.withLock({ Webhook.step(&$0, now: HostClock.ticks()) }) {
            case .end: return
            case .read(let number): read(after: number)
            case .drop(let numbers): drop(numbers)
            case .send(let entry, let secret): send(entry, secret, call)
            case .wait(let pause, let turn):
                _ = state.wait(milliseconds: Int(max(1, min(pause, Webhook.longest)))) { $0.turn != turn ? true : nil }
            }
        }
    }

    private static func step(_ state: inout State, now: Int64) -> Step {
        if state.closedAt != nil { return .end }
        var pause = longest
        if now < state.storeResumes {
            pause = state.storeResumes - now
        } else if state.isPoked, !state.isReading {
            (state.isPoked, state.isReading) = (false, true)
            return .read(after: state.queue.newest)
        } else if !state.done.isEmpty, !state.isDropping {
            state.isDropping = true
            defer { state.done = [] }
            return .drop(state.done)
        }
        if now < state.resumes { return .wait(min(pause, state.resumes - now), turn: state.turn) }
        // One finds out for all of them whether there is somebody again.
        if state.failuresInRow > 1, state.underWay > 0 { return .wait(pause, turn: state.turn) }
        if let entry = state.queue.next(now: now) {
            state.underWay += 1
            return .send(entry, secret: state.secret)
        }
        return .wait(min(pause, state.queue.pause(now: now) ?? pause), turn: state.turn)
    }

    private func read(after number: Int64) {
        let found: (entries: [OutboxEntry], first: Int64?)?
        do throws(EffectStoreFault) { found = try keeping.outbox(after: number) } catch { found = nil }
        let dropped = change { state in
            state.isReading = false
            guard let found else {
                state.isPoked = true
                state.storeResumes = HostClock.ticks() + Webhook.patience
                return 0
            }
            state.queue.add(found.entries, first: found.first)
            let dropped = keeping.outboxDropped - state.facts.dropped
            state.facts.dropped += dropped
            return dropped
        }
        if dropped > 0 { tell(.dropped(dropped)) }
    }

    private func drop(_ numbers: [Int64]) {
        keeping.dropFromOutbox(numbers) { [self] isDone in
            change { state in
                state.isDropping = false
                guard !isDone else { return }
                state.done += numbers
                state.storeResumes = HostClock.ticks() + Webhook.patience
            }
        }
    }

    private func send(_ entry: PostQueue.Entry, _ secret: [UInt8], _ call: WebhookCall) {
        let post: OutboxPost?
        do throws(EffectStoreFault) {
            post = try keeping.outboxPost(entry.number)
        } catch {
            return change { state in
                state.underWay -= 1
                var entry = entry
                entry.notBefore = HostClock.ticks() + Webhook.patience
                state.queue.putBack(entry)
            }
        }
        // Whom it is about may have been forgotten meanwhile.
        guard let post else { return change { $0.underWay -= 1 } }
        let outcome = call.send(post.body, secret: secret) { [self] in
            state.withLock { $0.closedAt.map { HostClock.ticks() < $0 + settings.farewell } ?? true }
        }
        for word in change({ settle(entry, outcome, &$0) }) { tell(word) }
    }

    private func settle(_ entry: PostQueue.Entry, _ outcome: WebhookCall.Outcome, _ state: inout State) -> [Word] {
        state.underWay -= 1
        let now = HostClock.ticks()
        switch outcome {
        case .stopped:
            state.queue.putBack(entry)
            return []
        case .taken:
            state.facts.taken += 1
            (state.failuresInRow, state.resumes) = (0, 0)
            state.done.append(entry.number)
            defer { state.isToldFailing = false }
            return state.isToldFailing ? [.works] : []
        case .failed(let reason, let retryAfter):
            state.facts.failures += 1
            var entry = entry
            entry.failures += 1
            let wanted = settings.retry(after: retryAfter)
            entry.notBefore = now + max(wanted, Webhook.backoff(settings.pause, entry.failures - 1, most: settings.longestPause))
            state.queue.putBack(entry)
            var words: [Word] = []
            // One that nobody will ever take holds up no others.
            if Webhook.isOfEverybody(reason) {
                state.failuresInRow += 1
                if state.failuresInRow > 1 {
                    state.resumes = now + Webhook.backoff(settings.pause, state.failuresInRow - 2, most: settings.longestRest)
                }
                // Others are no more welcome.
                if wanted > 0 { state.resumes = max(state.resumes, now + wanted) }
            }
            if entry.failures >= Webhook.telling || state.failuresInRow >= Webhook.telling, !state.isToldFailing {
                state.isToldFailing = true
                words.append(.failing(reason))
            }
            let oldest = clock().milliseconds - settings.life
            let over = state.queue.remove { $0.since.milliseconds <= oldest }
            guard !over.isEmpty else { return words }
            state.facts.expired += over.count
            state.done += over
            return words + [.expired(over.count)]
        }
    }

    /// Whether it says something of the other end as a whole, and not of what was sent.
    private static func isOfEverybody(_ reason: String) -> Bool {
        guard let status = Int(reason) else { return true }
        return status >= 500 || [401, 403, 404, 408, 425, 429].contains(status) || (300..<400).contains(status)
    }

    private static func backoff(_ pause: Int64, _ doublings: Int, most: Int64) -> Int64 { min(most, pause << Int64(min(20, doublings))) }
}
