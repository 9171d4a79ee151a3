// A value that several threads share, one at a time. On the system's lock, which the thread sanitizer can see.
import Glibc

/// `Value` behind a lock that is held for moments only. Not recursive.
// SAFETY: `value` is touched with the lock held, and by nobody else.
@safe package final class Guarded<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init(_ value: sending Value) {
        self.value = value
        unsafe lock.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(lock, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
    }

    package func withLock<Answer>(_ body: (inout Value) -> Answer) -> Answer {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return body(&value)
    }
}
