// A folder that is open. Names in it are asked of the system beside this folder, one step at a time and without following links, so that
// nothing outside of it can be met, whatever somebody puts there meanwhile. Used by AppFiles. A link fails with ELOOP.
import Glibc
import Synchronization

struct FolderHandle: ~Copyable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// - Parameter path: the operator's, who may use links.
    init(path: String) throws(FileBytes.Failure) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
    }

    deinit { close(descriptor) }

    /// - Parameter makes: it is made when it is not there.
    func folder(_ name: String, makes: Bool) throws(FileBytes.Failure) -> FolderHandle {
        if makes, mkdirat(descriptor, name, 0o777) != 0, errno != EEXIST { throw .system(errno) }
        let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if inner >= 0 { return FolderHandle(inner) }
        let code = errno
        throw .system(isLink(name) ? ELOOP : code)
    }

    func status(_ name: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    private func isLink(_ name: String) -> Bool { status(name).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false }

    func read(_ name: String, limit: Int) throws(FileBytes.Failure) -> [UInt8] {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .system(errno) }
        defer { close(file) }
        return try FileBytes.read(open: file, limit: limit)
    }

    /// Without hidden ones, sorted by bytes.
    func names() throws(FileBytes.Failure) -> [String] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let folder = fdopendir(copy) else { throw .system(errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    // MARK: writing

    private static let number = Atomic(0)

    /// Beside the file whose place it is to take: on the disk, under a name that neither rules nor watches look at.
    /// - Returns: its name.
    func writeBeside(_ name: String, _ bytes: [UInt8]) throws(FileBytes.Failure) -> String {
        let old = status(name)
        if old != nil, faccessat(descriptor, name, W_OK, 0) != 0 { throw .system(errno) }
        let count = FolderHandle.number.wrappingAdd(1, ordering: .relaxed).newValue
        let temporary = ".rulehost-\(getpid())-\(count)~"
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, old == nil ? 0o666 : 0o600)
        guard file >= 0 else { throw .system(errno) }
        defer { close(file) }
        do throws(FileBytes.Failure) {
            if let old, fchmod(file, old.st_mode & 0o777) != 0 { throw .system(errno) }
            try FileBytes.write(bytes, to: file)
            guard fsync(file) == 0 else { throw .system(errno) }
        } catch {
            remove(temporary)
            throw error
        }
        return temporary
    }

    /// - Parameter replaces: false: somebody else's new file stays, and this fails with EEXIST.
    func move(_ temporary: String, to name: String, replaces: Bool) throws(FileBytes.Failure) {
        if replaces {
            guard renameat(descriptor, temporary, descriptor, name) == 0 else { throw .system(errno) }
        } else {
            guard linkat(descriptor, temporary, descriptor, name, 0) == 0 else { throw .system(errno) }
            remove(temporary)
        }
    }

    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// As `remove`, where it matters whether it comes to that.
    func unlink(_ name: String) throws(FileBytes.Failure) {
        guard unlinkat(descriptor, name, 0) == 0 else { throw .system(errno) }
    }

    /// What has changed names here outlasts a power cut.
    func sync() throws(FileBytes.Failure) {
        // Some file systems cannot sync a folder; the file itself is safe by then.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .system(errno) }
    }
}
