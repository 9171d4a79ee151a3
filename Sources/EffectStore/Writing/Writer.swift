// The one thread that writes. Whatever has come while it wrote the last group makes the next one; when nothing comes it folds
// and sweeps. Belongs to EffectStore, which hands jobs over and ends it.
import Glibc
import PushMessage

// SAFETY: all but `queue` belongs to the thread.
final class Writer: @unchecked Sendable {
    typealias Results = [Result<CommitOutcome, EffectStoreFault>]
    typealias Done = @Sendable (Results) -> Void

    private enum Job {
        case commits([Commit], Done)
        /// Something else that is written, in its turn.
        case task(@Sendable (Connection) -> Void)
    }

    private struct Queue {
        var jobs: [Job] = []
        var isClosed = false
    }

    /// Of one transaction: others that read or write wait that long at most.
    static let mostCommits = 4_096
    static let mostBytes = 16 << 20

    let counts = StoreCounts()
    let news: UnreadableNews
    private let queue = Monitor(Queue())
    private let connection: Connection
    private let durability: Durability
    let clock: @Sendable () -> Instant
    private var writing: GroupWriting
    private var housekeeping: Housekeeping
    private var probing = RoomProbe()
    private var thread = pthread_t()

    init(
        _ connection: Connection, durability: Durability, housekeeping: Housekeeping, clock: @escaping @Sendable () -> Instant
    ) throws(EffectStoreFault) {
        self.durability = durability
        self.clock = clock
        self.housekeeping = housekeeping
        news = housekeeping.news
        writing = try GroupWriting(connection, housekeeping.outbox)
        self.connection = connection
        counts.hold(writing.backlog)
        try connection.set("synchronous = \(durability == .none ? "NORMAL" : "FULL")")
    }

    func start() throws(EffectStoreFault) {
        let writer = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { writer in
                if let writer { Unmanaged<Writer>.fromOpaque(writer).takeRetainedValue().work() }
                return nil
            }, writer.toOpaque())
        guard code == 0 else {
            writer.release()
            throw .failed(connection.path, "the system gives no thread")
        }
    }

    /// Returns when everything that was handed over is written. Not for a thread of `done`.
    func end() {
        queue.change { $0.isClosed = true }
        pthread_join(thread, nil)
    }

    /// - Parameter done: called once, when all of them are written or have failed.
    func add(_ commits: [Commit], _ done: @escaping Done) {
        if commits.isEmpty || !add(.commits(commits, done)) { done(commits.map { _ in .failure(closed) }) }
    }

    /// Returns when it has been done, in its turn among the commits.
    func perform<Value: Sendable>(
        _ task: @escaping @Sendable (Connection) throws(EffectStoreFault) -> Value
    ) throws(EffectStoreFault) -> Value {
        let answer = Monitor<Result<Value, EffectStoreFault>?>(nil)
        let isAdded = add(
            .task { connection in
                let result: Result<Value, EffectStoreFault>
                do throws(EffectStoreFault) {
                    result = .success(try task(connection))
                } catch {
                    result = .failure(error)
                }
                answer.change { $0 = result }
            })
        guard isAdded else { throw closed }
        return try answer.wait { $0 }.get()
    }

    /// Does it in its turn among the commits, and returns at once.
    /// - Returns: false: it is closed, and it is not done.
    @discardableResult
    func attempt(_ task: @escaping @Sendable (Connection) -> Void) -> Bool { add(.task(task)) }

    /// Has it tried, in its turn, whether a message would be taken now.
    func probe() {
        attempt { [self] connection in
            do throws(EffectStoreFault) {
                try probing.tryRoom(connection, now: clock())
                counts.came(through: nil)
            } catch {
                counts.came(through: error)
            }
        }
    }

    private func add(_ job: Job) -> Bool {
        queue.change { queue in
            if !queue.isClosed { queue.jobs.append(job) }
            return !queue.isClosed
        }
    }

    private var closed: EffectStoreFault { .failed(connection.path, "it has been closed") }

    // MARK: the thread

    private func work() {
        while true {
            let pause = housekeeping.pause(backlog: writing.backlog)
            let taken = queue.wait(milliseconds: pause) { queue -> (jobs: [Job], isClosed: Bool)? in
                guard !queue.jobs.isEmpty || queue.isClosed else { return nil }
                let jobs = queue.jobs
                queue.jobs = []
                return (jobs, queue.isClosed)
            }
            guard let taken else {
                housekeeping.tidy(connection, &writing.backlog, now: clock()) { queue.withLock { $0.jobs.isEmpty && !$0.isClosed } }
                counts.hold(writing.backlog)
                continue
            }
            carryOut(taken.jobs)
            counts.hold(writing.backlog)
            // After the end nothing is added, so that an empty queue is the last word.
            if taken.isClosed, taken.jobs.isEmpty { break }
        }
        leaveOneFile()
    }

    /// Brings the log into the file, so that whoever copies or reads it next needs that one only.
    private func leaveOneFile() {
        do throws(EffectStoreFault) {
            try connection.set("wal_checkpoint(TRUNCATE)")
        } catch {
            // Somebody is reading, or there is no room: what is in the log counts all the same.
        }
    }

    private func carryOut(_ jobs: [Job]) {
        var group: [Commit] = []
        var results: Results = []
        var bytes = 0
        let most = durability == .strict ? 1 : Writer.mostCommits
        /// Whose last commit is among the results.
        var waiting: [(end: Int, done: Done)] = []
        var told = 0
        func tellThoseDone() {
            var first = 0
            while first < waiting.count, waiting[first].end <= results.count {
                waiting[first].done(Array(results[told..<waiting[first].end]))
                told = waiting[first].end
                first += 1
            }
            waiting.removeFirst(first)
        }
        func finishGroup() {
            guard !group.isEmpty else { return }
            write(group[...], &results)
            tellThoseDone()
            housekeeping.keepUp(connection, &writing.backlog, with: group.count, now: clock())
            group.removeAll(keepingCapacity: true)
            bytes = 0
        }
        for job in jobs {
            switch job {
            case .commits(let commits, let done):
                waiting.append((results.count + group.count + commits.count, done))
                for commit in commits {
                    group.append(commit)
                    bytes += commit.bytes
                    if group.count >= most || bytes >= Writer.mostBytes { finishGroup() }
                }
            case .task(let task):
                finishGroup()
                task(connection)
            }
        }
        finishGroup()
    }

    private func write(_ commits: ArraySlice<Commit>, _ results: inout Results) {
        do throws(EffectStoreFault) {
            let outcomes = try writing.write(commits, now: clock())
            let failed = outcomes.count { if case .failure = $0 { true } else { false } }
            counts.came(kept: outcomes.count - failed, failed: failed, isWritten: writing.isWritten)
            if writing.isWritten { probing.cameThrough() }
            results += outcomes
            counts.dropped(ofOutbox: writing.outbox.dropped)
        } catch {
            // Nobody's commit fails because of a neighbour's.
            if error.code == .failed, commits.count > 1 {
                for place in commits.indices { write(commits[place...place], &results) }
                return
            }
            counts.failed(commits.count, error)
            probing.failed(commits)
            for commit in commits {
                // What was built on it must not be kept by a disk that has room again.
                commit.chain?.breakOff(error)
                results.append(.failure(error))
            }
        }
    }
}
