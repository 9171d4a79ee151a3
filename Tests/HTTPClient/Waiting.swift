// How a test waits for what happens on the threads of a server: by looking again and again, with an end that fails the test.
import Glibc
import Synchronization

/// A value that tests and the server's threads share.
package final class Kept<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    package init(_ value: Value) { self.value = Mutex(value) }

    package var now: Value { value.withLock { $0 } }

    package func change(_ body: (inout Value) -> Void) { value.withLock { body(&$0) } }

    /// Looks again and again for as long as a test may take at all.
    package func wait(_ condition: (Value) -> Bool) throws -> Value {
        for _ in 0..<20_000 {
            let now = now
            if condition(now) { return now }
            usleep(1_000)
        }
        throw Client.Silence()
    }
}

/// Waits for something that nobody tells.
package func eventually(_ condition: () -> Bool) throws {
    for _ in 0..<20_000 {
        if condition() { return }
        usleep(1_000)
    }
    throw Client.Silence()
}
