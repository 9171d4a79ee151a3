// Coverage as a tracefile of lcov, for editors and build servers: lines as they are, rules as functions, which were called as often
// as they matched, and ways as branches on the line of their rule.
import RuleEngine
import RuleLab

enum LcovFile {
    static func text(of apps: [AppCoverage], in folder: String) -> String {
        var text = ""
        for app in apps {
            for file in app.own { text += record(file, AppLoading.path(of: file.path, app: app.app, in: folder)) }
        }
        for file in apps.shared { text += record(file, AppLoading.path(of: file.path, app: "", in: folder)) }
        return text
    }

    private static func record(_ file: FileCoverage, _ path: String) -> String {
        let rules = file.rules.filter { $0.standing != .disabled }
        var text = "TN:\nSF:\(path.printable)\n"
        for rule in rules { text += "FN:\(rule.line),\(name(of: rule))\n" }
        for rule in rules { text += "FNDA:\(rule.matched),\(name(of: rule))\n" }
        text += "FNF:\(rules.count)\nFNH:\(rules.count { $0.matched > 0 })\n"
        for rule in rules {
            for (block, ways) in rule.branches.enumerated() {
                // A block that was never come to is told from one whose other way was taken.
                let isReached = ways.contains { $0.taken > 0 }
                for (place, way) in ways.enumerated() {
                    text += "BRDA:\(rule.line),\(block),\(place),\(isReached ? "\(way.taken)" : "-")\n"
                }
            }
        }
        text += "BRF:\(file.branchCount.all)\nBRH:\(file.branchCount.covered)\n"
        for line in file.lines {
            if let hits = line.hits { text += "DA:\(line.number),\(hits)\n" }
        }
        return text + "LF:\(file.lineCount.all)\nLH:\(file.lineCount.covered)\nend_of_record\n"
    }

    /// A comma would end the number in front of it for readers that take a function's last line there.
    private static func name(of rule: RuleCoverage) -> String { rule.name.printable.replacing(",", with: ";") }
}
