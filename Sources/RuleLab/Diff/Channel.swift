// Hands values from one thread to another, in order. Whoever takes waits; whoever gives does not, so that the giver has to
// know how much may lie in between.
import Glibc

// SAFETY: every access to `values` and `isClosed` holds the lock.
final class Channel<Value: Sendable>: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var values: [Value] = []
    private var isClosed = false

    init() {
        lock.initialize(to: pthread_mutex_t())
        arrival.initialize(to: pthread_cond_t())
        pthread_mutex_init(lock, nil)
        pthread_cond_init(arrival, nil)
    }

    deinit {
        pthread_cond_destroy(arrival)
        pthread_mutex_destroy(lock)
        arrival.deallocate()
        lock.deallocate()
    }

    func give(_ value: Value) {
        pthread_mutex_lock(lock)
        values.append(value)
        pthread_cond_signal(arrival)
        pthread_mutex_unlock(lock)
    }

    /// Nothing more will come.
    func close() {
        pthread_mutex_lock(lock)
        isClosed = true
        pthread_cond_signal(arrival)
        pthread_mutex_unlock(lock)
    }

    /// Waits for the next value; nil when nothing more will come.
    func take() -> Value? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while values.isEmpty, !isClosed { pthread_cond_wait(arrival, lock) }
        return values.isEmpty ? nil : values.removeFirst()
    }
}
