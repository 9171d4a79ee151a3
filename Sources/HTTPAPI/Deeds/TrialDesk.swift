// How many trials a host has under way or waiting: few, because each keeps its body, of up to four mebibytes, until its turn. A trial
// whose client has gone lets go of its body and its place at once. Used by TryDeed, on the loops' threads and those of the host.
import HTTPServer
import Synchronization

final class TrialDesk: Sendable {
    private struct Counts {
        /// With a body.
        var kept = 0
        /// With those whose clients have gone: the host comes to know of them when it is their turn.
        var handed = 0
    }

    /// Of all apps. Beyond it, whoever asks is told to come again.
    static let most = 16
    private static let mostHanded = 256
    private let counts = Guarded(Counts())

    /// - Returns: whether there is room for one more.
    fileprivate func enter() -> Bool {
        counts.withLock { counts in
            guard counts.kept < TrialDesk.most, counts.handed < TrialDesk.mostHanded else { return false }
            counts.kept += 1
            counts.handed += 1
            return true
        }
    }

    fileprivate func letGo() { counts.withLock { $0.kept -= 1 } }
    fileprivate func pass() { counts.withLock { $0.handed -= 1 } }
}

/// One of them, from its head on. The loop tells it that its client goes, or that the server is about to end.
final class WaitingTrial: ExchangeStream {
    private enum State {
        case coming
        case waiting([UInt8])
        case begun
        case over
    }

    private let desk: TrialDesk
    private let state = Guarded(State.coming)
    private let isLost = Atomic(false)

    init(_ desk: TrialDesk) { self.desk = desk }

    /// Whether anybody wants to know what comes of it.
    var lasts: Bool { !isLost.load(ordering: .relaxed) }

    /// The body is there.
    /// - Returns: false: too many wait already.
    func wait(with body: [UInt8]) -> Bool {
        guard desk.enter() else { return false }
        state.withLock { $0 = .waiting(body) }
        return true
    }

    /// It is its turn.
    /// - Returns: the body; nil: its client has gone.
    func begin() -> [UInt8]? {
        state.withLock { state in
            guard case .waiting(let body) = state else { return nil }
            state = .begun
            return body
        }
    }

    /// The host has done with it, in whatever way. Called once for each that was to wait.
    func end() {
        desk.pass()
        let isKept = state.withLock { state in
            defer { state = .over }
            if case .over = state { return false }
            return true
        }
        if isKept { desk.letGo() }
    }

    func draining() { isLost.store(true, ordering: .relaxed) }

    func gone() {
        isLost.store(true, ordering: .relaxed)
        let isDropped = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .over
            return true
        }
        if isDropped { desk.letGo() }
    }
}
