// The findings of one app as the reports need them: with the path of each file as a person writes it, and its text.
import RuleCheck
import RuleReference
import RuleStore

struct CheckedReport {
    struct Entry {
        let finding: Finding
        /// "rules/chat/banner.lua"
        let path: String
        let excerpt: Excerpt?
        /// "docs/findings/unknown_field.md"
        let page: String
    }

    let app: String
    let entries: [Entry]

    init(app: String, findings: [Finding], folder: RulesFolder) {
        self.app = app
        var texts: [String: [UInt8]] = [:]
        entries = findings.map { finding in
            let path = AppLoading.path(of: finding.file, app: app, in: folder.path)
            let text = texts[path] ?? CheckedReport.text(of: path)
            texts[path] = text
            return Entry(
                finding: finding, path: path, excerpt: Excerpt(of: text, line: finding.line, column: finding.column),
                page: FindingEntry.page(of: finding.code))
        }
    }

    /// Of a file that has just been read by somebody else. Without it there is no excerpt, and no harm.
    private static func text(of path: String) -> [UInt8] {
        do throws(CommandFault) {
            return try InputSource.file(path).bytes(limit: 4 << 20)
        } catch {
            return []
        }
    }

    var errors: Int { entries.count { $0.finding.severity == .error } }
    var warnings: Int { entries.count { $0.finding.severity == .warning } }
}

extension CheckedReport.Entry {
    /// "rules/chat/banner.lua:12:3"
    var place: String {
        guard finding.line > 0 else { return path }
        return finding.column > 0 ? "\(path):\(finding.line):\(finding.column)" : "\(path):\(finding.line)"
    }
}
