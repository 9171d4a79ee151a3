// A copy of a store as it was at one moment, made while commits go on. It is written beside its place, looked through, and takes
// its place only when it is whole. Called by the verb `backup`, and by whoever serves.
import CSQLite
import Glibc

public enum Backup {
    /// - Parameter target: a file that is not there yet: a backup never takes the place of anything.
    /// - Returns: its bytes.
    @discardableResult
    public static func make(of path: String, to target: String) throws(EffectStoreFault) -> Int {
        let (source, hold) = try StoreFile.forReader(path)
        defer { withExtendedLifetime(hold) {} }
        let place = try place(target)
        removeAbandoned(beside: place)
        let temporary = "\(place).\(getpid()).tmp"
        let file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw notWritten(target, errno) }
        defer {
            close(file)
            unlink(temporary)
        }
        try hold.reading { () throws(EffectStoreFault) in try fill(temporary, from: source, target: target) }
        guard fsync(file) == 0 else { throw notWritten(target, errno) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw notWritten(target, errno) }
        try checkNothingIsLeft(beside: place, target)
        guard takePlace(temporary, place) else { throw notWritten(target, errno) }
        try sync(folderOf: place, target)
        return Int(status.st_size)
    }

    /// Where a host makes a copy of its store that somebody takes over HTTP.
    public static func download(of path: String) -> String { "\(path).download" }

    /// What a host that was killed meanwhile has left of such a copy: nobody else makes one.
    ///
    /// - Parameter store: the file itself, behind links.
    static func removeDownload(of store: String) {
        let copy = download(of: store)
        unlink(copy)
        removeAbandoned(beside: copy)
    }

    /// Throws when no copy can get that name, before anything is done for it.
    public static func check(_ target: String) throws(EffectStoreFault) { _ = try place(target) }

    /// Never takes the place of a file that came meanwhile, and has one name at each moment, whenever it is killed.
    private static func takePlace(_ temporary: String, _ place: String) -> Bool {
        if cs_rename_to_nothing(temporary, place) == 0 { return true }
        // Some file systems cannot say that to a rename; there a kill in this very moment leaves the copy with two names.
        guard errno == EINVAL || errno == ENOSYS else { return false }
        return link(temporary, place) == 0
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
        try StoredCheck.everything(in: copy)
    }

    /// Backups to this place that were killed have left them; one of a process that is there is not touched.
    private static func removeAbandoned(beside place: String) {
        let cut = place.lastIndex(of: "/") ?? place.startIndex
        let beginning = "\(place[place.index(after: cut)...])."
        guard let folder = opendir(String(place[...cut])) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(beginning), name.hasSuffix(".tmp") else { continue }
            guard let process = pid_t(name.dropFirst(beginning.count).dropLast(4)), process > 0 else { continue }
            let isGone = process == getpid() || kill(process, 0) != 0 && errno == ESRCH
            // Where it cannot be removed it is in nobody's way.
            if isGone { unlink("\(place[...cut])\(name)") }
        }
    }

    private static func place(_ target: String) throws(EffectStoreFault) -> String {
        var status = stat()
        guard lstat(target, &status) != 0 else { throw notWritten(target, EEXIST) }
        let place: String
        do throws(EffectStoreFault) {
            place = try StoreFile.behindLinks(target)
        } catch {
            throw notWritten(target, error.message)
        }
        if StoreName.isTooLong(place) { throw notWritten(target, StoreName.tooLong) }
        if let part = StoreName.part(place) { throw notWritten(target, "a file whose name ends in \(part) is a part of another store") }
        try checkNothingIsLeft(beside: place, target)
        return place
    }

    /// What another store has left there would be read as a part of the copy.
    private static func checkNothingIsLeft(beside place: String, _ target: String) throws(EffectStoreFault) {
        guard let part = StoreName.leftBeside(place) else { return }
        throw notWritten(
            target, "\(target)\(part) stands beside it, of a store that was there before, and would be taken for a part of the copy")
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
