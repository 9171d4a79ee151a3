// Opens a store: for the one host that writes, or for somebody who only reads. What is not a store, is damaged or was written
// by a later version is refused before anything is done to it.
import Glibc

enum StoreFile {
    /// A file up to this size is looked through when a host opens it: a second at most. Of a larger one, damage is told
    /// when it is met, and when it is backed up.
    static let mostChecked: Int64 = 256 << 20

    /// Makes the file where there is none.
    static func forHost(
        _ path: String, schema: Schema, patience: Int
    ) throws(EffectStoreFault) -> (connection: Connection, lock: HostLock, file: String) {
        let file = try behindLinks(path)
        try StoreName.checkForHost(file, path: path)
        let lock = try HostLock.host(of: file, path: path, patience: patience)
        let hasLog = hasLog(file)
        // SQLite would throw the log away. A host that was ended while it made its store leaves neither.
        if isEmpty(file), hasLog || HostLock.isMarked(file) { throw .emptied(path) }
        try make(file, path: path)
        let connection = try Connection(file, path: path, .writing)
        // What is refused stays as it is to the byte.
        connection.keepLogAtClose(hasLog)
        let finding = try schema.find(in: connection)
        guard !connection.isReadOnly else { throw .readOnly(path, "it may only be read") }
        if finding == .empty { try connection.set("auto_vacuum = INCREMENTAL") }
        if case .store = finding, try size(of: connection) <= mostChecked { try check(connection) }
        connection.keepLogAtClose(false)
        try connection.rows("PRAGMA journal_mode = WAL") { (row) throws(EffectStoreFault) in
            guard row.text(0) == "wal" else { throw .failed(path, "its file system cannot keep a log beside it") }
        }
        try connection.set("synchronous = FULL")
        try connection.set("journal_size_limit = \(16 << 20)")
        try schema.migrate(connection, from: finding)
        if !HostLock.isMarked(file) { lock.mark() }
        return (connection, lock, file)
    }

    static func forReader(
        _ path: String, schema: Schema = .current
    ) throws(EffectStoreFault) -> (connection: Connection, hold: ReadingHold) {
        let file = try behindLinks(path)
        guard access(file, F_OK) == 0 else { throw .missing(path) }
        guard faccessat(AT_FDCWD, file, R_OK, AT_EACCESS) == 0 else { throw .unreadable(path, EffectStoreFault.words(errno)) }
        func opened(_ access: Connection.Access, _ hold: ReadingHold) throws(EffectStoreFault) -> (Connection, ReadingHold) {
            try hold.reading { () throws(EffectStoreFault) in
                let connection = try Connection(file, path: path, access)
                guard case .store = try schema.find(in: connection) else {
                    throw HostLock.isMarked(file) ? .emptied(path) : .foreign(path, "the file is empty: no host has used it yet")
                }
                return (connection, hold)
            }
        }
        switch try HostLock.reader(of: file, path: path) {
        case .besideHost: return try opened(.reading, ReadingHold())
        // A host that was killed has left its log; it is read, which needs the index of the log.
        case .atRest(let lock): return try opened(hasLog(file) ? .reading : .readingAtRest, ReadingHold(lock))
        case .unlocked:
            // As long as a host runs there is a log, if an empty one, and SQLite's own locks go with it.
            if access("\(file)-wal", F_OK) == 0 {
                do throws(EffectStoreFault) {
                    return try opened(.reading, ReadingHold())
                } catch {
                    // One that nobody can use does not matter when nothing is in it.
                    guard !hasLog(file), error.code == .readOnly || error.code == .full else { throw error }
                }
            }
            let resting = try RestingFile(file, path: path)
            return hasLog(file)
                ? try opened(.reading, ReadingHold()) : try opened(.readingAtRest, ReadingHold(resting: resting))
        }
    }

    /// Looks through the pages. Fast, because values are not compared with their indices.
    static func check(_ connection: Connection) throws(EffectStoreFault) {
        let answer = try connection.row("PRAGMA quick_check(1)") { (row) throws(EffectStoreFault) in row.text(0) }
        guard answer == "ok" else { throw .damaged(connection.path, "its pages do not fit together") }
    }

    private static func size(of connection: Connection) throws(EffectStoreFault) -> Int64 {
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        return pages * (try connection.integer("PRAGMA page_size") ?? 4096)
    }

    private static func isEmpty(_ file: String) -> Bool {
        var status = stat()
        return stat(file, &status) == 0 && status.st_size == 0
    }

    private static func hasLog(_ file: String) -> Bool {
        var status = stat()
        return stat("\(file)-wal", &status) == 0 && status.st_size > 0
    }

    /// It tells of people: a new one is its owner's alone. SQLite makes the files beside it as this one is.
    private static func make(_ file: String, path: String) throws(EffectStoreFault) {
        let made = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 {
            close(made)
        } else if errno != EEXIST {
            throw .refused(path, errno)
        }
    }

    /// The file that a path names, also where it is not there yet: two names of one store have one lock.
    static func behindLinks(_ path: String) throws(EffectStoreFault) -> String {
        if let real = resolved(path) { return try regular(real, path) }
        guard errno == ENOENT else { throw .refused(path, errno) }
        var status = stat()
        guard lstat(path, &status) != 0 else { throw .deadLink(path) }
        let cut = path.lastIndex(of: "/")
        let folder = cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = cut.map { String(path[path.index(after: $0)...]) } ?? path
        guard !name.isEmpty, let real = resolved(folder) else { throw .refused(path, name.isEmpty ? EISDIR : errno) }
        return real == "/" ? "/\(name)" : "\(real)/\(name)"
    }

    private static func regular(_ file: String, _ path: String) throws(EffectStoreFault) -> String {
        var status = stat()
        guard stat(file, &status) == 0 else { throw .refused(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .foreign(path, "it is not a file") }
        return file
    }

    private static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
