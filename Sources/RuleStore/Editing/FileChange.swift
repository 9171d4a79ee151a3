// A change of one file of an app that is ready and not seen yet. Whoever has it may write down what he is about to do, and then finishes
// it; when it is let go of before that, nothing has happened.
import Glibc

public struct FileChange: ~Copyable {
    private let files: AppFiles
    private let path: AppFilePath
    private let handle: FolderHandle
    /// nil: the file is to go, or has taken its place.
    private var temporary: String?
    private let expecting: FileExpectation
    private let removes: Bool
    /// Others see it.
    public private(set) var isMade = false

    init(_ files: AppFiles, _ path: AppFilePath, _ handle: consuming FolderHandle, temporary: String?, expecting: FileExpectation) {
        self.files = files
        self.path = path
        self.handle = handle
        self.temporary = temporary
        self.expecting = expecting
        removes = temporary == nil
    }

    deinit { if let temporary { handle.remove(temporary) } }

    /// Looks once more at what is there. When it throws, nothing has happened, but where `isMade` says otherwise.
    public mutating func finish() throws(StoreFault) {
        do throws(FileBytes.Failure) {
            if expecting != .absent { try files.check(handle, path, expecting) }
            if removes {
                try handle.unlink(path.name)
            } else if let temporary {
                try handle.move(temporary, to: path.name, replaces: expecting != .absent)
                self.temporary = nil
            }
            isMade = true
            try handle.sync()
        } catch {
            if error == .system(EEXIST) { throw files.changed(path, "it is there already") }
            throw files.notWritten(error, path)
        }
    }
}
