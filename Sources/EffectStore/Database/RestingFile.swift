// A store that is read while nothing keeps a host away from it: what was read counts only if nobody has written meanwhile. Made
// before the first byte is read, asked after the last one. Called by StoreFile and whoever holds what that hands out.
import Glibc

struct RestingFile {
    private struct Moment: Equatable {
        let device: dev_t
        let file: ino_t
        let size: off_t
        let seconds: [Int]
        let nanoseconds: [Int]

        init(_ status: stat) {
            (device, file, size) = (status.st_dev, status.st_ino, status.st_size)
            seconds = [status.st_mtim.tv_sec, status.st_ctim.tv_sec]
            nanoseconds = [status.st_mtim.tv_nsec, status.st_ctim.tv_nsec]
        }
    }

    private let file: String
    private let path: String
    private let moment: Moment

    /// - Parameters:
    ///   - file: what is read.
    ///   - path: what faults call it.
    init(_ file: String, path: String) throws(EffectStoreFault) {
        (self.file, self.path) = (file, path)
        var status = try RestingFile.status(file, path)
        // File systems write down times by the tick: of two changes within one, the second would not be seen.
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        // A second ago and longer does not matter, nor does any time to come.
        let seconds = now.tv_sec &- status.st_mtim.tv_sec
        if (0...1).contains(seconds), seconds * 1_000_000_000 + now.tv_nsec - status.st_mtim.tv_nsec < RestingFile.tick {
            usleep(useconds_t(RestingFile.tick / 1_000))
            status = try RestingFile.status(file, path)
        }
        moment = Moment(status)
    }

    /// Nanoseconds.
    private static let tick = 20_000_000

    /// Throws when the file is not as it was.
    func check() throws(EffectStoreFault) {
        guard Moment(try RestingFile.status(file, path)) == moment else { throw .moved(path) }
    }

    private static func status(_ file: String, _ path: String) throws(EffectStoreFault) -> stat {
        var status = stat()
        guard stat(file, &status) == 0 else { throw .unreadable(path, EffectStoreFault.words(errno)) }
        return status
    }
}

/// What makes that a reader sees one moment. To be kept as long as the connection.
struct ReadingHold {
    /// nil: SQLite's own locks do it.
    private let lock: HostLock?
    private let resting: RestingFile?

    init(_ lock: HostLock? = nil, resting: RestingFile? = nil) { (self.lock, self.resting) = (lock, resting) }

    /// What `body` reads, if it is of one moment; what it fails with, if that is not because a host writes.
    func reading<Value>(_ body: () throws(EffectStoreFault) -> Value) throws(EffectStoreFault) -> Value {
        do throws(EffectStoreFault) {
            let value = try body()
            try resting?.check()
            return value
        } catch {
            try resting?.check()
            throw error
        }
    }
}
