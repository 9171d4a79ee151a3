// A thread of its own for a client that is held back: a test cannot send and read at the same time, and the threads of tasks are
// as few as cores, and all of them may be waiting.
import Glibc

// SAFETY: `thread` is written before anybody else has this.
package final class Sender: @unchecked Sendable {
    private let deed: @Sendable () -> Void
    private var thread = pthread_t()

    package init(_ deed: @escaping @Sendable () -> Void) {
        self.deed = deed
        let this = Unmanaged.passRetained(self).toOpaque()
        pthread_create(
            &thread, nil,
            { this in
                if let this { Unmanaged<Sender>.fromOpaque(this).takeRetainedValue().deed() }
                return nil
            }, this)
    }

    package func wait() { pthread_join(thread, nil) }
}
