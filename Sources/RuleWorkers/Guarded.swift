// A value that several threads change, one at a time. On the system's lock rather than on `Synchronization.Mutex`: that one is
// handed over inside the kernel when threads wait for it, which the thread sanitizer cannot see - and what it cannot see it
// reports as a race, at every use. The lock is held for a question to a child, or once for each case, so its own cost does not count.
import Glibc

/// `Value` behind a lock. Not recursive.
package final class Guarded<Value>: @unchecked Sendable {
    private var value: Value
    // A lock stays where it is; a class's own fields do not promise that.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ value: sending Value) {
        self.value = value
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deinitialize(count: 1)
        lock.deallocate()
    }

    /// What `body` answers, called while no other thread has the value.
    package func withLock<Answer, Failure: Error>(_ body: (inout Value) throws(Failure) -> Answer) throws(Failure) -> Answer {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value)
    }

    /// As `withLock`; nil, and `body` is not called, while another thread has the value.
    package func withLockIfAvailable<Answer>(_ body: (inout Value) -> Answer) -> Answer? {
        guard pthread_mutex_trylock(lock) == 0 else { return nil }
        defer { pthread_mutex_unlock(lock) }
        return body(&value)
    }
}
