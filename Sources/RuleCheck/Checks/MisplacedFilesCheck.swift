// Files that look like rules, texts or cases and stand where nobody reads them.
import RuleStore

extension Check {
    static let misplacedFile = Check("misplaced_file", .warning) { app, findings in
        for file in app.misplaced {
            // The finding names files as they stand in the app's folder.
            let inner = file.path.split(separator: "/\(app.name)/", maxSplits: 1).last.map(String.init) ?? file.path
            findings.tell(inner, 0, 0, "nobody reads this file", hint: file.advice)
        }
    }
}
