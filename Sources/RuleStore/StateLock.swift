// Keeps a state file to one process while it is read, evaluated and written: two evals on one file come one after the
// other, and both count. Other files of the folder are not concerned. Held by StateStore of the command line.
import Glibc

/// Held as long as it lives. The lock is on a file of its own beside the state, because the state itself is replaced by
/// each change; it is removed at the end, and one that a crash left behind is in nobody's way.
public final class StateLock {
    private let file: Int32
    private let name: String

    /// Waits for whoever has the lock, but not for ever: an eval may wait for our own output.
    /// - Parameters:
    ///   - path: of the state; behind a link the file that it leads to is locked.
    ///   - patience: in milliseconds.
    public init(of path: String, patience: Int64 = 20_000) throws(StoreFault) {
        let taken: Int32?
        do throws(FileBytes.Failure) {
            let target = try FileBytes.target(of: path)
            var status = stat()
            // A lock beside a device would stand among the devices.
            if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw .notAFile }
            name = "\(target).lock"
            taken = try StateLock.take(name, until: StateLock.now() + patience)
            if taken != nil { FileBytes.removeAbandoned(of: target) }
        } catch {
            throw StateFile.notWritten(path, error)
        }
        guard let taken else { throw StateFile.notWritten(path, because: "another rulehost is changing it") }
        file = taken
    }

    deinit {
        // Before it is given free: whoever waits for it sees that it is gone, and begins anew.
        unlink(name)
        close(file)
    }

    /// nil when the time is over.
    private static func take(_ name: String, until end: Int64) throws(FileBytes.Failure) -> Int32? {
        while true {
            let file = open(name, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard file >= 0 else { throw .system(errno) }
            while flock(file, LOCK_EX | LOCK_NB) != 0 {
                let code = errno
                guard code == EWOULDBLOCK || code == EINTR, now() < end else {
                    close(file)
                    if code == EWOULDBLOCK || code == EINTR { return nil }
                    throw .system(code)
                }
                usleep(5_000)
            }
            if isStill(file, at: name) { return file }
            close(file)
        }
    }

    /// The one who had the lock before us has not removed it meanwhile.
    private static func isStill(_ file: Int32, at name: String) -> Bool {
        var ours = stat()
        var there = stat()
        guard fstat(file, &ours) == 0, lstat(name, &there) == 0 else { return false }
        return ours.st_dev == there.st_dev && ours.st_ino == there.st_ino
    }

    /// Milliseconds of a clock that nobody sets.
    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
