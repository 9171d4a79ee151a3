// One thread for what may wait: looking into folders, reading and writing files. Routes hand over what they want done and go on;
// the answer leaves from here. Owned by the API, which ends it.
import EffectStore
import Glibc
import HTTPServer
import RuleHosting

final class Clerk: Sendable {
    typealias Task = @Sendable () -> Void

    private struct State {
        var tasks: [(task: Task, bytes: Int)] = []
        /// Of bodies that wait, and of that which is worked on.
        var bytes = 0
        var isClosed = false
        /// It begins with the first task.
        var thread: pthread_t?
    }

    private let state = Monitor(State())

    /// Beyond it, whoever asks is told to come again.
    private static let most = 1_000
    /// Two of the largest bodies.
    static let mostBytes = 128 << 20

    /// - Parameter holding: bytes of a body that are kept until it is done.
    /// - Returns: whether it will be done.
    func perform(holding count: Int = 0, _ task: @escaping Task) -> Bool {
        state.change { state in
            guard !state.isClosed, state.tasks.count < Clerk.most, count == 0 || state.bytes + count <= Clerk.mostBytes else {
                return false
            }
            if state.thread == nil { state.thread = HostThread.start { [self] in work() } }
            guard state.thread != nil else { return false }
            state.tasks.append((task, count))
            state.bytes += count
            return true
        }
    }

    /// Does what was taken, and nothing more.
    func end() {
        let thread = state.change { state in
            state.isClosed = true
            defer { state.thread = nil }
            return state.thread
        }
        if let thread { pthread_join(thread, nil) }
    }

    private func work() {
        while let (task, count) = next() {
            task()
            state.withLock { $0.bytes -= count }
        }
    }

    private func next() -> (task: Task, bytes: Int)? {
        state.wait { state -> (task: Task, bytes: Int)?? in
            if state.tasks.isEmpty { return state.isClosed ? .some(nil) : nil }
            return state.tasks.removeFirst()
        }
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
