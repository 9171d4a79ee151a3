// A copy of a store as it was at one moment, made while commits go on. It is written beside its place, looked through, and takes
// its place only when it is whole. Called by the verb `backup`, and by whoever serves.
import Glibc

public enum Backup {
    /// - Parameter target: a file that is not there yet: a backup never takes the place of anything.
    /// - Returns: its bytes.
    @discardableResult
    public static func make(of path: String, to target: String) throws(EffectStoreFault) -> Int {
        let (source, lock) = try StoreFile.forReader(path)
        defer { withExtendedLifetime(lock) {} }
        let place = try place(target)
        let temporary = "\(place).\(getpid()).tmp"
        // One that a crash left behind under our number holds nothing.
        unlink(temporary)
        let file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw notWritten(target, errno) }
        defer {
            close(file)
            unlink(temporary)
        }
        try fill(temporary, from: source, target: target)
        guard fsync(file) == 0 else { throw notWritten(target, errno) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw notWritten(target, errno) }
        // Unlike a rename, this never takes the place of a file that came meanwhile.
        guard link(temporary, place) == 0 else { throw notWritten(target, errno) }
        try sync(folderOf: place, target)
        return Int(status.st_size)
    }

    private static func fill(_ temporary: String, from source: Connection, target: String) throws(EffectStoreFault) {
        do throws(EffectStoreFault) {
            let copy = try Connection(temporary, path: target, .writing)
            // Nobody sees it before it is whole, and a crash leaves nothing that counts.
            try copy.set("journal_mode = OFF")
            try copy.set("synchronous = OFF")
            try source.copy(into: copy)
        } catch {
            throw error.code == .damaged ? .damaged(source.path, "a page cannot be copied") : notWritten(target, error.message)
        }
        let copy = try Connection(temporary, path: source.path, .readingAtRest)
        _ = try Schema.current.find(in: copy)
        try StoreFile.check(copy)
    }

    private static func place(_ target: String) throws(EffectStoreFault) -> String {
        var status = stat()
        guard lstat(target, &status) != 0 else { throw notWritten(target, EEXIST) }
        do throws(EffectStoreFault) {
            return try StoreFile.behindLinks(target)
        } catch {
            throw notWritten(target, error.message)
        }
    }

    private static func sync(folderOf place: String, _ target: String) throws(EffectStoreFault) {
        let name = place.lastIndex(of: "/").map { String(place[...$0]) } ?? "."
        let folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw notWritten(target, errno) }
        defer { close(folder) }
        // Some file systems cannot sync a folder; the file itself is safe by then.
        guard fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP else { throw notWritten(target, errno) }
    }

    private static func notWritten(_ target: String, _ code: Int32) -> EffectStoreFault {
        notWritten(target, code == EEXIST ? "something stands there already" : EffectStoreFault.words(code))
    }

    private static func notWritten(_ target: String, _ reason: String) -> EffectStoreFault {
        EffectStoreFault(
            .backupNotWritten, path: target, message: "the backup cannot be written: \(reason)",
            hint: "name a file that is not there yet, in a folder that you may write to and that has room")
    }
}
