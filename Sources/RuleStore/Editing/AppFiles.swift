// The files of an app for whoever edits them from afar: listed, read, and changed by somebody who says what he has seen. A change is whole or
// not there, also after a crash; of two who have seen the same, one is refused. What the files mean is not looked at: a save is a save.
import Glibc
import RuleEngine

public struct AppFiles: Sendable {
    public struct Entry: Sendable {
        public let path: AppFilePath
        public let size: Int
        /// Edited where it leads.
        public let isLink: Bool
        /// nil: a link, or a file that cannot be read: it is too large, or not for whoever runs this.
        public let digest: FileDigest?
    }

    let folder: RulesFolder
    let app: String
    private static let deepest = 8

    public init(of app: String, in folder: RulesFolder) {
        self.app = app
        self.folder = folder
    }

    /// Bytes that a file may have.
    public func limit(of path: AppFilePath) -> Int { path.isCases ? RulesFolder.largestCases : folder.limits.fileBytes }

    // MARK: reading

    /// Sorted by path.
    public func list() throws(StoreFault) -> [Entry] {
        var entries: [Entry] = []
        try visit { (handle, path, status) throws(FileBytes.Failure) in
            if status.st_mode & S_IFMT == S_IFLNK { return entries.append(Entry(path: path, size: 0, isLink: true, digest: nil)) }
            do throws(FileBytes.Failure) {
                let bytes = try handle.read(path.name, limit: limit(of: path))
                entries.append(Entry(path: path, size: bytes.count, isLink: false, digest: FileDigest(of: bytes)))
            } catch {
                // One such file hides no other.
                guard error == .tooLarge || error == .system(EACCES) else { throw error }
                entries.append(Entry(path: path, size: Int(status.st_size), isLink: false, digest: nil))
            }
        }
        return entries
    }

    public func read(_ path: AppFilePath) throws(StoreFault) -> [UInt8] {
        do throws(FileBytes.Failure) {
            return try open(path, makes: false).read(path.name, limit: limit(of: path))
        } catch {
            throw fault(error, path)
        }
    }

    // MARK: changing

    /// Gets everything ready; nobody sees it before it is finished.
    /// - Parameter bytes: nil: the file is to go.
    public func change(_ path: AppFilePath, to bytes: [UInt8]?, expecting: FileExpectation) throws(StoreFault) -> FileChange {
        do throws(FileBytes.Failure) {
            let handle = try open(path, makes: false)
            try check(handle, path, expecting)
        } catch {
            if expecting == .absent, error == .system(ESTALE) { throw changed(path, "it is there already") }
            guard error.isMissingFile, bytes != nil else { throw notWritten(error, path) }
            guard expecting == .absent else { throw changed(path, "it is not there") }
        }
        if let bytes { try checkLimits(path, bytes.count) }
        do throws(FileBytes.Failure) {
            let handle = try open(path, makes: bytes != nil)
            let temporary = if let bytes { try handle.writeBeside(path.name, bytes) } else { String?.none }
            return FileChange(self, path, handle, temporary: temporary, expecting: expecting)
        } catch {
            throw notWritten(error, path)
        }
    }

    func check(_ handle: borrowing FolderHandle, _ path: AppFilePath, _ expecting: FileExpectation) throws(FileBytes.Failure) {
        guard expecting.fits(try digest(handle, path)) else { throw .system(ESTALE) }
    }

    /// nil: nobody can have read the file as a whole; it may still be put right.
    private func digest(_ handle: borrowing FolderHandle, _ path: AppFilePath) throws(FileBytes.Failure) -> FileDigest? {
        do throws(FileBytes.Failure) {
            return FileDigest(of: try handle.read(path.name, limit: limit(of: path)))
        } catch {
            guard error == .tooLarge else { throw error }
            return nil
        }
    }

    /// What others have written since then is the loader's to refuse.
    private func checkLimits(_ path: AppFilePath, _ size: Int) throws(StoreFault) {
        let full = place(path)
        guard size <= limit(of: path) else { throw tooLarge(path) }
        guard path.kind == .lua else { return }
        var (bytes, files) = (size, 1)
        try visit { (_, other, status) throws(FileBytes.Failure) in
            guard other.kind == .lua, other != path else { return }
            bytes += Int(status.st_size)
            files += 1
        }
        guard files <= folder.limits.files else {
            throw StoreFault(.tooManyFiles, path: full, message: "the app would have more than \(folder.limits.files) Lua files")
        }
        guard bytes <= folder.limits.bytes else {
            throw StoreFault(
                .appTooLarge, path: full, message: "the app's Lua files would have more than \(folder.limits.bytes) bytes together")
        }
    }

    // MARK: folders

    private func open(_ path: AppFilePath, makes: Bool) throws(FileBytes.Failure) -> FolderHandle {
        var handle = try FolderHandle(path: folder.path).folder(app, makes: false)
        for name in path.folders { handle = try handle.folder(name, makes: makes) }
        return handle
    }

    private func visit(
        _ body: (borrowing FolderHandle, AppFilePath, stat) throws(FileBytes.Failure) -> Void
    ) throws(StoreFault) {
        do throws(FileBytes.Failure) {
            try visit(FolderHandle(path: folder.path).folder(app, makes: false), [], body)
        } catch {
            throw fault(error, nil)
        }
    }

    private func visit(
        _ handle: borrowing FolderHandle, _ segments: [String],
        _ body: (borrowing FolderHandle, AppFilePath, stat) throws(FileBytes.Failure) -> Void
    ) throws(FileBytes.Failure) {
        for name in try handle.names() {
            guard let status = handle.status(name) else { continue }
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR {
                guard segments.isEmpty ? ["cases", "lib"].contains(name) : segments.count <= AppFiles.deepest else { continue }
                try visit(handle.folder(name, makes: false), segments + [name], body)
            } else if kind == S_IFREG || kind == S_IFLNK, let path = AppFilePath(segments + [name]) {
                do throws(FileBytes.Failure) {
                    try body(handle, path, status)
                } catch {
                    // It has just gone.
                    guard error.isMissingFile else { throw error }
                }
            }
        }
    }

    // MARK: words

    /// Of a file that is to be written.
    public func tooLarge(_ path: AppFilePath) -> StoreFault {
        StoreFault(
            .fileTooLarge, path: place(path), message: "the file has more than the \(limit(of: path)) bytes that are allowed",
            hint: "split it into several files")
    }

    func place(_ path: AppFilePath?) -> String { "\(folder.path)/\(app)\(path.map { "/\($0)" } ?? "")" }

    func changed(_ path: AppFilePath, _ how: String) -> StoreFault {
        StoreFault(
            .fileChanged, path: place(path), message: "\(path) is not what was expected: \(how)",
            hint: "read it again, and make the change there")
    }

    func fault(_ failure: FileBytes.Failure, _ path: AppFilePath?) -> StoreFault {
        let name = path?.description ?? "the folder"
        switch failure {
        case .system(ESTALE): return changed(path ?? .manifest, "it holds something else")
        case .system(ENOENT):
            return StoreFault(
                .fileUnknown, path: place(path), message: "the app has no file \(name)", hint: "GET …/files lists those that it has")
        case .system(ELOOP):
            return StoreFault(
                .fileLinked, path: place(path), message: "\(name) is a link, or stands behind one",
                hint: "change the file that it leads to, where that stands")
        case .system(let code):
            return StoreFault(.fileUnreadable, path: place(path), message: "\(name) cannot be read: \(StoreFault.reason(code))")
        case .notAFile: return StoreFault(.fileUnreadable, path: place(path), message: "\(name) is not a file")
        case .tooLarge:
            return StoreFault(
                .fileTooLarge, path: place(path),
                message: "\(name) has more than \(path.map { "the \(limit(of: $0)) bytes" } ?? "the bytes") that are allowed",
                hint: "put a shorter one in its place, whatever it holds, or remove it: If-Match: *")
        }
    }

    func notWritten(_ failure: FileBytes.Failure, _ path: AppFilePath) -> StoreFault {
        guard case .system(let code) = failure, ![ESTALE, ENOENT, ELOOP].contains(code) else { return fault(failure, path) }
        let hint =
            switch code {
            case EACCES, EPERM, EROFS: "the app's folder must be writable for whoever runs rulehost"
            case ENOSPC, EDQUOT: "make room on the disk, and save again"
            default: nil as String?
            }
        return StoreFault(
            .fileNotWritten, path: place(path), message: "\(path) cannot be written: \(StoreFault.reason(code))", hint: hint)
    }
}

/// What somebody believes that a file holds before he changes it.
public enum FileExpectation: Sendable, Equatable {
    /// There is none.
    case absent
    /// Whatever it is.
    case anything
    case oneOf([String])

    /// - Parameter digest: nil: of a file that nobody can have read.
    func fits(_ digest: FileDigest?) -> Bool {
        switch self {
        case .absent: false
        case .anything: true
        case .oneOf(let digests): digest.map { digests.contains($0.description) } ?? false
        }
    }
}
