// The file that a log is written to: lines at its end, whole or not at all, and a new file when it has become too large. Belongs to the
// log's thread.
import Glibc

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

    init(_ path: String, rotate: Int?, keep: Int) {
        self.path = path
        self.rotate = rotate
        self.keep = keep
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Opens it when it is not open.
    mutating func open() throws(Fault) {
        guard descriptor < 0 else { return }
        // Others of this machine have no business with what it holds.
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Fault(number: errno) }
        var state = stat()
        guard fstat(descriptor, &state) == 0 else { throw fault() }
        size = Int(state.st_size)
        var last: UInt8 = 0x0A
        // A host before this one was killed in the middle of a line.
        if size > 0, pread(descriptor, &last, 1, off_t(size - 1)) == 1, last != 0x0A { try append([0x0A]) }
    }

    /// The next line goes to a file that is opened anew: somebody has moved this one away.
    mutating func reopen() throws(Fault) {
        end()
        try open()
    }

    /// - Parameter bytes: whole lines.
    mutating func write(_ bytes: [UInt8]) throws(Fault) {
        try open()
        if let rotate, size > 0, size + bytes.count > rotate { try turn() }
        try append(bytes)
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
    private mutating func turn() throws(Fault) {
        end()
        if keep == 0 { unlink(path) }
        for number in stride(from: keep, to: 0, by: -1) {
            let from = number == 1 ? path : "\(path).\(number - 1)"
            guard rename(from, "\(path).\(number)") == 0 || errno == ENOENT else { throw fault() }
        }
        try open()
    }

    private mutating func end() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private mutating func fault() -> Fault {
        let number = errno
        end()
        return Fault(number: number)
    }
}
