// What `rulehost test` does with coverage when all cases have run: writes it in the form that was asked for, and says which apps
// have too little. Measuring is CoverageDesk's business.
import RuleLab
import RuleStore

struct CoverageReport {
    let desk = CoverageDesk()
    private let options: CoverageOptions
    private let folder: String
    private let console: Console

    /// nil: nobody has asked.
    init?(_ arguments: Arguments, _ console: Console) throws(CommandFault) {
        guard let options = try CoverageOptions(arguments) else { return nil }
        self.options = options
        self.console = console
        folder = arguments.rulesFolder
    }

    /// - Parameters:
    ///   - apps: in the order in which they are told of; those that do not load are left out.
    ///   - ran: what came of their cases.
    func tell(of apps: [String], _ ran: [AppReport]) throws(CommandFault) -> ExitCode {
        var told: [AppCoverage] = []
        for app in apps where !told.contains(where: { $0.app == app }) {
            if let coverage = desk.coverage(of: app) { told.append(coverage) }
        }
        if let form = options.form { try write(told, form, ran.flatMap(\.lines)) }
        return verdict(on: told)
    }

    private func write(_ apps: [AppCoverage], _ form: CoverageOptions.Form, _ cases: [AppReport.Line]) throws(CommandFault) {
        let text: String
        switch form {
        case .text: text = HumanCoverage(apps, in: folder, options.file == nil ? console.ink : Ink(depth: .none)).text
        case .lcov: text = LcovFile.text(of: apps, in: folder)
        case .html: text = CoveragePage(apps, in: folder, cases: (cases.count { !$0.isGood }, cases.count)).html
        }
        guard let file = options.file else { return console.write(text) }
        do throws(StoreFault) {
            try ReportFile.write(text, to: file)
        } catch {
            throw .store(error)
        }
    }

    private func verdict(on apps: [AppCoverage]) -> ExitCode {
        guard let least = options.least else { return .done }
        let low = apps.filter { $0.total.isBelow(percent: least) }
        for app in low {
            console.writeError(
                "\(console.errorInk.paint("rulehost:", .strong)) \(console.errorInk.paint("failed:", .bad)) \(app.app): "
                    + "\(CoverageWords.percent(app.total)) of its lines and ways are covered, and --fail-under wants \(least) %"
                    + (options.form == nil ? "; --coverage shows which are not\n" : "\n"))
        }
        return low.isEmpty ? .done : .no
    }
}
