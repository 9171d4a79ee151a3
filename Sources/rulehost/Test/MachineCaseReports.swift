// The reports of `rulehost test` for build servers: the Test Anything Protocol, version 13, and JUnit's XML. An app that does not load
// is in them as a case that fails: whoever reads only the report must not take it for one without cases.
import RuleEngine

/// What keeps an app from loading, as a case that failed.
struct UnloadedApp {
    let app: String
    let faults: [RuleFaultPlace]

    static let name = "the app loads"

    /// One app after the other.
    static func list(_ faults: [(app: String, fault: RuleFaultPlace)]) -> [UnloadedApp] {
        var apps: [UnloadedApp] = []
        for (app, fault) in faults {
            if let last = apps.last, last.app == app {
                apps[apps.count - 1] = UnloadedApp(app: app, faults: last.faults + [fault])
            } else {
                apps.append(UnloadedApp(app: app, faults: [fault]))
            }
        }
        return apps
    }

    var place: String { UnloadedApp.place(faults[0]) }

    var problems: [String] {
        faults.map { "\(UnloadedApp.place($0)): \($0.fault.message) [\($0.code)]" + ($0.fault.hint.map { "; hint: \($0)" } ?? "") }
    }

    private static func place(_ place: RuleFaultPlace) -> String {
        place.fault.line > 0 ? "\(place.path):\(place.fault.line):\(place.fault.column)" : place.path
    }
}

enum TapReport {
    static func text(_ reports: [AppReport], _ unloaded: [UnloadedApp]) -> String {
        let lines = reports.flatMap { report in report.lines.map { (report.app, $0) } }
        var text = "TAP version 13\n1..\(unloaded.count + lines.count)\n"
        for (index, app) in unloaded.enumerated() {
            text += "not ok \(index + 1) - \(name(app.app, UnloadedApp.name))\n" + details(app.place, app.problems)
        }
        for (index, (app, line)) in lines.enumerated() {
            text += "\(line.isGood ? "ok" : "not ok") \(unloaded.count + index + 1) - \(name(app, line.name ?? line.file))\n"
            if !line.isGood { text += details(line.place, line.problems) }
        }
        return text
    }

    /// A number sign would begin a directive.
    private static func name(_ app: String, _ name: String) -> String {
        "\(app): \(name)".printable.map { $0 == "#" ? "\\#" : String($0) }.joined()
    }

    private static func details(_ place: String, _ problems: [String]) -> String {
        "  ---\n  at: \(quoted(place))\n  problems:\n" + problems.map { "    - \(quoted($0))\n" }.joined() + "  ...\n"
    }

    /// A YAML text in single quotes, in which only the quote itself is special.
    private static func quoted(_ text: String) -> String {
        "'" + text.printable.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
    }
}

enum JUnitReport {
    static func text(_ reports: [AppReport], _ unloaded: [UnloadedApp]) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites\(counts(reports.flatMap(\.lines), unloaded.count))>\n"
        for app in unloaded {
            text += "  <testsuite name=\"\(attribute(app.app))\"\(counts([], 1))>\n"
            text += "    <testcase classname=\"\(attribute(app.app))\" name=\"\(UnloadedApp.name)\"" + failure(app.place, app.problems)
            text += "  </testsuite>\n"
        }
        for report in reports {
            text += "  <testsuite name=\"\(attribute(report.app))\"\(counts(report.lines, 0))>\n"
            for line in report.lines {
                let name = attribute(line.name ?? line.file)
                text += "    <testcase classname=\"\(attribute("\(report.app).\(line.file)"))\" name=\"\(name)\""
                text += line.isGood ? "/>\n" : failure(line.place, line.problems)
            }
            text += "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }

    private static func failure(_ place: String, _ problems: [String]) -> String {
        ">\n      <failure message=\"\(attribute(problems[0]))\">\(escaped(place))\n\(escaped(problems.joined(separator: "\n")))</failure>\n"
            + "    </testcase>\n"
    }

    private static func counts(_ lines: [AppReport.Line], _ unloaded: Int) -> String {
        " tests=\"\(lines.count + unloaded)\" failures=\"\(lines.filter { !$0.isGood }.count + unloaded)\""
    }

    /// On one line: a build server may take what a line begins with for a command.
    private static func attribute(_ text: String) -> String { escaped(text.printable) }

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
                // The commands of GitHub's workflows, which look for them in whatever is printed.
                .replacing("::", with: "&#58;:").replacing("##[", with: "&#35;#[")
        }.joined(separator: "\n")
    }
}
