// Whether a file may be the store of a host, by its name and what the system says of it, before anything is made beside it. Called
// by StoreFile for hosts and by Backup for its target.
import Glibc

enum StoreName {
    /// What SQLite puts behind the name of a file for the files beside it, and what we do.
    private static let parts = ["-wal", "-shm", "-journal"]
    private static let lock = ".lock"
    /// Bytes of the longest name that leaves room for those of the files beside it, and of the longest path that SQLite opens with them.
    private static let (longestName, longestPath) = (240, 500)

    /// Beside a new file these would be taken for parts of it.
    static func leftBeside(_ file: String) -> String? { parts.first { access("\(file)\($0)", F_OK) == 0 } }

    /// The end of a name that files beside a store have.
    static func part(_ file: String) -> String? { (parts + [lock]).first { file.hasSuffix($0) } }

    static func isTooLong(_ file: String) -> Bool {
        let name = file.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }
        return name.count > longestName || file.utf8.count > longestPath
    }

    static let tooLong = "the path is too long: with its folders at most \(longestPath) bytes, the name at most \(longestName)"

    static func checkForHost(_ file: String, path: String) throws(EffectStoreFault) {
        guard !isTooLong(file) else { throw .failed(path, tooLong) }
        var status = stat()
        guard stat(file, &status) == 0 else {
            guard let part = part(file) else { return }
            throw .foreign(path, "a file whose name ends in \(part) is a part of another store")
        }
        // Two names have two locks, and a copy that is a second name changes with the first.
        guard status.st_nlink < 2 else {
            throw .failed(path, "the file has \(status.st_nlink) names (hard links), and each would have a lock of its own: make a copy")
        }
        // SQLite makes files beside one that may only be read, with its rights.
        guard faccessat(AT_FDCWD, file, W_OK, AT_EACCESS) == 0 else { throw .refused(path, errno) }
    }
}
