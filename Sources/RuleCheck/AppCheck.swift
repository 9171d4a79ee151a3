// Looks at one app with all checks. Called by `rulehost check`; reads the app's files and runs its cases, and writes
// nothing. What it finds depends on the files and on `now` alone.
public import PushMessage
import RuleEngine
public import RuleStore

public enum AppCheck {
    /// - Parameters:
    ///   - luacheck: what luacheck says of the app's files.
    ///   - ignored: codes that are not looked for.
    ///   - now: rules that are over by then are told.
    /// - Returns: in reading order; of very many as many as `Findings.most`, errors first, and the last says how many more there are.
    public static func run(
        _ app: String, in folder: RulesFolder, checks: [Check] = Check.all, luacheck: [LuacheckRemark] = [], ignored: [String] = [],
        now: Instant
    ) throws(StoreFault) -> [Finding] {
        let files = try folder.files(of: app)
        let misplaced = try folder.misplacedFiles(of: app)
        let outcome = RulesetLoader.load(app: app, files: files)
        let cases = try CheckedCases(of: app, in: folder, files: files, outcome)
        let checked = CheckedApp(
            app, files: files, outcome: outcome, cases: cases, misplaced: misplaced, luacheck: luacheck, now: now)
        return run(checks, on: checked, ignored: ignored)
    }

    static func run(_ checks: [Check], on app: CheckedApp, ignored: [String] = []) -> [Finding] {
        var found: [Finding] = []
        var places: Set<Place> = []
        var untold = 0
        for check in checks {
            var findings = Findings(app: app.name, check: check, ignored: ignored)
            check.look(app, &findings)
            untold += findings.untold
            // What keeps the app from loading is told first, and once.
            found += findings.all.filter { finding in Place(finding).map { places.insert($0).inserted } ?? true }
        }
        return told(found, beside: untold)
    }

    /// No warning takes the place of an error.
    private static func told(_ found: [Finding], beside untold: Int) -> [Finding] {
        let (errors, warnings) = (found.filter { $0.severity == .error }, found.filter { $0.severity != .error })
        let kept = errors.sorted(by: Finding.areInReadingOrder) + warnings.sorted(by: Finding.areInReadingOrder)
        var told = kept.prefix(Findings.most).sorted(by: Finding.areInReadingOrder)
        let rest = kept.count - told.count + untold
        if rest > 0, let last = told.popLast() { told.append(last.followed(by: rest)) }
        return told
    }

    /// The same code at the same place is the same mistake, whatever two checks say of it.
    private struct Place: Hashable {
        let code: String
        let file: String
        let line: Int
        let column: Int

        /// nil: it is about the whole file or line.
        init?(_ finding: Finding) {
            guard finding.line > 0, finding.column > 0 else { return nil }
            (code, file, line, column) = (finding.code, finding.file, finding.line, finding.column)
        }
    }
}
