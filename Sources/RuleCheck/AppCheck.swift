// Looks at one app with all checks. Called by `rulehost check`; reads the app's files and runs its cases, and writes
// nothing. What it finds depends on the files and on `now` alone.
public import PushMessage
import RuleEngine
public import RuleStore

public enum AppCheck {
    /// - Parameters:
    ///   - luacheck: what luacheck says of the app's files.
    ///   - now: rules that are over by then are told.
    /// - Returns: in reading order.
    public static func run(
        _ app: String, in folder: RulesFolder, checks: [Check] = Check.all, luacheck: [LuacheckRemark] = [], now: Instant
    ) throws(StoreFault) -> [Finding] {
        let files = try folder.files(of: app)
        let misplaced = try folder.misplacedFiles(of: app)
        let outcome = RulesetLoader.load(app: app, files: files)
        let cases = try CheckedCases(of: app, in: folder, files: files, outcome)
        let checked = CheckedApp(
            app, files: files, outcome: outcome, cases: cases, misplaced: misplaced, luacheck: luacheck, now: now)
        return run(checks, on: checked)
    }

    static func run(_ checks: [Check], on app: CheckedApp) -> [Finding] {
        var found: [Finding] = []
        var places: Set<Place> = []
        for check in checks {
            var findings = Findings(app: app.name, check: check)
            check.look(app, &findings)
            // What keeps the app from loading is told first, and once.
            found += findings.all.filter { finding in Place(finding).map { places.insert($0).inserted } ?? true }
        }
        return found.sorted(by: Finding.areInReadingOrder)
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
