// What waits for a shard: requests, a bounded number of them, and word from the store and the loader. The only place where a
// request meets a lock, and once for all that come together.
import EffectStore

final class ShardQueue: Sendable {
    enum Signal: Sendable {
        /// What a group of answers has come to.
        case kept(KeptGroup, [Result<CommitOutcome, EffectStoreFault>])
        /// What came of loading an app.
        case rules(app: String, LoadOrder.Outcome)
        /// The same of an older version.
        case version(app: String, hash: String, LoadOrder.Outcome)
        /// Something else that is to be done on the shard's thread.
        case task(@Sendable (Shard) -> Void)
    }

    struct Taken {
        var asks: [Ask] = []
        var signals: [Signal] = []
        var isClosed = false
    }

    private struct Waiting {
        var asks: [Ask] = []
        /// Those before are taken.
        var first = 0
        var bytes = 0
        /// Bytes of those that were taken and wait all the same.
        var behind = 0
        var countBehind = 0
        var signals: [Signal] = []
        var isClosed = false
    }

    private let waiting = Monitor(Waiting())
    private let most: Int
    private let mostBytes: Int

    init(most: Int, bytes: Int) {
        self.most = most
        mostBytes = bytes
    }

    enum Refusal { case full, closed }

    /// Those that there is room for, the first ones first.
    /// - Returns: how many were taken, and why not the others.
    func offer(_ asks: [Ask]) -> (taken: Int, Refusal) {
        waiting.change { waiting in
            guard !waiting.isClosed else { return (0, .closed) }
            var taken = 0
            for ask in asks {
                guard waiting.asks.count - waiting.first < most, waiting.bytes + waiting.behind + ask.request.body.count <= mostBytes
                else { break }
                waiting.bytes += ask.request.body.count
                waiting.asks.append(ask)
                taken += 1
            }
            return (taken, .full)
        }
    }

    /// Room for requests that were taken and have to wait all the same: half of the bytes at most, so that others still come in, and for
    /// one app no more than it leaves to others.
    /// - Parameter own: bytes that the app has there already.
    /// - Returns: for how many of them there is room, the first ones first.
    func keep(_ asks: ArraySlice<Ask>, own: Int) -> Int {
        waiting.withLock { waiting in
            var own = own
            var kept = 0
            for ask in asks {
                guard own + ask.weight <= mostBytes / 2 - waiting.behind else { break }
                own += ask.weight
                waiting.behind += ask.weight
                kept += 1
            }
            waiting.countBehind += kept
            return kept
        }
    }

    /// They wait no longer.
    func letGo(_ count: Int, _ bytes: Int) {
        guard count > 0 else { return }
        waiting.withLock { waiting in
            waiting.behind -= bytes
            waiting.countBehind -= count
        }
    }

    func signal(_ signal: Signal) { waiting.change { $0.signals.append(signal) } }

    func close() { waiting.change { $0.isClosed = true } }

    /// Waits until there is something to do.
    /// - Parameters:
    ///   - most: requests; 0: only word of others is wanted.
    ///   - milliseconds: nil is answered when nothing came in this time.
    func take(atMost most: Int, milliseconds: Int) -> Taken? {
        waiting.wait(milliseconds: milliseconds) { waiting in
            let count = min(most, waiting.asks.count - waiting.first)
            guard count > 0 || !waiting.signals.isEmpty || waiting.isClosed else { return nil }
            var taken = Taken(signals: waiting.signals, isClosed: waiting.isClosed && waiting.asks.count - waiting.first == count)
            waiting.signals = []
            if count == waiting.asks.count {
                swap(&taken.asks, &waiting.asks)
                waiting.bytes = 0
            } else if count > 0 {
                let end = waiting.first + count
                taken.asks = Array(waiting.asks[waiting.first..<end])
                for ask in taken.asks { waiting.bytes -= ask.request.body.count }
                waiting.first = end
                // Moved together when most of it is empty: each request is moved once at most.
                if waiting.first * 2 > waiting.asks.count {
                    waiting.asks.removeFirst(waiting.first)
                    waiting.first = 0
                }
            }
            return taken
        }
    }

    var count: Int { waiting.withLock { $0.asks.count - $0.first } }

    /// Those that were taken and have to wait all the same.
    var countBehind: Int { waiting.withLock { $0.countBehind } }
}
