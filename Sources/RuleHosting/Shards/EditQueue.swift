// Changes of state by hand that wait, of the apps of one shard. A thread of their own carries them out: none waits for rules that load, and
// an app stands still only while its own are carried out. Filled by RuleHost; knows nothing of what is changed.
import EffectStore

final class EditQueue: Sendable {
    struct Edit: Sendable {
        let app: String
        /// Done while the app's requests wait.
        let deed: @Sendable (any HostKeeping) -> Done
        /// Called instead when the host has ended.
        let refuse: @Sendable () -> Void
    }

    /// What came of it.
    struct Done: Sendable {
        /// What may be other than before; nil: anything.
        let changes: [StateChange]?
        /// Called when the app's requests go on, on the thread of the edits.
        let tell: @Sendable () -> Void
    }

    private struct State {
        var edits: [Edit] = []
        var isClosed = false
    }

    private let state = Monitor(State())
    /// Of one app, carried out without a message between them: those that come while many wait are not slower than messages.
    private static let most = 16

    func add(_ edit: Edit) {
        let isTaken = state.change { state in
            if !state.isClosed { state.edits.append(edit) }
            return !state.isClosed
        }
        if !isTaken { edit.refuse() }
    }

    func close() { state.change { $0.isClosed = true } }

    /// Those of the app that has waited for longest. Empty: there will be none.
    func next() -> [Edit] {
        state.wait { state in
            guard let app = state.edits.first?.app else { return state.isClosed ? [] : nil }
            var taken: [Edit] = []
            state.edits.removeAll { edit in
                guard edit.app == app, taken.count < EditQueue.most else { return false }
                taken.append(edit)
                return true
            }
            return taken
        }
    }
}

extension Shard {
    /// What the thread of the edits does. It asks for the app only when it is its turn.
    func carryOutEdits() {
        while true {
            let turn = edits.next()
            guard let app = turn.first?.app else { return }
            let isHeld = Monitor(false)
            queue.signal(.task { shard in shard.seat(of: app).hold { isHeld.change { $0 = true } } })
            isHeld.wait { $0 ? () : nil }
            let done = turn.map { $0.deed(keeping) }
            let goesOn = Monitor(false)
            queue.signal(
                .task { shard in
                    shard.release(shard.seat(of: app), after: done.map(\.changes))
                    goesOn.change { $0 = true }
                })
            goesOn.wait { $0 ? () : nil }
            // Here: what has changed in an import takes its time to be told, and messages of all apps would wait for it.
            for done in done { done.tell() }
        }
    }
}
