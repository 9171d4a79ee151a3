// A thread that writes, and a bounded queue before it. Whoever hands something over never waits: when the disk is slow or full, what
// there is no room for is dropped and counted.
import EffectStore
import Glibc
import RuleHosting

final class LineThread<Item: Sendable>: Sendable {
    private struct Queue {
        var items: [Item] = []
        var bytes = 0
        var isAsleep = false
        var isClosed = false
        var dropped = 0
        var isCalled = false
    }

    private let queue = Monitor(Queue())
    private let most: Int
    private let mostBytes: Int
    private let thread = Monitor<pthread_t?>(nil)
    /// Microseconds in which lines gather before they are written together.
    private static var pause: UInt32 { 5_000 }

    /// What has come since the last time.
    struct Turn {
        let items: [Item]
        let dropped: Int
        /// `call` was.
        let isCalled: Bool
    }

    /// - Parameter write: on the thread.
    init(most: Int, bytes: Int, write: @escaping @Sendable (Turn) -> Void) throws(TelemetryFault) {
        self.most = most
        mostBytes = bytes
        let queue = queue
        let body: @Sendable () -> Void = { LineThread.work(queue, write) }
        guard let started = HostThread.start(body) else { throw .noThread }
        thread.withLock { $0 = started }
    }

    /// - Returns: false: there was no room.
    @discardableResult
    func offer(_ item: Item, bytes: Int) -> Bool {
        let (isTaken, wakes) = queue.withLock { queue -> (Bool, Bool) in
            guard !queue.isClosed, queue.items.count < most, queue.bytes + bytes <= mostBytes else {
                queue.dropped += 1
                return (false, false)
            }
            queue.items.append(item)
            queue.bytes += bytes
            defer { queue.isAsleep = false }
            return (true, queue.isAsleep)
        }
        if wakes { queue.change { _ in } }
        return isTaken
    }

    /// Says that there is something to do before more is written. Always taken, however full the queue is.
    func call() { queue.change { $0.isCalled = true } }

    /// Writes what was taken, and nothing more.
    func end() {
        queue.change { $0.isClosed = true }
        let started = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let started { pthread_join(started, nil) }
    }

    private static func work(_ queue: Monitor<Queue>, _ write: (Turn) -> Void) {
        while true {
            let (turn, isClosed) = queue.wait { queue -> (Turn, Bool)? in
                guard !queue.items.isEmpty || queue.isCalled || queue.isClosed else {
                    queue.isAsleep = true
                    return nil
                }
                defer { queue = Queue(isClosed: queue.isClosed) }
                return (Turn(items: queue.items, dropped: queue.dropped, isCalled: queue.isCalled), queue.isClosed)
            }
            if !turn.items.isEmpty || turn.dropped > 0 || turn.isCalled { write(turn) }
            if isClosed { return }
            usleep(pause)
        }
    }
}

/// Why nothing can be told of a host.
public struct TelemetryFault: Error, Sendable, Equatable {
    public let code: String
    public let message: String
    public let hint: String?

    static let noThread = TelemetryFault(
        code: "no_thread", message: "the system gives no thread to work on", hint: "end other programs, or raise the limit (ulimit -u)")
}
