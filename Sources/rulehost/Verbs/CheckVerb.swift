// `rulehost check`: looks at the rules of apps without a message. Looking is RuleCheck's business; this chooses apps and the
// form of the answer.
import PushMessage
import RuleCheck
import RuleStore

extension Verb {
    static let check = Verb(
        name: "check", summary: "looks for mistakes in rules: names, fields, values, rules that never matter",
        operands: "[APP…]",
        details: [
            "Looks at rules/APP, at all apps when none is named: what keeps the app from loading, names and fields that nothing has, values that cannot be meant, rules that never match or never make a difference, state that nobody reads, texts that a language lacks, cases that cannot be run. The cases run once, for what comes near a limit.",
            "Each finding has its place, the line with a mark under it, what is wrong, what to do, and a code with a page: rulehost docs CODE.",
            "An error is what will not do what it says; exit code 1 says that there was one. A warning is what is most likely not meant; with --strict it counts as well.",
            "Unused variables and lines that are never run are luacheck's part (Debian: lua-check). Without that program the rest is looked for all the same.",
        ],
        flags: [.strict, .ignore, .checkNow, .docsURL],
        formats: [.human, .json, .github, .sarif],
        examples: [
            Example(command: "rulehost check chat", meaning: "Is anything wrong with the rules of the chat app?"),
            Example(
                command: "rulehost check --format github --strict", meaning: "In CI: every finding beside its line, and none is let through"
            ),
            Example(command: "rulehost check --format sarif > check.sarif", meaning: "For a code-scanning service"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            try CheckSession(arguments, console).run()
        })
}

extension Flag {
    static let strict = Flag("strict", .none, "Warnings count as errors")
    static let checkNow = Flag("now", .required("INSTANT", .text), "The time by which rules are over (default: now)")
    static let docsURL = Flag("docs-url", .required("URL", .text), "Where the folder docs can be read, for the links of sarif")
    static let ignore = Flag("ignore", .required("CODE", .text), repeats: true, "Leave out findings of this code; may be repeated")
}

private struct CheckSession {
    private let folder: RulesFolder
    private let named: [String]
    private let now: Instant
    private let isStrict: Bool
    private let ignored: [String]
    private let format: OutputFormat
    private let docs: String?
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) throws(CommandFault) {
        self.console = console
        folder = RulesFolder(path: arguments.rulesFolder)
        named = arguments.operands
        isStrict = arguments.has(.strict)
        format = arguments.format
        ignored = arguments.all(.ignore)
        docs = arguments[.docsURL]
        let codes = Check.all.flatMap(\.codes)
        for code in ignored where !codes.contains(code) {
            throw .invalidValue(
                flag: "ignore", value: code, expected: "a code of a finding, as it stands in brackets",
                suggestion: DidYouMean.nearest(to: code, among: codes))
        }
        if let text = arguments[.checkNow] {
            guard let instant = Instant(text) else {
                throw .invalidValue(flag: "now", value: text, expected: "an instant such as 2026-01-01T12:00:00Z", suggestion: nil)
            }
            now = instant
        } else {
            now = SystemClock.now()
        }
    }

    func run() throws(CommandFault) -> ExitCode {
        let notices = RuleNotices(folder: folder, console: console)
        var worst = ExitCode.done
        var reports: [CheckedReport] = []
        var told: [Finding] = []
        let apps: [String]
        do throws(StoreFault) {
            apps = named.isEmpty ? try folder.apps() : named
            if named.isEmpty { try notices.tellMisnamedApps() }
        } catch {
            throw .store(error)
        }
        guard !apps.isEmpty else { throw .appNotNamed(apps: [], folder: folder.path) }
        let remarks = luacheck(apps)
        for app in apps {
            do throws(StoreFault) {
                let findings = try AppCheck.run(app, in: folder, luacheck: remarks[app] ?? [], ignored: ignored, now: now)
                // What all apps share is told with the first of them.
                let kept = findings.filter { finding in
                    !(finding.file.hasPrefix("_shared/") && told.contains { $0.isSame(as: finding) })
                }
                told += kept.filter { $0.file.hasPrefix("_shared/") }
                reports.append(CheckedReport(app: app, findings: kept, folder: folder))
                if kept.contains(where: { isStrict || $0.severity == .error }) { worst = max(worst, .no) }
            } catch {
                // One app that cannot be read keeps nobody from looking at the others.
                let fault = CommandFault.store(error)
                console.report(fault)
                worst = max(worst, fault.exitCode)
            }
        }
        switch format {
        case .json: console.write(CheckJSON.text(reports))
        case .github: console.write(GitHubCheck.text(reports))
        case .sarif: console.write(SarifCheck(docs: docs).text(reports))
        default:
            for report in reports { console.write(HumanCheck.text(report, console.ink)) }
            if !console.isQuiet { console.write(HumanCheck.summary(reports, console.ink)) }
        }
        return worst
    }

    /// Without luacheck its part is left out, and that is said.
    private func luacheck(_ apps: [String]) -> [String: [LuacheckRemark]] {
        do throws(StoreFault) {
            switch try Luacheck.run(on: apps, in: folder) {
            case .ran(let remarks): return remarks
            case .missing:
                if !console.isQuiet {
                    console.warn("luacheck is not installed (on Debian: apt-get install lua-check): unused variables are not looked for")
                }
            case .failed(let why): console.warn("luacheck was of no use, unused variables are not looked for: \(why)".printable)
            }
        } catch {
            // Told when the app itself is read.
        }
        return [:]
    }
}
