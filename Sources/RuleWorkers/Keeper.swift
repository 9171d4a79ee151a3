// The one thread that starts children - they die with the thread that started them, so it stays as long as the pool - and
// that notices when one ends while nobody is asking it.
import CRuleWorker
import Glibc
import Synchronization

final class Keeper: Sendable {
    private let desk = KeeperDesk()

    init() {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(desk)
        let failed = pthread_create(
            &thread, nil,
            { box in
                guard let box else { return nil }
                Unmanaged<KeeperDesk>.fromOpaque(box).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        if failed == 0 { pthread_detach(thread) } else { box.release() }
        if failed != 0 { desk.close() }
    }

    deinit { desk.close() }

    func spawn(_ program: String) throws(ChildEnd) -> rw_child { try desk.spawn(program) }

    /// From now on `worker` is told when its child ends.
    func watch(_ worker: Worker, pidfd: Int32) { desk.watch(worker, pidfd: pidfd) }

    /// `worker` has no child, and is to have one soon.
    func tend(_ worker: Worker) { desk.tend(worker) }
}

private final class KeeperDesk: Sendable {
    private final class Job: Sendable {
        let program: String
        let done = rw_bell()
        let outcome = Mutex<(child: rw_child, failed: Int32)>((rw_child(), EAGAIN))

        init(_ program: String) { self.program = program }
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
        var isClosed = false
        private var count = 0

        mutating func watch(_ worker: Worker, pidfd: Int32) -> Watch {
            count += 1
            return Watch(number: count, worker: worker, pidfd: pidfd)
        }
    }

    private let bell = rw_bell()
    private let state = Mutex(State())

    deinit { rw_close(bell) }

    // MARK: from any thread

    func spawn(_ program: String) throws(ChildEnd) -> rw_child {
        let job = Job(program)
        let isTaken = state.withLock { state in
            if !state.isClosed { state.jobs.append(job) }
            return !state.isClosed
        }
        guard isTaken, job.done >= 0 else { throw .notStarted(EAGAIN) }
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

    func close() {
        state.withLock { $0.isClosed = true }
        rw_ring(bell)
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
                return state.isClosed
            }
            if isClosed { return }
            tendAll()
        }
    }

    private func perform(_ job: Job) {
        job.outcome.withLock { $0.failed = rw_spawn(job.program, WorkerProcess.name, &$0.child) }
        rw_ring(job.done)
    }

    private func tendAll() {
        let untended = state.withLock { state in
            defer { state.untended = [] }
            return state.untended
        }
        for watch in untended {
            guard let worker = watch.worker else { continue }
            let isTended = worker.tend { (program) throws(ChildEnd) in
                var child = rw_child()
                let failed = rw_spawn(program, WorkerProcess.name, &child)
                guard failed == 0 else { throw .notStarted(failed) }
                return child
            }
            if !isTended { state.withLock { $0.untended.append(watch) } }
        }
    }
}
