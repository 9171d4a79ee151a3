// A thread for what takes long, one thing at a time: a copy of the store, a comparison of rules. Whoever comes while it works is told
// to come again. Owned by the API, which ends it.
import EffectStore
import Glibc
import RuleHosting

final class LoneThread: Sendable {
    private struct State {
        var isBusy = false
        var isClosed = false
        /// Of the work that is done, or was done last.
        var thread: pthread_t?
    }

    private let state = Monitor(State())

    var isBusy: Bool { state.withLock { $0.isBusy } }

    /// - Parameter work: gives what is told when the thread is free again, so that whoever hears it may come at once.
    /// - Returns: false: it is busy, or the system gives no thread. Nothing is done, then.
    func begin(_ work: @escaping @Sendable () -> @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isBusy, !state.isClosed else { return false }
            // It has nothing more to do than to end.
            if let last = state.thread { pthread_join(last, nil) }
            state.thread = HostThread.start { [self] in
                let tell = work()
                self.state.withLock { $0.isBusy = false }
                tell()
            }
            state.isBusy = state.thread != nil
            return state.isBusy
        }
    }

    /// Waits for what is under way. Nothing is begun afterwards.
    func end() {
        let last = state.withLock { state in
            state.isClosed = true
            defer { state.thread = nil }
            return state.thread
        }
        if let last { pthread_join(last, nil) }
    }
}
