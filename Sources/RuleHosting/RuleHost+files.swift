// The files of an app, edited by people who are elsewhere. A change is a save in the folder: the watch sees it, and what is saved comes into
// force or is refused like any other. All of it asks the disk, so not for a thread that must not wait.
public import EffectStore
import PushMessage
public import RuleStore

extension RuleHost {
    public func files(of app: String) throws(HostProblem) -> [AppFiles.Entry] {
        let files = try appFiles(app)
        do throws(StoreFault) { return try files.list() } catch { throw HostProblem(error) }
    }

    public func file(_ path: AppFilePath, of app: String) throws(HostProblem) -> [UInt8] {
        let files = try appFiles(app)
        do throws(StoreFault) { return try files.read(path) } catch { throw HostProblem(error) }
    }

    /// Bytes that a file may have.
    public func limit(of path: AppFilePath) -> Int { AppFiles(of: "", in: rules).limit(of: path) }

    /// What is said of a file that has more.
    public func tooLarge(_ path: AppFilePath, of app: String) -> HostProblem { HostProblem(AppFiles(of: app, in: rules).tooLarge(path)) }

    /// With a line in the audit, which is there before anybody sees the change.
    /// - Parameter bytes: nil: the file is to go.
    public func change(
        _ path: AppFilePath, of app: String, to bytes: [UInt8]?, expecting: FileExpectation, _ deed: Deed
    ) throws(HostProblem) {
        let files = try appFiles(app)
        let result: Result<Void, HostProblem> = edits.withLock { _ in
            do throws(HostProblem) {
                try carryOut(files, path, app, bytes, expecting, deed)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func carryOut(
        _ files: AppFiles, _ path: AppFilePath, _ app: String, _ bytes: [UInt8]?, _ expecting: FileExpectation, _ deed: Deed
    ) throws(HostProblem) {
        var change: FileChange
        do throws(StoreFault) {
            change = try files.change(path, to: bytes, expecting: expecting)
        } catch {
            throw HostProblem(error)
        }
        let subject = "file \(path) \(bytes.map { FileDigest(of: $0).description } ?? "gone")"
        do throws(EffectStoreFault) {
            try keeping.note(app: app, deed, action: bytes == nil ? "file_delete" : "file_write", subject: subject)
        } catch {
            throw HostProblem(error)
        }
        library.saves.note(path, bytes, of: app, by: deed)
        do throws(StoreFault) {
            try change.finish()
        } catch {
            if !change.isMade {
                library.saves.takeBack(path, of: app, by: deed)
                takeBack(app, deed, bytes == nil ? "file_not_deleted" : "file_not_written", subject)
            }
            throw HostProblem(error)
        }
    }

    /// Lines of the audit stay; what was announced and not done has one more.
    private func takeBack(_ app: String, _ deed: Deed, _ action: String, _ subject: String) {
        do throws(EffectStoreFault) {
            try keeping.note(app: app, deed, action: action, subject: subject)
        } catch {
            // Whoever wanted the change is told why it was not made; that the store takes nothing either is told of every message.
        }
    }

    /// Whose folder is there.
    private func appFiles(_ app: String) throws(HostProblem) -> AppFiles {
        guard rules.hasFolder(of: app) else { throw .unknownApp(app) }
        return AppFiles(of: app, in: rules)
    }
}
