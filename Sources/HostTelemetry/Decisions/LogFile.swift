// The file that a log is written to: lines at its end, whole or not at all, and a new file when it has become too large. Belongs to the
// log's thread.
import Glibc
import RuleHosting

struct LogFile: ~Copyable {
    struct Fault: Error, Equatable {
        let number: Int32
        var message: String { String(cString: strerror(number)) }
    }

    let path: String
    private let rotate: Int?
    private let keep: Int
    private var descriptor: Int32 = -1
    private var size = 0
    /// The one that is written stands under another name by now.
    private var isMoved = false
    /// Why no new file could be begun when it was time for it; nil: it could. Lines go on to the one that there is.
    private(set) var refusal: Fault?
    /// When the next attempt is made.
    private var nextAttempt = Int64.min
    /// Nanoseconds.
    static let patience: Int64 = 10_000_000_000

    init(_ path: String, rotate: Int?, keep: Int) {
        self.path = path
        self.rotate = rotate
        self.keep = keep
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Opens it when it is not open.
    mutating func open() throws(Fault) {
        guard descriptor < 0 else { return }
        try begin()
    }

    /// The next line goes to a file that is opened anew: somebody has moved this one away. Where that is not possible it goes on to this one.
    mutating func reopen(now: Int64 = HostClock.nanoseconds()) throws(Fault) {
        guard descriptor >= 0 else { return try begin() }
        isMoved = true
        renew(now)
    }

    /// - Parameters:
    ///   - bytes: whole lines.
    ///   - now: nanoseconds of the host's clock.
    mutating func write(_ bytes: [UInt8], now: Int64 = HostClock.nanoseconds()) throws(Fault) {
        try open()
        try look()
        if now >= nextAttempt {
            if isMoved { renew(now) } else if let rotate, size > 0, size + bytes.count > rotate { turn(now) }
        }
        try append(bytes)
    }

    /// Others may have shortened the file, or taken it away: then what is written to it is read by nobody.
    private mutating func look() throws(Fault) {
        var state = stat()
        guard fstat(descriptor, &state) == 0 else { throw Fault(number: errno) }
        size = Int(state.st_size)
        if state.st_nlink == 0, state.st_mode & S_IFMT == S_IFREG { try begin() }
    }

    /// Takes what stands at the path in the place of what is open, and leaves that when there is a fault.
    private mutating func begin() throws(Fault) {
        // Others of this machine have no business with what it holds.
        let opened = Glibc.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw Fault(number: errno) }
        var state = stat()
        guard fstat(opened, &state) == 0 else {
            let fault = Fault(number: errno)
            close(opened)
            throw fault
        }
        if descriptor >= 0 { close(descriptor) }
        descriptor = opened
        size = Int(state.st_size)
        isMoved = false
        var last: UInt8 = 0x0A
        // A host before this one was killed in the middle of a line.
        if size > 0, pread(descriptor, &last, 1, off_t(size - 1)) == 1, last != 0x0A {
            do throws(Fault) {
                try append([0x0A])
            } catch {
                close(descriptor)
                descriptor = -1
                throw error
            }
        }
    }

    private mutating func append(_ bytes: [UInt8]) throws(Fault) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let fault = Fault(number: count == 0 ? ENOSPC : errno)
                // No half a line: whoever reads it next would take it and the one after it for one.
                _ = ftruncate(descriptor, off_t(size))
                throw fault
            }
            start += count
        }
        size += bytes.count
    }

    /// The file becomes number 1, number 1 becomes number 2; the last one goes.
    private mutating func turn(_ now: Int64) {
        if keep == 0, unlink(path) != 0, errno != ENOENT { return refuse(Fault(number: errno), now) }
        for number in stride(from: keep, to: 0, by: -1) {
            let from = number == 1 ? path : "\(path).\(number - 1)"
            guard rename(from, "\(path).\(number)") == 0 || errno == ENOENT else { return refuse(Fault(number: errno), now) }
        }
        isMoved = true
        renew(now)
    }

    private mutating func renew(_ now: Int64) {
        do throws(Fault) {
            try begin()
            refusal = nil
            nextAttempt = .min
        } catch {
            refuse(error, now)
        }
    }

    private mutating func refuse(_ fault: Fault, _ now: Int64) {
        refusal = fault
        nextAttempt = now &+ LogFile.patience
    }
}
