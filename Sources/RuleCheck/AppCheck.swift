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
        var found: [Finding] = []
        for check in checks {
            var findings = Findings(app: app, check: check)
            check.look(checked, &findings)
            // What keeps the app from loading is told first, and once.
            for finding in findings.all where !found.contains(where: { $0.isSamePlace(as: finding) && $0.code == finding.code }) {
                found.append(finding)
            }
        }
        return found.sorted(by: Finding.areInReadingOrder)
    }
}

extension Finding {
    fileprivate func isSamePlace(as other: Finding) -> Bool {
        file == other.file && line == other.line && column == other.column && line > 0 && column > 0
    }
}
