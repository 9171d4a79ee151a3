// `rulehost test --update`: shows what the expectations of cases that miss would become, and writes it. It asks nothing, on a
// terminal or not: the files are under version control, and --update=show is the dry look. Called by the verb before the
// cases run; what is written is CaseUpdate's business.
import RuleEngine
import RuleLab
import RuleStore

struct CaseUpdating {
    let folder: RulesFolder
    let isWritten: Bool
    let console: Console
    private var changed = 0
    private var files = 0
    private var left = 0

    /// nil: the flag is not there.
    init?(_ arguments: Arguments, folder: RulesFolder, _ console: Console) throws(CommandFault) {
        guard let word = arguments[.update] else { return nil }
        if arguments.format != .human {
            throw .flagsDisagree("update", "format", why: "what --update changes is shown for people: leave out --format")
        }
        self.folder = folder
        self.console = console
        isWritten = word == "write"
    }

    /// - Returns: the answer, when nothing is to be run afterwards.
    mutating func run(
        _ apps: [String], loading load: (String, [SourceFile]) -> EvaluatorOutcome, where isWanted: (CaseResult) -> Bool
    ) throws(CommandFault) -> ExitCode? {
        var worst = ExitCode.done
        for app in apps {
            do throws(StoreFault) {
                switch try CaseUpdate.plan(app, in: folder, loading: load, where: isWanted) {
                case .updates(let updates): for update in updates { try take(update, of: app) }
                case .rulesDoNotLoad(let faults, let files):
                    // Beside --update=write the run that follows says it.
                    if !isWritten { console.report(AppLoading.faults(faults, of: app, in: folder, files: files)) }
                    worst = .rulesDoNotLoad
                }
            } catch {
                throw .store(error)
            }
        }
        if !console.isQuiet { console.write(summary) }
        if isWritten { return nil }
        return max(worst, changed + left > 0 ? .no : .done)
    }

    private mutating func take(_ update: CaseUpdate, of app: String) throws(StoreFault) {
        let path = AppLoading.path(of: update.file, app: app, in: folder.path)
        for one in update.changed { show(one, in: path) }
        for one in update.left {
            left += 1
            write("\(path)\(one.line > 0 ? ":\(one.line)" : "")  left as it is: \(one.name ?? "the file cannot be read")", .caution)
            write("  \(one.reason)")
        }
        guard !update.changed.isEmpty else { return }
        if isWritten {
            guard WrittenFiles.content(of: path) == update.source else {
                left += update.changed.count
                return write("\(path)  left as it is: somebody else has changed it just now", .caution)
            }
            try WrittenFiles.write(update.text, to: path)
        }
        changed += update.changed.count
        files += 1
    }

    private func show(_ one: CaseUpdate.Changed, in path: String) {
        write("\(path):\(one.line)  \(one.name)", .strong)
        for change in one.changes {
            let (old, new) = DifferenceWords.shortened(change.old, change.new)
            let place = "  \(path):\(change.line)  \(change.path.isEmpty ? "the answer" : change.path)"
            console.write(console.ink.paint(place.printable, .faint) + "\n")
            console.write("    " + console.ink.paint("- \((old ?? "").printable)", .bad) + "\n")
            console.write("    " + console.ink.paint("+ \((new ?? "").printable)", .good) + "\n")
        }
    }

    private func write(_ line: String, _ tone: Ink.Tone? = nil) {
        console.write((tone.map { console.ink.paint(line.printable, $0) } ?? line.printable) + "\n")
    }

    private var summary: String {
        let cases = "\(changed) \(changed == 1 ? "case" : "cases")"
        let verb = isWritten ? "updated" : "would be updated"
        let place = changed > 0 ? " in \(files) \(files == 1 ? "file" : "files")" : ""
        let rest = left > 0 ? ", \(left) left as \(left == 1 ? "it is" : "they are")" : ""
        return "\(cases) \(verb)\(place)\(rest)\n\(isWritten ? "\n" : "")"
    }
}

extension Flag {
    static let update = Flag(
        "update", .optional("write|show", ["write", "show"]),
        "Write what came out into the cases that miss, or only show what would be written (default: write)")
}
