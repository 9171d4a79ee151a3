// `make attacks`: runs every hostile script at load and inside decide, here and in a process of its own, and writes how
// each ended: all of it to a file, the totals to the terminal. Exit code 1: a line is not as the script's first line says.
import Foundation
import RuleWorkers

let arguments = CommandLine.arguments
if arguments.first == WorkerProcess.name { exit(WorkerProcess.run(arguments)) }
guard arguments.count >= 2 else {
    FileHandle.standardError.write(Data("usage: AttackTable FILE [WORDS-OF-NAMES…]\n".utf8))
    exit(2)
}

let wanted = arguments.dropFirst(2)
let run = Run(question: try Asking(), program: "/proc/self/exe")
var lines: [Line] = []
for script in try Script.all() where wanted.isEmpty || wanted.contains(where: script.name.contains) {
    for place in [Place.load, .decide] {
        for mode in Mode.allCases { lines.append(try run.run(script, place, mode)) }
    }
    // What ended only for want of a name has more to show.
    if script.expectation == .stopped, let last = lines.last, last.ending.group == "error" {
        lines.append(try run.run(script, .wider, .thread))
    }
}
try Report.file(lines).write(toFile: arguments[1], atomically: true, encoding: .utf8)
print(Report.totals(lines), terminator: "")
let wrong = lines.filter { $0.wrong != nil }
for line in wrong {
    print("\(line.script.name) \(line.place.rawValue) \(line.mode.rawValue): \(line.ending.code): \(line.wrong ?? "")".prefix(700))
}
print(
    "\(lines.count) runs of \(Set(lines.map(\.script.name)).count) scripts, \(wrong.count) not as they should be; all of them: \(arguments[1])"
)
exit(wrong.isEmpty ? 0 : 1)
