// How many trials a host has under way or waiting: few, because each keeps its body, of up to four mebibytes, until its turn. A trial
// whose client has gone lets go of its body and its place at once. An app has a part of them only: those of one app run one after the
// other, and dear ones would hold every place for a minute. Used by TryDeed, on the loops' threads and those of the host.
import HTTPServer
import Synchronization

final class TrialDesk: Sendable {
    private struct Counts {
        /// With a body.
        var kept = 0
        /// With those whose clients have gone: the host comes to know of them when it is their turn.
        var handed = 0

        var isEmpty: Bool { kept == 0 && handed == 0 }
    }

    private struct State {
        var all = Counts()
        /// Of those that have any.
        var apps: [String: Counts] = [:]

        mutating func change(_ app: String, _ step: (inout Counts) -> Void) {
            step(&all)
            step(&apps[app, default: Counts()])
            if apps[app]?.isEmpty == true { apps[app] = nil }
        }
    }

    /// Of all apps, and of one. Beyond either, whoever asks is told to come again.
    static let most = 16
    static let mostOfApp = 4
    private static let mostHanded = 256
    private static let mostHandedOfApp = 64
    private let state = Guarded(State())

    /// - Returns: whether there is room for one more.
    fileprivate func enter(_ app: String) -> Bool {
        state.withLock { state in
            let own = state.apps[app] ?? Counts()
            guard state.all.kept < TrialDesk.most, state.all.handed < TrialDesk.mostHanded,
                own.kept < TrialDesk.mostOfApp, own.handed < TrialDesk.mostHandedOfApp
            else { return false }
            state.change(app) { counts in
                counts.kept += 1
                counts.handed += 1
            }
            return true
        }
    }

    fileprivate func letGo(_ app: String) { state.withLock { $0.change(app) { $0.kept -= 1 } } }
    fileprivate func pass(_ app: String) { state.withLock { $0.change(app) { $0.handed -= 1 } } }
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
    private let app: String
    private let state = Guarded(State.coming)
    private let isLost = Atomic(false)

    init(_ desk: TrialDesk, of app: String) {
        self.desk = desk
        self.app = app
    }

    /// Whether anybody wants to know what comes of it.
    var lasts: Bool { !isLost.load(ordering: .relaxed) }

    /// The body is there.
    /// - Returns: false: too many wait already.
    func wait(with body: [UInt8]) -> Bool {
        guard desk.enter(app) else { return false }
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
        desk.pass(app)
        let isKept = state.withLock { state in
            defer { state = .over }
            if case .over = state { return false }
            return true
        }
        if isKept { desk.letGo(app) }
    }

    func draining() { isLost.store(true, ordering: .relaxed) }

    func gone() {
        isLost.store(true, ordering: .relaxed)
        let isDropped = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .over
            return true
        }
        if isDropped { desk.letGo(app) }
    }
}
