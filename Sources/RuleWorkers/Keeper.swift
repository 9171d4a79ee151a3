// The one thread that starts children - they die with the thread that started them, so it stays as long as the pool - and
// that notices when one ends while nobody is asking it.
import CRuleWorker
import Glibc

final class Keeper: Sendable {
    private let desk: KeeperDesk

    /// - Parameters:
    ///   - program: what children run.
    ///   - keepsSpare: from the first child on, one more stands ready.
    init(_ program: String, keepsSpare: Bool) {
        desk = KeeperDesk(program, keepsSpare: keepsSpare)
        var thread = pthread_t()
        let box = Unmanaged.passRetained(desk)
        let failed = pthread_create(
            &thread, nil,
            { box in
                guard let box else { return nil }
                Unmanaged<KeeperDesk>.fromOpaque(box).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        if failed == 0 {
            pthread_detach(thread)
        } else {
            box.release()
            desk.close(because: failed)
        }
    }

    deinit { desk.close(because: EAGAIN) }

    func spawn() throws(ChildEnd) -> rw_child { try desk.spawn() }

    /// From now on `worker` is told when its child ends.
    func watch(_ worker: Worker, pidfd: Int32) { desk.watch(worker, pidfd: pidfd) }

    /// `worker` has no child, and is to have one soon.
    func tend(_ worker: Worker) { desk.tend(worker) }
}

private final class KeeperDesk: Sendable {
    private final class Job: Sendable {
        let done = rw_bell()
        let outcome = Guarded<(child: rw_child, failed: Int32)>((rw_child(), EAGAIN))

        deinit { rw_close(done) }
    }

    private struct Watch {
        /// Descriptors are used again.
        let number: Int
        weak var worker: Worker?
        let pidfd: Int32
    }

    private struct State {
        var jobs: [Job] = []
        var watches: [Watch] = []
        var untended: [Watch] = []
        /// Started for nobody yet: it shuts itself in and waits.
        var spare: rw_child?
        /// The last child could be started. Where none can be, nobody tries without being asked.
        var mayHaveSpare = false
        /// An errno: why there is no thread any more.
        var closed: Int32 = 0
        private var count = 0

        mutating func watch(_ worker: Worker, pidfd: Int32) -> Watch {
            count += 1
            return Watch(number: count, worker: worker, pidfd: pidfd)
        }
    }

    private let program: String
    private let keepsSpare: Bool
    private let bell = rw_bell()
    private let state = Guarded(State())

    init(_ program: String, keepsSpare: Bool) {
        self.program = program
        self.keepsSpare = keepsSpare
    }

    deinit {
        if let spare = takeSpare() { KeeperDesk.end(spare) }
        rw_close(bell)
    }

    // MARK: from any thread

    func spawn() throws(ChildEnd) -> rw_child {
        if let spare = takeSpare() { return spare }
        let job = Job()
        // Without a bell nobody would hear.
        guard job.done >= 0, bell >= 0 else { throw .notStarted(EMFILE) }
        let closed = state.withLock { state in
            if state.closed == 0 { state.jobs.append(job) }
            return state.closed
        }
        guard closed == 0 else { throw .notStarted(closed) }
        rw_ring(bell)
        rw_await(job.done)
        let (child, failed) = job.outcome.withLock { $0 }
        guard failed == 0 else { throw .notStarted(failed) }
        return child
    }

    func watch(_ worker: Worker, pidfd: Int32) {
        state.withLock { $0.watches.append($0.watch(worker, pidfd: pidfd)) }
        rw_ring(bell)
    }

    func tend(_ worker: Worker) {
        state.withLock { $0.untended.append($0.watch(worker, pidfd: -1)) }
        rw_ring(bell)
    }

    func close(because error: Int32) {
        state.withLock { $0.closed = error }
        rw_ring(bell)
    }

    /// nil: there is none that lives.
    private func takeSpare() -> rw_child? {
        let spare = state.withLock { state in
            defer { state.spare = nil }
            return state.spare
        }
        guard var spare else { return nil }
        rw_ring(bell)
        guard rw_has_ended(&spare) else { return spare }
        KeeperDesk.end(spare)
        return nil
    }

    private static func end(_ child: rw_child) {
        var child = child
        rw_kill(&child)
        _ = rw_reap(&child)
    }

    // MARK: the thread

    /// Milliseconds until a worker that was in use is looked at again.
    private static let again: Int32 = 5

    func run() {
        while true {
            let (watches, hasUntended) = state.withLock { ($0.watches, !$0.untended.isEmpty) }
            var ready = [Bool](repeating: false, count: watches.count)
            rw_wait(bell, watches.map(\.pidfd), &ready, watches.count, hasUntended ? Self.again : -1)
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                return state.jobs
            }
            for job in jobs { perform(job) }
            let isClosed = state.withLock { state in
                let ended = zip(watches, ready).filter(\.1).map(\.0)
                state.watches.removeAll { watch in watch.worker == nil || ended.contains { $0.number == watch.number } }
                state.untended += ended
                return state.closed != 0
            }
            if isClosed { return }
            tendAll()
            makeSpare()
        }
    }

    private func start() throws(ChildEnd) -> rw_child {
        var child = rw_child()
        let failed = rw_spawn(program, WorkerProcess.name, &child)
        state.withLock { $0.mayHaveSpare = failed == 0 }
        guard failed == 0 else { throw .notStarted(failed) }
        return child
    }

    private func perform(_ job: Job) {
        job.outcome.withLock { outcome in
            do throws(ChildEnd) {
                outcome = (try start(), 0)
            } catch {
                if case .notStarted(let failed) = error { outcome.failed = failed }
            }
        }
        rw_ring(job.done)
    }

    private func makeSpare() {
        guard keepsSpare, state.withLock({ $0.mayHaveSpare && $0.spare == nil }) else { return }
        do throws(ChildEnd) {
            let child = try start()
            state.withLock { $0.spare = child }
        } catch {
            // Whoever needs one tries again, and is told.
        }
    }

    private func tendAll() {
        let untended = state.withLock { state in
            defer { state.untended = [] }
            return state.untended
        }
        for watch in untended {
            guard let worker = watch.worker else { continue }
            let isTended = worker.tend { () throws(ChildEnd) in
                if let spare = takeSpare() { return spare }
                return try start()
            }
            if !isTended { state.withLock { $0.untended.append(watch) } }
        }
    }
}
