// Reads the requests of a batch ahead of the shard that decides them, on a thread that each shard has beside its own: reading is a third of
// the way of a message, and depends on nothing that others change. Nobody waits for it: what it has not read when its turn comes, the
// shard reads itself, so that a machine with no processor to spare does the same work in the same time. Made by Shard; started by RulesInUse.
import EffectStore
import Synchronization

final class ReadAhead: Sendable {
    private struct Waiting {
        var work: ReadAheadWork?
        var isClosed = false
    }

    private let waiting = Monitor(Waiting())
    /// Batches so far, so that what was read for one is never taken for what was read for another.
    private let tickets = Atomic(0)

    /// Fewer requests than this are read before it is awake.
    static let least = 8

    /// The next batch; the one before must be over. Only for the shard's thread.
    func begin(_ asks: [Ask], in lane: ReadAheadLane) -> ReadAheadWork {
        let first = tickets.wrappingAdd(asks.count, ordering: .relaxed).oldValue
        let work = ReadAheadWork(asks, in: lane, first: first, wake: { [waiting] in waiting.change { _ in } })
        waiting.change { $0.work = work }
        return work
    }

    func close() { waiting.change { $0.isClosed = true } }

    /// The thread.
    func run() {
        while case .read(let work) = next() {
            work.read { isDone in
                waiting.wait { isDone() || $0.isClosed || $0.work != nil ? () : nil }
            }
        }
    }

    private enum Next {
        case read(ReadAheadWork)
        case end
    }

    private func next() -> Next {
        waiting.wait { waiting -> Next? in
            if waiting.isClosed { return .end }
            defer { waiting.work = nil }
            return waiting.work.map { .read($0) }
        }
    }
}

/// Where what is read ahead stands until it is decided: so many readers, used in turn. Belongs to rules, whose manifest says how to read.
///
// SAFETY: a place is the reading thread's until its ticket is published, and from then on the shard's until that has moved on.
final class ReadAheadLane: @unchecked Sendable {
    /// Requests that are read at most before they are decided: what is read should still be near when it is.
    static let count = 32
    fileprivate let readers: [RequestReader]
    fileprivate let read: UnsafeMutablePointer<ReadRequest?>
    fileprivate let tickets: UnsafeMutablePointer<Atomic<Int>>

    init(_ reader: () -> RequestReader) {
        readers = (0..<ReadAheadLane.count).map { _ in reader() }
        read = .allocate(capacity: ReadAheadLane.count)
        read.initialize(repeating: nil, count: ReadAheadLane.count)
        tickets = .allocate(capacity: ReadAheadLane.count)
        for place in 0..<ReadAheadLane.count { (tickets + place).initialize(to: Atomic(-1)) }
    }

    deinit {
        read.deinitialize(count: ReadAheadLane.count)
        read.deallocate()
        tickets.deinitialize(count: ReadAheadLane.count)
        tickets.deallocate()
    }
}

/// One batch.
final class ReadAheadWork: Sendable {
    private let asks: [Ask]
    private let lane: ReadAheadLane
    private let first: Int
    private let wake: @Sendable () -> Void
    /// What the shard decides now. Places of those before are free.
    private let now = Atomic(0)
    /// Where the shard has to be for the reading thread to go on.
    private let goal = Atomic(Int.max)

    init(_ asks: [Ask], in lane: ReadAheadLane, first: Int, wake: @escaping @Sendable () -> Void) {
        self.asks = asks
        self.lane = lane
        self.first = first
        self.wake = wake
    }

    // MARK: on the shard's thread

    /// Valid until the next call. nil: it has not been read, or there is something wrong with it.
    func take(_ place: Int) -> ReadRequest? {
        move(to: place)
        let slot = place % ReadAheadLane.count
        guard lane.tickets[slot].load(ordering: .acquiring) == first + place else { return nil }
        // Taken out, not copied; the message itself stays where its reader is.
        return (lane.read + slot).pointee.take()
    }

    func end() { move(to: asks.count) }

    private func move(to place: Int) {
        now.store(place, ordering: .sequentiallyConsistent)
        guard place >= goal.load(ordering: .sequentiallyConsistent) else { return }
        goal.store(.max, ordering: .relaxed)
        wake()
    }

    // MARK: on the reading thread

    /// - Parameter sleep: until there is something else to do, or what it is given is true.
    func read(sleep: (() -> Bool) -> Void) {
        var next = 1
        while true {
            let now = now.load(ordering: .acquiring)
            next = max(next, now + 1)
            guard next < asks.count else { return }
            if next - now >= ReadAheadLane.count {
                let goal = next - ReadAheadLane.count / 2
                self.goal.store(goal, ordering: .sequentiallyConsistent)
                sleep { self.now.load(ordering: .sequentiallyConsistent) >= goal }
                self.goal.store(.max, ordering: .relaxed)
                continue
            }
            read(next)
            next += 1
        }
    }

    private func read(_ place: Int) {
        let slot = place % ReadAheadLane.count
        let request = asks[place].request
        do throws(HostProblem) {
            lane.read[slot] = try lane.readers[slot].read(request.body, request.outline)
        } catch {
            // The shard reads it again, and tells.
            lane.read[slot] = nil
        }
        lane.tickets[slot].store(first + place, ordering: .releasing)
    }
}
