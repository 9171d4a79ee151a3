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
    }

    private let queue = Monitor(Queue())
    private let most: Int
    private let mostBytes: Int
    private let thread = Monitor<pthread_t?>(nil)
    /// Microseconds in which lines gather before they are written together.
    private static var pause: UInt32 { 5_000 }

    /// - Parameter write: on the thread, with what has come, and how much was dropped since the last time.
    init(most: Int, bytes: Int, write: @escaping @Sendable ([Item], _ dropped: Int) -> Void) throws(TelemetryFault) {
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

    /// Writes what was taken, and nothing more.
    func end() {
        queue.change { $0.isClosed = true }
        let started = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let started { pthread_join(started, nil) }
    }

    private static func work(_ queue: Monitor<Queue>, _ write: ([Item], Int) -> Void) {
        while true {
            let (items, dropped, isClosed) = queue.wait { queue -> ([Item], Int, Bool)? in
                guard !queue.items.isEmpty || queue.isClosed else {
                    queue.isAsleep = true
                    return nil
                }
                defer {
                    queue.items = []
                    queue.bytes = 0
                    queue.dropped = 0
                    queue.isAsleep = false
                }
                return (queue.items, queue.dropped, queue.isClosed)
            }
            if !items.isEmpty || dropped > 0 { write(items, dropped) }
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
