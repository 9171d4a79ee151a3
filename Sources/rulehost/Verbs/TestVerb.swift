// `rulehost test`: runs the cases of apps and says which of them miss. Running is CaseRunner's business; this chooses
// apps and cases and hands what came of them to a report.
import RuleLab
import RuleStore

extension Verb {
    static let test = Verb(
        name: "test", summary: "runs the cases of apps: examples with the answer that must come out",
        operands: "[APP…]",
        details: [
            "Runs rules/APP/cases/*.json, of all apps when none is named. Each case runs on a machine that has run others "
                + "and on a new one; both must give what the case expects. A rule that brings a message to half of its fuel or "
                + "memory is named on standard error.",
            "A case that misses is shown with its place, and with what was expected and what came out. Exit code 1 says "
                + "that at least one missed or cannot be run, or that there was none to run; with --fail-on-empty=no none is fine.",
            "Cases run on as many threads as --jobs says; the answer is the same for any number. With --isolation process they run one after the other.",
            "--update writes what came out into the expectations of cases that miss, and shows each place: the file and line, what was expected, and what now is. What an expectation does not name it does not name afterwards. A case that is broken, or whose rules fail, stays as it is, and it is said why. Nothing is asked, also not on a terminal: --update=show shows the same and writes nothing.",
            "--watch goes on: when a file is saved, the cases of the apps that depend on it run again - on its rules, its cases, shared modules, the examples that its cases name. What is wrong with a file is told and ends nothing; Ctrl-C ends, with the exit code of the last run.",
            "--coverage tells what the cases have tried of each app: lines of functions that ran, rules that matched, ways that a rule can go (conditions, when, quiet, cap …) and guards that acted; and what they have not, with its place. lcov and html are written to --coverage-file. --fail-under takes the percentage of lines and ways that each app has to reach; docs/coverage.md says how it is counted.",
            "--filter does not tell capital letters from small ones, nor a hyphen from a space.",
        ],
        flags: [.filter, .jobs, .update, .watch, .failOnEmpty, .coverage, .coverageFile, .failUnder, .isolation],
        formats: [.human, .tap, .junit, .github],
        examples: [
            Example(command: "rulehost test chat", meaning: "Does the chat app still behave?"),
            Example(
                command: "rulehost test chat --filter \"cold start\"", meaning: "Only cases with these words in file or name"),
            Example(command: "rulehost test chat --update", meaning: "The new answers are meant: write them into the cases"),
            Example(command: "rulehost test chat --coverage", meaning: "What have its cases not tried yet?"),
            Example(
                command: "rulehost test --coverage=html --coverage-file coverage.html --fail-under 80",
                meaning: "A page for everybody, and a gate for a build server"),
            Example(command: "rulehost test --format junit > cases.xml", meaning: "All apps, for a build server"),
            Example(command: "rulehost test --format github", meaning: "In a workflow of GitHub: every miss beside its line"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            try CaseSession(arguments, console).run()
        })
}

extension Flag {
    static let filter = Flag("filter", .required("WORDS", .text), "Only cases with these words in their file or name")
    static let failOnEmpty = Flag(
        "fail-on-empty", .optional("yes|no", ["yes", "no"]), "Whether a run without a case is a failure (default: yes)")
}

private struct CaseSession {
    private let folder: RulesFolder
    private let apps: [String]
    private let filter: String?
    private let format: OutputFormat
    private let console: Console
    private let isolation: Isolation
    private let failsOnEmpty: Bool
    private let threads: Int
    private let updating: CaseUpdating?
    private let watching: CaseWatch?
    private let coverage: CoverageReport?

    init(_ arguments: Arguments, _ console: Console) throws(CommandFault) {
        self.console = console
        isolation = Isolation(arguments)
        failsOnEmpty = arguments[.failOnEmpty] != "no"
        threads = try CaseThreads.count(arguments)
        coverage = try CoverageReport(arguments, console)
        watching = try CaseWatch(arguments, folder: RulesFolder(path: arguments.rulesFolder), console)
        updating = try CaseUpdating(arguments, folder: RulesFolder(path: arguments.rulesFolder), console)
        folder = RulesFolder(path: arguments.rulesFolder)
        filter = arguments[.filter]
        format = arguments.format
        if arguments.operands.isEmpty, watching == nil {
            do throws(StoreFault) {
                apps = try folder.apps()
                try RuleNotices(folder: folder, console: console).tellMisnamedApps()
            } catch {
                throw .store(error)
            }
        } else {
            apps = arguments.operands
        }
    }

    func run() throws(CommandFault) -> ExitCode {
        if let watching { return try watching.run(runInWatch) }
        var updating = updating
        if let code = try updating?.run(apps, loading: isolation.load, where: isWanted) { return code }
        var worst = ExitCode.done
        var ran: [AppReport] = []
        var unloaded: [(app: String, fault: RuleFaultPlace)] = []
        for outcome in AppCases.run(apps, in: folder, threads: threads, loading: coverage?.desk.load ?? isolation.load) {
            do throws(CommandFault) {
                let report = try report(on: outcome)
                if !report.isGood { worst = max(worst, .no) }
                ran.append(report)
            } catch {
                // An app that does not load keeps nobody from looking at the others.
                guard case .rules(let places) = error else { throw error }
                console.report(error)
                unloaded += places.map { (outcome.app, $0) }
                worst = max(worst, error.exitCode)
            }
        }
        switch format {
        case .tap: console.write(TapReport.text(ran, UnloadedApp.list(unloaded)))
        case .junit: console.write(JUnitReport.text(ran, UnloadedApp.list(unloaded)))
        case .github: console.write(GitHubCaseReport.text(ran, unloaded: unloaded, summary: !console.isQuiet))
        default: if !console.isQuiet { console.write(HumanCaseReport.summary(ran, console.ink)) }
        }
        if let coverage { worst = max(worst, try coverage.tell(of: apps, ran)) }
        if failsOnEmpty, worst == .done, ran.allSatisfy(\.lines.isEmpty) { throw .noCaseRan(filter: filter) }
        return worst
    }

    private func report(on outcome: AppCases.Outcome) throws(CommandFault) -> AppReport {
        let app = outcome.app
        let notices = RuleNotices(folder: folder, console: console)
        let cases: AppCases
        do throws(StoreFault) {
            try notices.tellMisplacedFiles(of: app)
            outcome.warnings.forEach { notices.tell($0, of: app) }
            cases = try outcome.cases.get()
        } catch {
            throw .store(error)
        }
        let report: AppReport
        switch cases {
        case .none: report = AppReport(app: app, folder: folder.path)
        case .ran(let results, let broken):
            report = AppReport(app: app, folder: folder.path, results: results.filter(isWanted), broken: broken)
        case .rulesDoNotLoad(let faults, let files): throw AppLoading.faults(faults, of: app, in: folder, files: files)
        }
        if format == .human { console.write(HumanCaseReport(report, console.ink).text) }
        return report
    }

    /// Whatever is wrong is told and ends nothing.
    private func runInWatch(_ app: String) -> CaseWatch.Ran {
        var ran = CaseWatch.Ran(code: .done, report: nil, examples: [])
        for outcome in AppCases.run([app], in: folder, threads: threads, loading: isolation.load) {
            ran.examples = Set(outcome.examples)
            do throws(CommandFault) {
                let report = try report(on: outcome)
                ran.report = report
                if !report.isGood { ran.code = .no }
            } catch {
                console.report(error)
                ran.code = error.exitCode
            }
        }
        return ran
    }

    private func isWanted(_ result: CaseResult) -> Bool {
        guard let filter else { return true }
        return CaseSession.words("\(result.file) \(result.name)").contains(CaseSession.words(filter))
    }

    private static func words(_ text: String) -> String { text.lowercased().replacing("-", with: " ") }
}
