// One thread for what may wait: looking into folders, reading and writing files. Routes hand over what they want done and go on;
// the answer leaves from here. Owned by the API, which ends it.
import Glibc
import HTTPServer
import RuleHosting

// SAFETY: `tasks`, `bytes` and `isClosed` are touched with the lock held; `thread` by `init` and `end` only.
final class Clerk: @unchecked Sendable {
    typealias Task = @Sendable () -> Void

    private var tasks: [(task: Task, bytes: Int)] = []
    /// Of bodies that wait, and of that which is worked on.
    private var bytes = 0
    private var isClosed = false
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var thread: pthread_t?

    /// Beyond it, whoever asks is told to come again.
    private static let most = 1_000
    /// Two of the largest bodies.
    static let mostBytes = 128 << 20

    init() {
        lock.initialize(to: pthread_mutex_t())
        change.initialize(to: pthread_cond_t())
        pthread_mutex_init(lock, nil)
        pthread_cond_init(change, nil)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(lock)
        change.deallocate()
        lock.deallocate()
    }

    /// - Parameter holding: bytes of a body that are kept until it is done.
    /// - Returns: whether it will be done.
    func perform(holding count: Int = 0, _ task: @escaping Task) -> Bool {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        guard !isClosed, tasks.count < Clerk.most, count == 0 || bytes + count <= Clerk.mostBytes, isThere() else { return false }
        tasks.append((task, count))
        bytes += count
        pthread_cond_signal(change)
        return true
    }

    /// Does what was taken, and nothing more.
    func end() {
        pthread_mutex_lock(lock)
        isClosed = true
        let thread = thread
        self.thread = nil
        pthread_cond_signal(change)
        pthread_mutex_unlock(lock)
        if let thread { pthread_join(thread, nil) }
    }

    /// The thread begins with the first task.
    private func isThere() -> Bool {
        if thread != nil { return true }
        var started = pthread_t()
        let this = Unmanaged.passRetained(self)
        let code = pthread_create(
            &started, nil,
            { this in
                if let this { Unmanaged<Clerk>.fromOpaque(this).takeRetainedValue().work() }
                return nil
            }, this.toOpaque())
        guard code == 0 else {
            this.release()
            return false
        }
        thread = started
        return true
    }

    private func work() {
        var done = 0
        while let (task, count) = next(after: done) {
            task()
            done = count
        }
    }

    /// - Parameter done: bytes of what was worked on.
    private func next(after done: Int) -> (task: Task, bytes: Int)? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        bytes -= done
        while tasks.isEmpty, !isClosed { pthread_cond_wait(change, lock) }
        return tasks.isEmpty ? nil : tasks.removeFirst()
    }
}

/// Answers on the clerk's thread.
struct ClerkTaking: RequestTaking {
    let clerk: Clerk
    let answer: @Sendable (Request) -> Answer

    func take(_ request: Request) {
        clerk.perform(for: request) { request.exchange.answer(answer(request)) }
    }
}

/// The same, about an app that is there.
struct AppTaking: RequestTaking {
    let host: RuleHost
    let clerk: Clerk
    let answer: @Sendable (_ request: Request, _ app: String) throws(HostProblem) -> Answer

    func take(_ request: Request) {
        clerk.perform(for: request) { () throws(HostProblem) in
            let app = request.head.path[2]
            try host.check(app)
            request.exchange.answer(try answer(request, app))
        }
    }
}

extension Clerk {
    /// Who asks for too much is told, and so is what goes wrong.
    func perform(for request: Request, _ task: @escaping @Sendable () throws(HostProblem) -> Void) {
        let isTaken = perform(holding: request.body.count) {
            do throws(HostProblem) { try task() } catch { request.exchange.answer(Answer(error)) }
        }
        if !isTaken { request.exchange.answer(Answer(HostProblem.tooMany)) }
    }
}
