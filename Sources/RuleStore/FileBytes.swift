// Whole files in and out with plain system calls. Only regular files, never more than a limit; what is written is
// written beside the target and takes its place in one step, so that nobody meets half a file.
import Glibc

enum FileBytes {
    enum Failure: Error, Equatable {
        case system(Int32)
        case notAFile
        case tooLarge

        var isMissingFile: Bool { self == .system(ENOENT) }

        /// The system's words; nil when the system did not refuse.
        var systemReason: String? {
            if case .system(let code) = self { StoreFault.reason(code) } else { nil }
        }
    }

    /// - Parameter limit: in bytes; one byte more is a failure.
    static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        // Without O_NONBLOCK a pipe that somebody put there would hold us for ever.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .system(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_size <= limit else { throw .tooLarge }
        return try readAll(file, expecting: Int(status.st_size), limit: limit)
    }

    private static func readAll(_ file: Int32, expecting size: Int, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 1)
        var chunk = [UInt8](repeating: 0, count: min(max(size + 1, 4096), 1 << 16))
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(errno)
            }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw .tooLarge }
        }
    }

    /// Replaces a file's content, or makes the file. After a crash there is the old content or the new.
    static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
        // A link keeps pointing at its file: the file behind it is what is replaced.
        let target = resolved(path) ?? path
        // Taking the place of a device would remove it, and of a file that may not be written would go around its owner.
        var status = stat()
        if stat(target, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
            guard access(target, W_OK) == 0 else { throw .system(errno) }
        }
        let folder = target.lastIndex(of: "/").map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
        let temporary = "\(target).\(getpid()).tmp"
        // One left behind by a crash of an earlier process with our number is in the way and holds nothing.
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(errno) }
        do throws(Failure) {
            try fill(file, with: bytes, modeOf: target)
            guard rename(temporary, target) == 0 else { throw .system(errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        try sync(folder: folder)
    }

    private static func fill(_ file: Int32, with bytes: [UInt8], modeOf target: String) throws(Failure) {
        defer { close(file) }
        var status = stat()
        let mode = stat(target, &status) == 0 ? status.st_mode & 0o777 : 0o644
        guard fchmod(file, mode) == 0 else { throw .system(errno) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress.unsafelyUnwrapped + written, $0.count - written) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(errno)
            }
            written += count
        }
        guard fsync(file) == 0 else { throw .system(errno) }
    }

    private static func sync(folder: String) throws(Failure) {
        let handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0 else { throw .system(errno) }
        defer { close(handle) }
        // Some file systems cannot sync a folder; the file itself is safe by then.
        guard fsync(handle) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .system(errno) }
    }

    /// The path without links; nil when something on the way is missing.
    static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
