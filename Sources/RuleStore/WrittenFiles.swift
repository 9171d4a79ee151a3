// Files that verbs make for people: cases laid out anew, a new app, settings of editors. Whole or not at all.
import Glibc

public enum WrittenFiles {
    /// Bytes of a file that is compared or laid out.
    private static let largest = 256 << 20

    /// nil when there is no file that can be read.
    public static func content(of path: String) -> [UInt8]? {
        do {
            return try FileBytes.read(path, limit: largest)
        } catch {
            return nil
        }
    }

    /// Whether anything has that name, also a link that leads nowhere.
    public static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Replaces a file, or makes it and the folders above it.
    public static func write(_ bytes: [UInt8], to path: String) throws(StoreFault) {
        let isNew = !isThere(path)
        if isNew { try makeFolders(above: path) }
        do {
            try FileBytes.replace(path, with: bytes)
        } catch {
            throw notWritten(path, error.systemReason ?? "it is not a file")
        }
        // What people share is readable as any new file of theirs; replace makes its files their owner's alone.
        if isNew {
            let mask = umask(0)
            umask(mask)
            guard chmod(path, 0o666 & ~mask) == 0 else { throw notWritten(path, StoreFault.reason(errno)) }
        }
    }

    private static func makeFolders(above path: String) throws(StoreFault) {
        var folder = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/").dropLast() {
            folder += part + "/"
            if mkdir(folder, 0o777) != 0, errno != EEXIST, errno != EISDIR { throw notWritten(folder, StoreFault.reason(errno)) }
        }
    }

    private static func notWritten(_ path: String, _ reason: String) -> StoreFault {
        StoreFault(.fileNotWritten, path: path, message: "it cannot be written: \(reason)")
    }
}
