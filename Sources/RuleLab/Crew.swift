// Threads that do jobs. A job may bring forth others, which go first, so that what was begun is finished before something
// new is. Whoever calls works too: with one thread nothing is started, and a system that gives no thread makes it slower and
// nothing else. Called where much is to be done that shares nothing.
import Glibc

// SAFETY: every access to `waiting` and `underWay` holds the lock.
final class Crew: @unchecked Sendable {
    typealias Job = @Sendable (Crew) -> Void

    private let size: Int
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// The last one is next.
    private var waiting: [Job] = []
    /// Jobs that are being done, and may bring forth others.
    private var underWay = 0

    /// - Parameter size: threads, with the one that calls `work`.
    init(of size: Int) {
        self.size = size
        lock.initialize(to: pthread_mutex_t())
        change.initialize(to: pthread_cond_t())
        pthread_mutex_init(lock, nil)
        pthread_cond_init(change, nil)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(lock)
        change.deallocate()
        lock.deallocate()
    }

    /// To be done before what waits, in this order.
    func add(_ jobs: [Job]) {
        pthread_mutex_lock(lock)
        waiting += jobs.reversed()
        pthread_cond_broadcast(change)
        pthread_mutex_unlock(lock)
    }

    /// Returns when nothing is left to do, and all threads have gone.
    func work() {
        var threads: [pthread_t] = []
        for _ in 1..<max(1, size) {
            var thread = pthread_t()
            let crew = Unmanaged.passRetained(self)
            let failed = pthread_create(
                &thread, nil,
                { crew in
                    guard let crew else { return nil }
                    Unmanaged<Crew>.fromOpaque(crew).takeRetainedValue().takePart()
                    return nil
                }, crew.toOpaque())
            guard failed == 0 else {
                crew.release()
                break
            }
            threads.append(thread)
        }
        takePart()
        for thread in threads { pthread_join(thread, nil) }
    }

    private func takePart() {
        while let job = next() {
            job(self)
            pthread_mutex_lock(lock)
            underWay -= 1
            pthread_cond_broadcast(change)
            pthread_mutex_unlock(lock)
        }
    }

    /// Waits while others may bring forth more; nil when nothing is left.
    private func next() -> Job? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while waiting.isEmpty, underWay > 0 { pthread_cond_wait(change, lock) }
        guard let job = waiting.popLast() else { return nil }
        underWay += 1
        return job
    }
}
