// What a draft would decide: files that are not saved anywhere, asked as a request is asked, on what is remembered, and held against cases;
// nothing of it is kept. For editors. Done beside the threads that decide.
import JSONDocument
import RuleEngine
import RuleLab
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

    /// Of cases, or of what they name.
    fileprivate var isOfCases: Bool { path.hasPrefix("cases/") }
}

/// Which cases a draft is held against.
public enum DraftCases: Sendable {
    case none
    /// Those among its files.
    case own
    /// All that the folder would have with it.
    case all
}

/// What is tried out.
public struct TrialWish: Sendable {
    /// In place of those that the folder holds; others stay as they are there.
    public var files: [DraftFile]
    /// As that of a decision; nil: cases alone.
    public var body: [UInt8]?
    public var cases: DraftCases

    public init(files: [DraftFile], body: [UInt8]?, cases: DraftCases = .own) {
        self.files = files
        self.body = body
        self.cases = cases
    }
}

extension RuleHost {
    /// - Parameters:
    ///   - app: need not be there.
    ///   - options: always a dry run.
    ///   - mayGoOn: asked on another thread, before the trial and before each case; once it says no, cases are given up. A trial that has
    ///     not begun by then is none: the problem is that the host is about to end.
    ///   - wish: called on another thread when it is the trial's turn, so that whoever has much to read reads it there; nil: nobody
    ///     wants it any more.
    ///   - done: called once, on another thread. Rules that do not load are a problem with their faults, of status 422.
    public func tryOut(
        app: String, options: DecideOptions = DecideOptions(), mayGoOn: @escaping @Sendable () -> Bool = { true },
        wish: @escaping @Sendable () throws(HostProblem) -> TrialWish?, _ done: @escaping @Sendable (HostAnswer) -> Void
    ) {
        library.tryOut(app) { library in
            do throws(HostProblem) {
                guard mayGoOn(), let wish = try wish() else { throw .closing }
                done(try library.tryOut(app, wish.files, wish.body, wish.cases, options, mayGoOn))
            } catch {
                done(HostAnswer(tag: 0, error))
            }
        }
    }
}

extension RuleLibrary {
    /// Milliseconds after which no further case is begun: others wait.
    private static let longestCases: Int64 = 10_000

    fileprivate func tryOut(
        _ app: String, _ drafts: [DraftFile], _ body: [UInt8]?, _ cases: DraftCases, _ options: DecideOptions,
        _ mayGoOn: () -> Bool
    ) throws(HostProblem) -> HostAnswer {
        let files = try files(of: app, with: drafts)
        let answer = try body.map { body throws(HostProblem) in try decide(app, files, body, options) }
        if let answer, answer.isProblem || !cases.areWanted(of: drafts) { return answer }
        let verdict = try held(app, files, against: try sources(cases, of: app, drafts), drafts, mayGoOn)
        return HostAnswer(tag: 0, status: 200, body: verdict.written(behind: answer?.body))
    }

    /// Of the folder, with drafts in their places.
    func files(of app: String, with drafts: [DraftFile]) throws(HostProblem) -> [SourceFile] {
        try saved(app) { (folder) throws(StoreFault) in try folder.files(of: app) }.with(drafts.filter { !$0.isOfCases })
    }

    private func sources(_ cases: DraftCases, of app: String, _ drafts: [DraftFile]) throws(HostProblem) -> [SourceFile] {
        let saved = cases == .all ? try saved(app) { (folder) throws(StoreFault) in try folder.cases(of: app) } : []
        return saved.with(drafts.filter { $0.isOfCases && $0.path.hasSuffix(".json") })
    }

    private func saved(
        _ app: String, _ read: (RulesFolder) throws(StoreFault) -> [SourceFile]
    ) throws(HostProblem) -> [SourceFile] {
        guard RulesFolder.isAppName(app) else { throw .unknownApp(app) }
        do throws(StoreFault) {
            return try read(workshop.folder)
        } catch {
            // An app that is about to be made.
            guard error.code == .appUnknown else { throw HostProblem([AppFault(error, app: app)]) }
            return []
        }
    }

    /// On what is kept, not on what is on its way there.
    private func decide(
        _ app: String, _ files: [SourceFile], _ body: [UInt8], _ options: DecideOptions
    ) throws(HostProblem) -> HostAnswer {
        let rules: RulesInUse
        do throws(AppFaults) { rules = try workshop.make(app, files).get() } catch { throw HostProblem(ofDraft: error.all) }
        var options = options
        options.isDryRun = true
        let ask = Ask(DecideRequest(app: app, body: body, options: options), CallingBack { _ in })
        let memory = AppMemory(app, keeping: keeping, list: HotList(most: 1, bytes: 0))
        guard let decided = rules.decide([ask], on: memory, now: clock()).first else { throw .closing }
        return decided.answer(to: decided.ask)
    }

    /// As a save would be, of what is remembered nothing.
    private func held(
        _ app: String, _ files: [SourceFile], against sources: [SourceFile], _ drafts: [DraftFile], _ mayGoOn: () -> Bool
    ) throws(HostProblem) -> CaseVerdict {
        let end = HostClock.ticks() + RuleLibrary.longestCases
        var isWhole = true
        let outcome = AppCases.run(
            app, files: files, cases: sources, beside: drafts.reduce(into: [:]) { $0[$1.path] = .some($1.bytes) }, in: workshop.folder,
            loading: workshop.load,
            mayGoOn: {
                isWhole = isWhole && HostClock.ticks() < end && !isClosed && mayGoOn()
                return isWhole
            })
        switch outcome {
        case .none: return CaseVerdict()
        case .rulesDoNotLoad(let faults, _): throw HostProblem(ofDraft: AppFaults(faults, files).all)
        case .ran(let results, let broken):
            let passed = results.count { $0.outcome == .passed }
            return CaseVerdict(
                passed: passed, failed: results.count - passed + broken.count, isWhole: isWhole,
                faults: AppFault.all(of: results, broken, in: sources))
        }
    }
}

/// What came of the cases of a draft.
private struct CaseVerdict {
    var passed = 0
    /// Files of cases that cannot be read, too.
    var failed = 0
    /// All of them have run.
    var isWhole = true
    var faults: [AppFault] = []

    /// - Parameter answer: a decision, which gets one member more; a journey, which becomes one; nil: nothing.
    func written(behind answer: [UInt8]?) -> [UInt8] {
        var writer = JSONWriter(reserving: 1_024)
        writer.beginObject()
        writer.member("passed", passed)
        writer.member("failed", failed)
        if !isWhole { writer.member("given_up", true) }
        writer.key("faults")
        AppFault.write(faults, into: &writer)
        writer.endObject()
        let member = Array("\"cases\":".utf8) + writer.bytes + [UInt8(ascii: "}")]
        guard let answer else { return [UInt8(ascii: "{")] + member }
        if answer.first == UInt8(ascii: "[") { return Array("{\"journey\":".utf8) + answer + [UInt8(ascii: ",")] + member }
        return answer.dropLast() + [UInt8(ascii: ",")] + member
    }
}

extension DraftCases {
    /// Whether there is anything to hold it against.
    public func areWanted(of drafts: [DraftFile]) -> Bool {
        switch self {
        case .none: false
        case .own: drafts.contains { $0.isOfCases && $0.bytes != nil }
        case .all: true
        }
    }
}

extension [SourceFile] {
    fileprivate func with(_ drafts: [DraftFile]) -> [SourceFile] {
        filter { file in !drafts.contains { $0.path == file.path } }
            + drafts.compactMap { draft in draft.bytes.map { SourceFile(path: draft.path, bytes: $0) } }
    }
}

extension HostProblem {
    /// Which its author has to put right, whenever it is sent again.
    init(ofDraft faults: [AppFault]) {
        self.init(faults)
        status = 422
        retryAfter = nil
    }
}
