// The reports of `rulehost test` for build servers: the Test Anything Protocol, version 13, and JUnit's XML.

enum TapReport {
    static func text(_ reports: [AppReport]) -> String {
        let lines = reports.flatMap { report in report.lines.map { (report.app, $0) } }
        var text = "TAP version 13\n1..\(lines.count)\n"
        for (index, (app, line)) in lines.enumerated() {
            // A number sign would begin a directive.
            let name = "\(app): \(line.name ?? line.file)".printable.map { $0 == "#" ? "\\#" : String($0) }.joined()
            text += "\(line.isGood ? "ok" : "not ok") \(index + 1) - \(name)\n"
            guard !line.isGood else { continue }
            text += "  ---\n  at: \(quoted(line.place))\n  problems:\n"
            for problem in line.problems { text += "    - \(quoted(problem))\n" }
            text += "  ...\n"
        }
        return text
    }

    /// A YAML text in single quotes, in which only the quote itself is special.
    private static func quoted(_ text: String) -> String {
        "'" + text.printable.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
    }
}

enum JUnitReport {
    static func text(_ reports: [AppReport]) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites\(counts(reports.flatMap(\.lines)))>\n"
        for report in reports {
            text += "  <testsuite name=\"\(escaped(report.app))\"\(counts(report.lines))>\n"
            for line in report.lines {
                let name = escaped(line.name ?? line.file)
                text += "    <testcase classname=\"\(escaped("\(report.app).\(line.file)"))\" name=\"\(name)\""
                guard !line.isGood else {
                    text += "/>\n"
                    continue
                }
                let problems = line.problems.joined(separator: "\n")
                text += ">\n      <failure message=\"\(escaped(line.problems[0]))\">"
                text += "\(escaped(line.place))\n\(escaped(problems))</failure>\n    </testcase>\n"
            }
            text += "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }

    private static func counts(_ lines: [AppReport.Line]) -> String {
        " tests=\"\(lines.count)\" failures=\"\(lines.filter { !$0.isGood }.count)\""
    }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line).printable.map { character in
                switch character {
                case "&": "&amp;"
                case "<": "&lt;"
                case ">": "&gt;"
                case "\"": "&quot;"
                // XML has no such characters, however they are written.
                case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
                default: String(character)
                }
            }.joined()
        }.joined(separator: "\n")
    }
}
