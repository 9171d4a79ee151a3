// What a draft would decide: files that are not saved anywhere, asked as a request is asked, on what is remembered; nothing of it is kept.
// For editors. Done beside the threads that decide.
import RuleEngine
import RuleStore

/// A file of an app's folder as somebody has it before him.
public struct DraftFile: Sendable, Equatable {
    /// Relative to the app's folder.
    public var path: String
    /// nil: the file is not there.
    public var bytes: [UInt8]?

    public init(path: String, bytes: [UInt8]?) {
        self.path = path
        self.bytes = bytes
    }
}

extension RuleHost {
    /// - Parameters:
    ///   - files: in place of those that the folder holds; others stay as they are there. The app need not be there.
    ///   - options: always a dry run.
    ///   - done: called once, on another thread. Rules that do not load are a problem with their faults, of status 422.
    public func tryOut(
        app: String, files drafts: [DraftFile], body: [UInt8], options: DecideOptions = DecideOptions(),
        _ done: @escaping @Sendable (HostAnswer) -> Void
    ) {
        library.tryOut(app) { library in
            do throws(HostProblem) {
                let files = try library.files(of: app, with: drafts)
                done(try library.decide(app, files, body, options))
            } catch {
                done(HostAnswer(tag: 0, error))
            }
        }
    }
}

extension RuleLibrary {
    /// Of the folder, with drafts in their places.
    func files(of app: String, with drafts: [DraftFile]) throws(HostProblem) -> [SourceFile] {
        guard RulesFolder.isAppName(app) else { throw .unknownApp(app) }
        var files: [SourceFile] = []
        do throws(StoreFault) {
            files = try workshop.read(app).files
        } catch {
            // An app that is about to be made.
            guard error.code == .appUnknown else { throw HostProblem([AppFault(error, app: app)]) }
        }
        files.removeAll { file in drafts.contains { $0.path == file.path } }
        return files + drafts.compactMap { draft in draft.bytes.map { SourceFile(path: draft.path, bytes: $0) } }
    }

    /// On what is kept, not on what is on its way there.
    fileprivate func decide(
        _ app: String, _ files: [SourceFile], _ body: [UInt8], _ options: DecideOptions
    ) throws(HostProblem) -> HostAnswer {
        let rules: RulesInUse
        do throws(AppFaults) {
            rules = try workshop.make(app, files).get()
        } catch {
            var problem = HostProblem(error.all)
            problem.status = 422
            problem.retryAfter = nil
            throw problem
        }
        var options = options
        options.isDryRun = true
        let ask = Ask(DecideRequest(app: app, body: body, options: options), CallingBack { _ in })
        let memory = AppMemory(app, keeping: keeping, list: HotList(most: 1, bytes: 0))
        guard let decided = rules.decide([ask], on: memory, now: clock()).first else { throw .closing }
        return decided.answer(to: decided.ask)
    }
}
