// A test of the built program as text. A file holds many:
//
//     ## What must hold, as a sentence
//     + rules/shop/app.lua        a file to make first; its lines follow, each after "| "
//     | return { api = 1 }
//     < {"aps":{}}                a line of standard input
//     $ rulehost eval --app shop  the command, for bash; several lines are one script
//     > what stands on standard output
//     ! what stands on standard error
//     = 0                         the exit code
//
// Lines that begin with "# " are comments. A missing ">" or "!" means that nothing may stand there. The hash of a
// ruleset and a count of fuel are not compared: both change with files and machines that no case is about. With RULEHOST_UPDATE=1 the expectations are written anew, to be read before they are kept.
import Testing

struct CommandLineCase: Sendable, CustomTestStringConvertible {
    var name: String
    var comments: [String] = []
    var files: [(path: String, lines: [String])] = []
    var input: [String] = []
    var script: [String] = []
    var output: [String] = []
    var errors: [String] = []
    var exitCode = 0

    var testDescription: String { name }

    static func parse(_ text: String) -> [CommandLineCase] {
        var cases: [CommandLineCase] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("## ") {
                cases.append(CommandLineCase(name: String(line.dropFirst(3))))
                continue
            }
            guard !cases.isEmpty, let mark = line.first else { continue }
            let last = cases.count - 1
            let rest = String(line.dropFirst(2))
            switch mark {
            case "#": cases[last].comments.append(line)
            case "+": cases[last].files.append((rest, []))
            case "|": cases[last].files[cases[last].files.count - 1].lines.append(rest)
            case "<": cases[last].input.append(rest)
            case "$": cases[last].script.append(rest)
            case ">": cases[last].output.append(rest)
            case "!": cases[last].errors.append(rest)
            case "=": cases[last].exitCode = Int(rest) ?? -1
            default: cases[last].exitCode = -1
            }
        }
        return cases
    }

    var text: String {
        var lines = ["## \(name)"] + comments
        for file in files { lines += ["+ \(file.path)"] + file.lines.map { mark("|", $0) } }
        lines += input.map { mark("<", $0) } + script.map { mark("$", $0) }
        lines += output.map { mark(">", $0) } + errors.map { mark("!", $0) }
        lines.append("= \(exitCode)")
        return lines.joined(separator: "\n") + "\n"
    }

    private func mark(_ mark: String, _ line: String) -> String { line.isEmpty ? mark : "\(mark) \(line)" }
}
