// The names in one folder, sorted by bytes, with what each of them is. Links are followed.
import Glibc

enum FolderListing {
    enum Kind: Equatable { case file, folder, other }
    struct Entry: Equatable {
        let name: String
        let kind: Kind
    }

    /// Without hidden entries. Throws the system's errno.
    static func entries(of path: String) throws(FileBytes.Failure) -> [Entry] {
        guard let folder = opendir(path) else { throw .system(errno) }
        defer { closedir(folder) }
        var entries: [Entry] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") {
                let kind = kind(of: entry.pointee.d_type) ?? kind(of: "\(path)/\(name)")
                entries.append(Entry(name: name, kind: kind))
            }
            errno = 0
        }
        guard errno == 0 else { throw .system(errno) }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// What the listing itself says; nil for links and where a file system does not say.
    private static func kind(of type: UInt8) -> Kind? {
        switch Int(type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .folder
        case Int(DT_LNK), Int(DT_UNKNOWN): nil
        default: .other
        }
    }

    private static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .other }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }
}
