// Keeps what a shard has decided, and tells the answers, on a thread beside it, where keeping is no more than remembering: a store has such a
// thread of its own. Only for many at once, so that the shard goes on with the next; a few are kept where they were decided, because waking
// somebody costs more. What is handed over is done in its order. Made by Shard, and used by its thread alone.
import EffectStore

final class KeepAside: Sendable {
    private struct State {
        var deeds: [@Sendable () -> Void] = []
        /// One is being done.
        var isAtWork = false
        var isClosed = false
    }

    private let state = Monitor(State())
    /// Fewer are done at once.
    private static let many = 64

    /// - Parameter count: of the decisions that it keeps.
    func perform(_ count: Int, _ deed: @escaping @Sendable () -> Void) {
        let isHandedOver = state.change { state in
            guard !state.isClosed, count >= KeepAside.many || state.isAtWork || !state.deeds.isEmpty else { return false }
            state.deeds.append(deed)
            return true
        }
        if !isHandedOver { deed() }
    }

    /// What the thread does, until it is closed and all is done.
    func run() {
        while true {
            let deeds: [@Sendable () -> Void]? = state.wait { state in
                state.isAtWork = false
                guard state.deeds.isEmpty else {
                    state.isAtWork = true
                    defer { state.deeds = [] }
                    return .some(state.deeds)
                }
                return state.isClosed ? .some(nil) : nil
            }
            guard let deeds else { return }
            for deed in deeds { deed() }
        }
    }

    func close() { state.change { $0.isClosed = true } }
}
