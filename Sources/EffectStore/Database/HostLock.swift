// One host at a time has a store. The lock is on a file of its own beside the store, which stays there: whoever finds it free
// knows that nobody is writing. SQLite's own locks are on the store itself and are not touched. Held by EffectStore, for the
// time of reading also by StoreReader.
import Glibc

final class HostLock: Sendable {
    private let file: Monitor<Int32?>

    private init(_ file: Int32) { self.file = Monitor(file) }

    deinit { release() }

    func release() {
        file.withLock { file in
            if let file {
                // Closing is not enough: a process that is just being started has the file as well, until it is another program.
                flock(file, LOCK_UN)
                close(file)
            }
            file = nil
        }
    }

    /// Waits a while: somebody may be reading, or a host may be about to end.
    /// - Parameters:
    ///   - store: the file, behind all links.
    ///   - patience: in milliseconds.
    static func host(of store: String, path: String, patience: Int) throws(EffectStoreFault) -> HostLock {
        let file = open("\(store).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .refused(path, errno) }
        let lock = HostLock(file)
        var left = patience
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .failed(path, EffectStoreFault.words(errno)) }
            guard left > 0 else { throw .locked(path) }
            usleep(10_000)
            left -= 10
        }
        return lock
    }

    enum Reading {
        /// Nobody writes, and nobody begins as long as the lock is held.
        case atRest(HostLock?)
        case besideHost
    }

    /// Makes no file: where there is no lock there was no host, as beside a backup.
    static func reader(of store: String) -> Reading {
        let file = open("\(store).lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return .atRest(nil) }
        let lock = HostLock(file)
        return flock(file, LOCK_SH | LOCK_NB) == 0 ? .atRest(lock) : .besideHost
    }
}
