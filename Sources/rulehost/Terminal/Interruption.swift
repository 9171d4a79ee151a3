// Ctrl-C, for a verb that goes on until somebody ends it: the first one asks it to end, and it does so when it is ready; the
// second one ends it at once. Made before any other thread is, which then has the same signals blocked. SIGHUP is told to whoever wants
// to know, who may take as long as he likes; where nobody does it ends the program as it always does.
import EffectStore
import Glibc
import RuleHosting

struct Interruption {
    /// Can be read once somebody has asked to end.
    let asked: Int32
    private let desk: Desk

    private final class Desk: Sendable {
        let tell: Int32
        let signals: [Int32]
        /// SIGHUPs that nobody has looked at; several are as good as one.
        let hangups = Monitor(0)

        init(tell: Int32, signals: [Int32]) {
            self.tell = tell
            self.signals = signals
        }

        var set: sigset_t {
            var set = sigset_t()
            sigemptyset(&set)
            for signal in signals { sigaddset(&set, signal) }
            return set
        }

        func work() {
            var isAsked = false
            var set = set
            while true {
                var signal: Int32 = 0
                sigwait(&set, &signal)
                if signal == SIGHUP {
                    hangups.change { $0 += 1 }
                } else if isAsked {
                    _exit(128 + signal)
                } else {
                    isAsked = true
                    _ = write(tell, "x", 1)
                }
            }
        }
    }

    /// nil: the system gives no pipe or no thread, and a signal ends the program as it always does.
    /// - Parameter heedsHangup: SIGHUP ends nothing.
    init?(heedsHangup: Bool = false) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        asked = ends[0]
        desk = Desk(tell: ends[1], signals: [SIGINT, SIGTERM] + (heedsHangup ? [SIGHUP] : []))
        var set = desk.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        var thread = pthread_t()
        let desk = Unmanaged.passRetained(desk)
        let failed = pthread_create(
            &thread, nil,
            { desk in
                if let desk { Unmanaged<Desk>.fromOpaque(desk).takeRetainedValue().work() }
                return nil
            }, desk.toOpaque())
        guard failed == 0 else {
            desk.release()
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
            return nil
        }
        pthread_detach(thread)
    }

    /// - Parameter body: called at each SIGHUP, on a thread of its own: files that it reads may never answer, and the program must be
    ///   able to end all the same.
    /// - Returns: whether the system gives that thread.
    func onHangup(_ body: @escaping @Sendable () -> Void) -> Bool {
        let hangups = desk.hangups
        guard
            let thread = HostThread.start({
                while true {
                    hangups.wait { count in
                        defer { count = 0 }
                        return count > 0 ? () : nil
                    }
                    body()
                }
            })
        else { return false }
        pthread_detach(thread)
        return true
    }

    var isAsked: Bool { isAsked(within: 0) }

    /// - Parameter milliseconds: to wait for it; negative: as long as it takes.
    func isAsked(within milliseconds: Int32) -> Bool {
        var place = pollfd(fd: asked, events: Int16(POLLIN), revents: 0)
        return poll(&place, 1, milliseconds) > 0
    }
}
