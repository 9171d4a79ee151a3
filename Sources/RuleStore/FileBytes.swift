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
        return try read(open: file, limit: limit)
    }

    static func read(open file: Int32, limit: Int) throws(Failure) -> [UInt8] {
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
        try replace(path) { (file) throws(Failure) in try write(bytes, to: file) }
    }

    /// The same with content that is written piece by piece.
    static func replace(_ path: String, writing content: (Int32) throws(Failure) -> Void) throws(Failure) {
        // A link keeps pointing at its file: the file behind it is what is replaced, or made.
        let target = try target(of: path)
        // Taking the place of a device would remove it, and of a file that may not be written would go around its owner.
        var status = stat()
        if stat(target, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
            guard access(target, W_OK) == 0 else { throw .system(errno) }
        }
        let temporary = "\(target).\(getpid()).tmp"
        // One left behind by a crash of an earlier process with our number is in the way and holds nothing.
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(errno) }
        do throws(Failure) {
            try fill(file, modeOf: target, with: content)
            guard rename(temporary, target) == 0 else { throw .system(errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        try sync(folder: folder(of: target))
    }

    private static func fill(_ file: Int32, modeOf target: String, with content: (Int32) throws(Failure) -> Void) throws(Failure) {
        defer { close(file) }
        var status = stat()
        // A new file stays its owner's alone, as it was made: it tells of people.
        if stat(target, &status) == 0, fchmod(file, status.st_mode & 0o777) != 0 { throw .system(errno) }
        try content(file)
        guard fsync(file) == 0 else { throw .system(errno) }
    }

    static func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress.unsafelyUnwrapped + written, $0.count - written) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(errno)
            }
            written += count
        }
    }

    private static func sync(folder: String) throws(Failure) {
        let handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0 else { throw .system(errno) }
        defer { close(handle) }
        // Some file systems cannot sync a folder; the file itself is safe by then.
        guard fsync(handle) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .system(errno) }
    }

    /// Removes what processes that are gone have begun to write in place of a file and left behind. Only for whoever
    /// has the file's lock.
    static func removeAbandoned(of target: String) {
        guard let folder = opendir(folder(of: target)) else { return }
        defer { closedir(folder) }
        let beginning = name(of: target) + "."
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(beginning), name.hasSuffix(".tmp") else { continue }
            let number = name.dropFirst(beginning.count).dropLast(4)
            guard let process = pid_t(number), process > 0, number.allSatisfy(\.isNumber) else { continue }
            // Where it cannot be removed it is in nobody's way.
            if kill(process, 0) != 0, errno == ESRCH { unlink("\(self.folder(of: target))/\(name)") }
        }
    }

    // MARK: paths

    /// The file that a path names, behind all links, also where it is not there yet.
    static func target(of path: String) throws(Failure) -> String {
        var path = path
        // As many links as the system follows.
        for _ in 0..<40 {
            if let real = resolved(path) { return real }
            guard errno == ENOENT else { throw .system(errno) }
            guard let next = link(at: path) else {
                guard let folder = resolved(folder(of: path)) else { throw .system(errno) }
                return folder == "/" ? "/\(name(of: path))" : "\(folder)/\(name(of: path))"
            }
            path = next.hasPrefix("/") ? next : "\(folder(of: path))/\(next)"
        }
        throw .system(ELOOP)
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    private static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// What a link says; nil when the path is no link.
    private static func link(at path: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &text, text.count)
        guard count > 0 else { return nil }
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path without links; nil when something on the way is missing.
    static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
