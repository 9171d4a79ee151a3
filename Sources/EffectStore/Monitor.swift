// A value that several threads share, one at a time, and on whose changes they wait. On the system's lock, which the thread
// sanitizer can see. Held for moments only, never while something is written to disk – but for the connection that readers share.
import Glibc

/// `Value` behind a lock. Not recursive.
// SAFETY: `value` is touched with the lock held, and by nobody else.
package final class Monitor<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ value: sending Value) {
        self.value = value
        lock.initialize(to: pthread_mutex_t())
        change.initialize(to: pthread_cond_t())
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A clock that nobody sets.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(change, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(lock)
        change.deallocate()
        lock.deallocate()
    }

    package func withLock<Answer, Failure: Error>(_ body: (inout Value) throws(Failure) -> Answer) throws(Failure) -> Answer {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value)
    }

    /// As `withLock`, and whoever waits looks again.
    package func change<Answer>(_ body: (inout Value) -> Answer) -> Answer {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        let answer = body(&value)
        pthread_cond_broadcast(change)
        return answer
    }

    /// Asks at once and after each change until there is an answer.
    package func wait<Answer>(_ body: (inout Value) -> Answer?) -> Answer {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let answer = body(&value) { return answer }
            pthread_cond_wait(change, lock)
        }
    }

    /// nil when there was none in time.
    package func wait<Answer>(milliseconds: Int, _ body: (inout Value) -> Answer?) -> Answer? {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_sec += milliseconds / 1000
        end.tv_nsec += milliseconds % 1000 * 1_000_000
        if end.tv_nsec >= 1_000_000_000 {
            end.tv_sec += 1
            end.tv_nsec -= 1_000_000_000
        }
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let answer = body(&value) { return answer }
            guard pthread_cond_timedwait(change, lock, &end) != ETIMEDOUT else { return body(&value) }
        }
    }
}
