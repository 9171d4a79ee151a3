// `rulehost test --watch`: runs the cases, and those of an app again whenever a file is saved that they depend on: its rules, its
// cases, shared modules, the examples that its cases name. Nothing that is found in files ends it; Ctrl-C does. Called by
// the verb, which does the running.
import Glibc
import PushMessage
import RuleStore

struct CaseWatch {
    let folder: RulesFolder
    /// Empty: all there are.
    let named: [String]
    let console: Console

    /// nil: the flag is not there.
    init?(_ arguments: Arguments, folder: RulesFolder, _ console: Console) throws(CommandFault) {
        guard arguments.has(.watch) else { return nil }
        if arguments.has(.update) {
            throw .flagsDisagree("watch", "update", why: "--watch would run after each of its own changes: update once, then watch")
        }
        if arguments.format != .human {
            throw .flagsDisagree("watch", "format", why: "what --watch shows is for people: leave out --format")
        }
        self.folder = folder
        self.named = arguments.operands
        self.console = console
    }

    /// What came of one app.
    struct Ran {
        var code: ExitCode
        var report: AppReport?
        /// Paths of files that it depends on beside its own.
        var examples: Set<String>
    }

    /// - Returns: the exit code of the last run.
    /// - Throws: when there is nothing to watch at the beginning, or the system does not tell of changes.
    func run(_ runApp: (String) -> Ran) throws(CommandFault) -> ExitCode {
        let interruption = Interruption()
        let roots = [rules, CaseWatch.plain(folder.examples.path)]
        let watch: FolderWatch
        do throws(StoreFault) {
            watch = try FolderWatch(roots)
            _ = try folder.apps()
        } catch {
            throw .store(error)
        }
        var examples: [String: Set<String>] = [:]
        var seen: FileSnapshot?
        var lost: StoreFault?
        var last = ExitCode.done
        while interruption?.isAsked != true, !console.isClosed {
            let begin = ProgressBar.now()
            do throws(StoreFault) { try watch.follow() } catch { throw .store(error) }
            let now = FileSnapshot(of: roots)
            let changed = seen.map { now.changes(since: $0) }
            seen = now
            // The folder may be gone for a moment, which is told once.
            let (apps, fault) = appsThere()
            let news = fault == lost ? nil : fault
            lost = fault
            let touched = changed.map { changed in apps.filter { isTouched($0, by: changed, examples[$0] ?? []) } } ?? apps
            let gone = changed == nil ? [] : examples.keys.filter { !apps.contains($0) }.sorted()
            if changed == nil || !touched.isEmpty || !gone.isEmpty || news != nil {
                show(changed ?? [], of: touched + gone, examples)
                var code = ExitCode.done
                if let news {
                    console.report(.store(news))
                    code = .rulesDoNotLoad
                }
                var reports: [AppReport] = []
                for app in touched where interruption?.isAsked != true {
                    let ran = runApp(app)
                    examples[app] = ran.examples
                    code = max(code, ran.code)
                    if let report = ran.report { reports.append(report) }
                }
                for app in gone {
                    examples[app] = nil
                    console.write("\(app) is gone\n")
                }
                last = code
                tell(reports, after: Double(ProgressBar.now() - begin) / 1e9)
            }
            // Nobody reads any more what would be written; and somebody may have asked to end.
            guard watch.wait(stops: [interruption?.asked, console.outputEnd].compactMap { $0 }) == .changed else { break }
        }
        return last
    }

    private var rules: String { CaseWatch.plain(folder.path) }

    private static func plain(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Those that were named, also where they are not there; else those of the folder.
    private func appsThere() -> (apps: [String], fault: StoreFault?) {
        do throws(StoreFault) {
            let all = try folder.apps()
            return (named.isEmpty ? all : named, nil)
        } catch {
            return ([], error)
        }
    }

    private func isTouched(_ app: String, by changed: [String], _ examples: Set<String>) -> Bool {
        changed.contains { isOf(app, $0) || $0.hasPrefix("\(rules)/_shared/") || examples.contains($0) }
    }

    private func isOf(_ app: String, _ path: String) -> Bool {
        path.hasPrefix("\(rules)/\(app)/") && (path.hasSuffix(".lua") || path.hasSuffix(".json"))
    }

    // MARK: what is shown

    /// How many files are named.
    private static let most = 3

    private func show(_ changed: [String], of apps: [String], _ examples: [String: Set<String>]) {
        if console.outputIsTerminal { console.write("\u{1B}[H\u{1B}[2J\u{1B}[3J") }
        let files = changed.filter { file in apps.contains { isTouched($0, by: [file], examples[$0] ?? []) } }
        var text = WallTimeOfDay.now
        if !files.isEmpty {
            text += "  " + files.prefix(CaseWatch.most).joined(separator: ", ")
            let more = files.count - CaseWatch.most
            if more > 0 { text += " and \(Figures.grouped(more)) more" }
        }
        console.write(console.ink.paint(text.printable, .faint) + "\n")
    }

    private func tell(_ reports: [AppReport], after seconds: Double) {
        let summary = HumanCaseReport.summary(reports, console.ink)
        if !summary.isEmpty { console.write("\(summary.dropLast()), in \(Figures.duration(seconds))\n") }
        if !console.isQuiet { console.write(console.ink.paint("watching \(rules.printable); Ctrl-C ends", .faint) + "\n") }
        console.flush()
    }
}

/// The time on the clock of whoever sits there: "09:41:07".
private enum WallTimeOfDay {
    static var now: String {
        var seconds = time(nil)
        var local = tm()
        localtime_r(&seconds, &local)
        return [local.tm_hour, local.tm_min, local.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

extension Flag {
    static let watch = Flag("watch", .none, "Run again what a save touches, until Ctrl-C")
}
