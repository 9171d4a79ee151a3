// One thread for what may wait: looking into folders, reading and writing files. Routes hand over what they want done and go on;
// the answer leaves from here. Owned by the API, which ends it.
import Glibc
import HTTPServer
import RuleHosting

// SAFETY: `tasks` and `isClosed` are touched with the lock held; `thread` by `init` and `end` only.
final class Clerk: @unchecked Sendable {
    typealias Task = @Sendable () -> Void

    private var tasks: [Task] = []
    private var isClosed = false
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var thread: pthread_t?

    /// Beyond it, whoever asks is told to come again.
    private static let most = 1_000

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

    /// - Returns: whether it will be done.
    func perform(_ task: @escaping Task) -> Bool {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        guard !isClosed, tasks.count < Clerk.most, isThere() else { return false }
        tasks.append(task)
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
        while let task = next() { task() }
    }

    private func next() -> Task? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
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
        let isTaken = perform {
            do throws(HostProblem) { try task() } catch { request.exchange.answer(Answer(error)) }
        }
        if !isTaken { request.exchange.answer(Answer(HostProblem.tooMany)) }
    }
}
