// Ctrl-C, for a verb that goes on until somebody ends it: the first one asks it to end, and it does so when it is ready; the
// second one ends it at once. Made before any other thread is, which then has the same signals blocked.
import Glibc

struct Interruption {
    /// Can be read once somebody has asked to end.
    let asked: Int32

    /// nil: the system gives no pipe or no thread, and a signal ends the program as it always does.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        asked = ends[0]
        var signals = Interruption.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var thread = pthread_t()
        let tell = UnsafeMutableRawPointer(bitPattern: Int(ends[1]))
        let failed = pthread_create(
            &thread, nil,
            { tell in
                var signals = Interruption.signals
                var signal: Int32 = 0
                sigwait(&signals, &signal)
                _ = write(Int32(Int(bitPattern: tell)), "x", 1)
                sigwait(&signals, &signal)
                _exit(128 + signal)
            }, tell)
        guard failed == 0 else {
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            return nil
        }
        pthread_detach(thread)
    }

    var isAsked: Bool {
        var place = pollfd(fd: asked, events: Int16(POLLIN), revents: 0)
        return poll(&place, 1, 0) > 0
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }
}
