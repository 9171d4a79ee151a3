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
            if !name.hasPrefix(".") { entries.append(Entry(name: name, kind: kind(of: "\(path)/\(name)"))) }
            errno = 0
        }
        guard errno == 0 else { throw .system(errno) }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
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
