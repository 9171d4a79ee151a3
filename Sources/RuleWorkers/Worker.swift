// The parent's end of one child at a time: whoever asks has it to himself for a batch, loads what the child does not have
// yet, and puts another in its place when it ends. Apps that share a worker share nothing but the wait.
import CRuleWorker
import LuaSandbox
import RuleEngine
import Synchronization

final class Worker: Sendable {
    private struct State {
        var child: ChildProcess?
        /// What the child has.
        var slots: Set<UInt32> = []
        /// What nobody asks any more.
        var dropped: [UInt32] = []
        var request: [UInt8] = []
    }

    private let program: String
    private let keeper: Keeper
    private let state = Mutex(State())
    /// Milliseconds until a child that was started must have shut itself in.
    private static let start = 2_000

    init(program: String, keeper: Keeper) {
        self.program = program
        self.keeper = keeper
    }

    /// nil: none at this moment.
    var pid: Int32? { state.withLock { $0.child?.pid } }

    // MARK: asking

    /// - Throws: why there is no answer; the child is gone then.
    func load(_ app: AppText) throws(ChildEnd) -> (kind: Frame.Kind, content: [UInt8]) {
        try use { (state) throws(ChildEnd) in try Worker.load(app, &state) }
    }

    /// Hands over the answers as they come, in order.
    /// - Throws: why there are no more; the child is gone then.
    func ask(
        _ app: AppText, _ questions: ArraySlice<Question>, take: ([UInt8]) throws(CrossingFault) -> Bool
    ) throws(ChildEnd) {
        try use { (state) throws(ChildEnd) in
            if !state.slots.contains(app.slot) {
                guard try Worker.load(app, &state).kind == .loaded else { throw .lied("an app that loads as before") }
            }
            guard let child = state.child else { throw .died(0) }
            Frame.append(.ask, to: &state.request) { bytes in
                Frame.append(app.slot, to: &bytes)
                Frame.append(UInt32(questions.count), to: &bytes)
                for question in questions {
                    Frame.append(UInt32(question.bytes.count), to: &bytes)
                    bytes += question.bytes
                }
            }
            try Worker.send(&state, child, app.callPatience)
            // A machine that was stopped is made anew before the next message.
            var wasStopped = app.wasStopped.exchange(false, ordering: .relaxed)
            for _ in questions {
                let frame = try child.receive(patience: app.callPatience + (wasStopped ? app.loadPatience : 0))
                guard frame.kind == .answer else { throw .lied("an answer") }
                do throws(CrossingFault) {
                    wasStopped = try take(frame.content)
                } catch {
                    throw .lied(error.expected)
                }
            }
            app.wasStopped.store(wasStopped, ordering: .relaxed)
        }
    }

    func drop(_ slot: UInt32) {
        state.withLock { state in
            if state.slots.remove(slot) != nil { state.dropped.append(slot) }
        }
    }

    private static func load(_ app: AppText, _ state: inout State) throws(ChildEnd) -> (kind: Frame.Kind, content: [UInt8]) {
        guard let child = state.child else { throw .died(0) }
        Frame.append(.load, to: &state.request) { bytes in
            Frame.append(app.slot, to: &bytes)
            bytes += app.bytes
        }
        try send(&state, child, app.loadPatience)
        let frame = try child.receive(patience: app.loadPatience)
        switch frame.kind {
        case .loaded: state.slots.insert(app.slot)
        case .failed: break
        default: throw .lied("what came of loading")
        }
        return frame
    }

    private static func send(_ state: inout State, _ child: ChildProcess, _ patience: Int) throws(ChildEnd) {
        defer { state.request.removeAll(keepingCapacity: state.request.capacity < 1 << 20) }
        try child.send(state.request, patience: patience)
    }

    /// Has the child to itself; without one that lives, starts another first. A child that fails is ended, and the keeper
    /// starts the next one.
    private func use<Answer>(
        _ body: (inout State) throws(ChildEnd) -> Answer
    ) throws(ChildEnd) -> Answer {
        let outcome = state.withLock { (state) -> Result<Answer, ChildEnd> in
            do throws(ChildEnd) {
                if state.child?.hasEnded == true { state.child = nil }
                if state.child == nil { try start(&state) { (program) throws(ChildEnd) in try keeper.spawn(program) } }
                for slot in state.dropped { Frame.append(.drop, to: &state.request) { Frame.append(slot, to: &$0) } }
                state.dropped = []
                return .success(try body(&state))
            } catch {
                _ = state.child?.end()
                state.child = nil
                return .failure(error)
            }
        }
        if case .failure = outcome { keeper.tend(self) }
        return try outcome.get()
    }

    private func start(_ state: inout State, by spawn: (String) throws(ChildEnd) -> rw_child) throws(ChildEnd) {
        state.slots = []
        state.dropped = []
        state.request = []
        let child = ChildProcess(try spawn(program))
        guard try child.receive(patience: Worker.start).kind == .sealed else { throw .lied("a child that shuts itself in") }
        state.child = child
        keeper.watch(self, pidfd: child.pidfd)
    }

    // MARK: tending

    /// Called by the keeper: starts a child when there is none that lives. False: somebody is using the worker.
    func tend(_ spawn: (String) throws(ChildEnd) -> rw_child) -> Bool {
        state.withLockIfAvailable { state in
            if state.child?.hasEnded == true { state.child = nil }
            guard state.child == nil else { return true }
            do throws(ChildEnd) {
                try start(&state, by: spawn)
            } catch {
                // Whoever asks next tries again, and is told.
                state.child = nil
            }
            return true
        } ?? false
    }
}

/// What a child needs to have an app, and how long it may take over it.
final class AppText: Sendable {
    let app: String
    let slot: UInt32
    let bytes: [UInt8]
    /// Milliseconds: twice what the limits allow.
    let callPatience: Int
    let loadPatience: Int
    /// The last answer said that the machine was stopped.
    let wasStopped = Atomic(false)

    init(_ app: String, slot: UInt32, files: [SourceFile], limits: LoadLimits) {
        self.app = app
        self.slot = slot
        bytes = AppCrossing.bytes(app: app, files: files, limits: limits)
        callPatience = 2 * max(1, limits.script.callMilliseconds)
        // Each file has its time, but all have one budget of fuel.
        loadPatience = 2 * max(1, limits.script.loadMilliseconds) * min(max(1, files.count), 10)
    }
}
