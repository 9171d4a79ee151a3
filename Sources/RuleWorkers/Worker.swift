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
        /// Of the next question to this child.
        var ordinal: UInt32 = 0
        /// Who had the child last.
        var last: AppText?
        /// After whom a child went on speaking, or who made it seem so.
        var stray: AppText?
    }

    private let keeper: Keeper
    /// Its children let those of others go first.
    private let givesWay: Bool
    private let state = Guarded(State())
    /// Of the child; 0: none. Whoever looks need not wait for who asks.
    private let current = Atomic<Int32>(0)
    /// Milliseconds until a child that was started must have shut itself in.
    private static let start = 2_000
    /// Of a question, that a child reads and answers in so long at the slowest.
    private static let bytesInAMillisecond = 4_096

    init(keeper: Keeper, givesWay: Bool = false) {
        self.keeper = keeper
        self.givesWay = givesWay
    }

    /// nil: none at this moment.
    var pid: Int32? {
        let pid = current.load(ordering: .relaxed)
        return pid == 0 ? nil : pid
    }

    // MARK: asking

    struct Loaded {
        let kind: Frame.Kind
        let content: [UInt8]
        /// Of the processor, in microseconds.
        let time: Int64
    }

    /// What came of it, and after whose turn the child went on speaking, so that it was ended.
    /// - Throws: why there is no answer; the child is gone then.
    func load(_ app: AppText) throws(ChildEnd) -> (Loaded, stray: AppText?) {
        try use(for: app) { (state) throws(ChildEnd) in
            let before = state.child?.processorTime ?? 0
            let (kind, content) = try Worker.load(app, &state)
            return Loaded(kind: kind, content: content, time: (state.child?.processorTime ?? before) - before)
        }
    }

    /// Hands over the answers as they come, in order. Answers after whose turn the child went on speaking, so that it was ended.
    /// - Throws: why there are no more; the child is gone then.
    func ask(
        _ app: AppText, _ questions: ArraySlice<Question>, take: ([UInt8].SubSequence) throws(CrossingFault) -> Bool
    ) throws(ChildEnd) -> AppText? {
        try use(for: app) { (state) throws(ChildEnd) in
            if !state.slots.contains(app.slot) {
                guard try Worker.load(app, &state).kind == .loaded else { throw .lied("an app that loads as before") }
            }
            guard let child = state.child else { throw .died(0) }
            Frame.append(.ask, to: &state.request) { bytes in
                Frame.append(app.slot, to: &bytes)
                Frame.append(UInt32(questions.count), to: &bytes)
                Frame.append(state.ordinal, to: &bytes)
                for question in questions {
                    Frame.append(UInt32(question.bytes.count), to: &bytes)
                    bytes += question.bytes
                }
            }
            let first = state.ordinal
            // What is remembered for all of an app goes along, and takes its time to be read on both ways.
            let patience = app.callPatience + state.request.count / Worker.bytesInAMillisecond
            try Worker.send(&state, child, patience)
            // A machine that was stopped is made anew before the next message.
            var wasStopped = app.wasStopped.exchange(false, ordering: .relaxed)
            for _ in questions {
                let frame = try child.receive(patience: patience + (wasStopped ? app.loadPatience : 0))
                guard frame.kind == .answer, let ordinal = Frame.number(frame.content) else { throw .lied("an answer") }
                guard ordinal == state.ordinal else { throw state.ordinal == first ? .strayed : .lied("the answer to the question") }
                state.ordinal &+= 1
                do throws(CrossingFault) {
                    wasStopped = try take(frame.content[4...])
                } catch {
                    throw .lied(error.expected)
                }
            }
            app.wasStopped.store(wasStopped, ordering: .relaxed)
            if child.speaksOutOfTurn { throw .lied("nothing more") }
        }.stray
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
        case .answer: throw .strayed
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
        for app: AppText, _ body: (inout State) throws(ChildEnd) -> Answer
    ) throws(ChildEnd) -> (Answer, stray: AppText?) {
        let outcome = state.withLock { (state) -> Result<(Answer, stray: AppText?), ChildEnd> in
            defer {
                state.last = app
                state.stray = nil
            }
            do throws(ChildEnd) {
                try prepare(&state)
                do throws(ChildEnd) {
                    return .success((try body(&state), state.stray))
                } catch {
                    // What is left of another one's turn is not this one's fault: it gets a child that nobody had.
                    guard error == .strayed, let last = state.last, last.app != app.app else { throw error }
                    state.child = nil
                    state.stray = last
                    try prepare(&state)
                    return .success((try body(&state), state.stray))
                }
            } catch {
                current.store(0, ordering: .relaxed)
                _ = state.child?.end()
                state.child = nil
                return .failure(error)
            }
        }
        if case .failure = outcome { keeper.tend(self) }
        return try outcome.get()
    }

    /// A child that lives and is silent.
    private func prepare(_ state: inout State) throws(ChildEnd) {
        if let child = state.child, child.speaksOutOfTurn || child.hasEnded {
            // What it says unasked is nobody's answer. That it has died is nobody's fault that could be known.
            if !child.hasEnded { state.stray = state.last }
            state.child = nil
        }
        if state.child == nil { try start(&state) { () throws(ChildEnd) in try keeper.spawn() } }
        for slot in state.dropped { Frame.append(.drop, to: &state.request) { Frame.append(slot, to: &$0) } }
        state.dropped = []
    }

    private func start(_ state: inout State, by spawn: () throws(ChildEnd) -> rw_child) throws(ChildEnd) {
        state.slots = []
        state.dropped = []
        state.request = []
        state.ordinal = 0
        let child = ChildProcess(try spawn())
        do throws(ChildEnd) {
            guard try child.receive(patience: Worker.start).kind == .sealed else { throw .notSealed(0) }
        } catch {
            // No rules have been there: it is nobody's fault.
            if case .died(let end) = error { throw .notSealed(end) }
            throw .notSealed(0)
        }
        if givesWay { child.giveWay() }
        state.child = child
        current.store(child.pid, ordering: .relaxed)
        keeper.watch(self, pidfd: child.pidfd)
    }

    // MARK: tending

    /// Called by the keeper: starts a child when there is none that lives. False: somebody is using the worker.
    func tend(_ spawn: () throws(ChildEnd) -> rw_child) -> Bool {
        state.withLockIfAvailable { state in
            if state.child?.hasEnded == true { state.child = nil }
            guard state.child == nil else { return true }
            do throws(ChildEnd) {
                try start(&state, by: spawn)
            } catch {
                // Whoever asks next tries again, and is told.
                state.child = nil
                current.store(0, ordering: .relaxed)
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
