// What of one app was taken from the queue and cannot be decided yet: until there are rules, until a change of state by hand is over, and
// then until those before are decided. Belongs to the app's seat. It counts the bytes of what waits at the shard's queue, which bounds them.

struct BehindQueue {
    private(set) var parked = ParkedAsks()
    private(set) var isLoading = false
    private var edit = Edit.none
    /// Bytes of those, and of requests that repeat others.
    private var bytes = 0
    private let queue: ShardQueue
    private let most: Int

    /// Somebody changes the state by hand.
    private enum Edit {
        case none
        /// So many requests come before; then he is told to begin.
        case behind(Int, begin: @Sendable () -> Void)
        case inHand
    }

    /// - Parameter most: requests, beside those that repeat others.
    init(_ queue: ShardQueue, most: Int) {
        self.queue = queue
        self.most = most
    }

    private var isHeld: Bool { if case .inHand = edit { true } else { false } }

    /// What comes has to wait.
    var isNeeded: Bool { isLoading || isHeld || !parked.isEmpty }

    /// Requests that have waited may be decided.
    var isReady: Bool { !parked.isEmpty && !isLoading && !isHeld }

    /// Nothing waits, and nobody changes anything.
    var isEmpty: Bool { if case .none = edit { parked.isEmpty && !isLoading } else { false } }

    // MARK: what is waited for

    /// What comes waits until there are rules.
    mutating func load() {
        isLoading = true
        // Nothing is decided until then.
        beginEdit()
    }

    mutating func endLoad() { isLoading = false }

    /// Nothing is decided from `begin` on until it is released; what waits already is decided before.
    /// - Parameter begin: called once.
    mutating func hold(_ begin: @escaping @Sendable () -> Void) {
        edit = .behind(parked.count, begin: begin)
        beginEdit()
    }

    /// When it is its turn, and everything that was decided is handed to the store.
    mutating func beginEdit() {
        guard case .behind(let before, let begin) = edit, before <= 0 || parked.isEmpty || isLoading else { return }
        edit = .inHand
        begin()
    }

    mutating func release() { edit = .none }

    // MARK: what waits

    /// - Returns: those that there is no room for.
    mutating func park(_ asks: [Ask]) -> ArraySlice<Ask> {
        guard !asks.isEmpty else { return [] }
        let room = keep(asks.prefix(max(0, most - parked.count)))
        parked.add(asks[..<room])
        return asks[room...]
    }

    /// Those that have waited for longest; not those of whom nobody waits for an answer any more. They leave undecided: nobody has been
    /// told that they were.
    mutating func take(_ most: Int) -> [Ask] {
        var live: [Ask] = []
        while live.count < most, !parked.isEmpty {
            let asks = parked.take(most - live.count)
            letGo(asks)
            if case .behind(let before, let begin) = edit { edit = .behind(before - asks.count, begin: begin) }
            live += asks.filter { !$0.sink.isGone }
        }
        return live
    }

    /// - Returns: for how many of them there is room, the first ones first. Who keeps them lets them go.
    mutating func keep(_ asks: ArraySlice<Ask>) -> Int {
        let room = queue.keep(asks, own: bytes)
        for ask in asks.prefix(room) { bytes += ask.weight }
        return room
    }

    mutating func letGo(_ asks: [Ask]) {
        let weight = asks.reduce(0) { $0 + $1.weight }
        bytes -= weight
        queue.letGo(asks.count, weight)
    }
}
