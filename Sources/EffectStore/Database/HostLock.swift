// One host at a time has a store. The lock is on a file of its own beside the store, which stays there: whoever finds it free
// knows that nobody is writing. SQLite's own locks are on the store itself and are not touched. Held by EffectStore, for the
// time of reading also by StoreView. Whoever may read the store may have the lock for reading.
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
        let name = "\(store).lock"
        let file = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw isFile(name) ? .refused(path, errno) : .noLock("\(path).lock") }
        let lock = HostLock(file)
        guard isFile(file) else { throw .noLock("\(path).lock") }
        lend(file, as: store)
        var left = patience
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .failed(path, EffectStoreFault.words(errno)) }
            guard left > 0 else { throw .locked(path) }
            usleep(10_000)
            left -= 10
        }
        return lock
    }

    /// In it, once the store beside it has been made: a file of no bytes is not a new one then.
    private static let mark = Array("in use\n".utf8)

    /// - Parameter store: the file, behind all links.
    static func isMarked(_ store: String) -> Bool {
        var status = stat()
        return stat("\(store).lock", &status) == 0 && status.st_size > 0
    }

    /// Where there is no room for it nothing is said: then the store is as one from before there was a mark.
    func mark() {
        file.withLock { file in
            if let file { _ = pwrite(file, HostLock.mark, HostLock.mark.count, 0) }
        }
    }

    enum Reading {
        /// Nobody writes, and nobody begins as long as the lock is held.
        case atRest(HostLock)
        case besideHost
        /// There is none, as beside a backup, or it is somebody else's: nobody knows whether a host is there, or comes.
        case unlocked
    }

    /// Makes no file.
    static func reader(of store: String, path: String) throws(EffectStoreFault) -> Reading {
        let name = "\(store).lock"
        let file = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT || isFile(name) else { throw .noLock("\(path).lock") }
            return .unlocked
        }
        let lock = HostLock(file)
        guard isFile(file) else { throw .noLock("\(path).lock") }
        return flock(file, LOCK_SH | LOCK_NB) == 0 ? .atRest(lock) : .besideHost
    }

    /// Keeps errno; true also where that cannot be told.
    private static func isFile(_ name: String) -> Bool {
        let code = errno
        defer { errno = code }
        var status = stat()
        return lstat(name, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    private static func isFile(_ file: Int32) -> Bool {
        var status = stat()
        return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// To those who may use the store. Where it belongs to somebody else it stays as it is, and they read without it.
    private static func lend(_ file: Int32, as store: String) {
        var (own, others) = (stat(), stat())
        guard fstat(file, &own) == 0, stat(store, &others) == 0 else { return }
        if own.st_gid != others.st_gid { fchown(file, uid_t.max, others.st_gid) }
        let mode = 0o600 | others.st_mode & 0o066
        if own.st_mode & 0o777 != mode { fchmod(file, mode) }
    }
}
