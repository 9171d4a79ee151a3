// The cases of one app on their way: answered once, one after the other, on the machine that answers all of them, and then
// each again on a machine of its own, in any order and on any thread. Called by AppCases.
import PushMessage
import RuleEngine
import RuleStore

struct AppTrials: Sendable {
    private let app: String
    private let files: [SourceFile]
    private var trials: [CaseTrial] = []
    private var broken: [AppCases.BrokenFile] = []
    private var again: [(outcome: CaseOutcome, strains: Strains)?] = []
    private var faults: [RuleFault] = []
    private var hasCases = false
    /// Where the files that cases name are looked for, also those that are not there.
    private(set) var examples: Set<String> = []
    /// Of the rules, then of the cases; what came near a limit follows.
    private var noted: [RuleWarning] = []
    private var strains = Strains()

    private init(_ app: String, _ files: [SourceFile]) {
        self.app = app
        self.files = files
    }

    static func begin(
        _ app: String, in folder: RulesFolder, loading load: (String, [SourceFile]) -> EvaluatorOutcome,
        mayGoOn: () -> Bool = { true }
    ) throws(StoreFault) -> AppTrials {
        begin(
            app, try folder.files(of: app), try folder.cases(of: app), ExampleFiles(of: app, in: folder), loading: load, mayGoOn: mayGoOn)
    }

    static func begin(
        _ app: String, _ files: [SourceFile], _ sources: [SourceFile], _ examples: ExampleFiles,
        loading load: (String, [SourceFile]) -> EvaluatorOutcome, mayGoOn: () -> Bool = { true }
    ) -> AppTrials {
        var begun = AppTrials(app, files)
        switch load(app, begun.files) {
        case .failed(let faults): begun.faults = faults
        case .ready(let evaluator):
            begun.noted = evaluator.warnings
            begun.hasCases = !sources.isEmpty
            if begun.hasCases { begun.begin(sources, examples, by: CaseRunner(evaluator) { nil }, mayGoOn: mayGoOn) }
        }
        return begun
    }

    private mutating func begin(
        _ sources: [SourceFile], _ examples: ExampleFiles, by runner: CaseRunner, mayGoOn: () -> Bool
    ) {
        var named: Set<ExactText> = []
        var looked: Set<String> = []
        for source in sources {
            do throws(CaseFault) {
                let file = try CaseFile(path: source.path, source: source.bytes) { name throws(CaseFault) in
                    named.insert(ExactText("cases/\(name)"))
                    looked.formUnion(examples.paths(of: name))
                    return try examples.content(of: name)
                }
                trials += runner.begin(file, mayGoOn: mayGoOn)
            } catch {
                broken.append(AppCases.BrokenFile(file: source.path, source: source.bytes, fault: error))
            }
        }
        self.examples = looked
        // A message or a phone that a case names is no case.
        broken.removeAll { $0.fault.code == .caseFileNotAList && named.contains(ExactText($0.file)) }
        again = Array(repeating: nil, count: trials.count)
        noted += runner.noted
        strains = runner.strains
    }

    /// Of the cases that are to be answered again.
    var places: [Int] { trials.indices.filter { trials[$0].isToBeRepeated } }

    /// nil: the app cannot be taken into use once more, and its first answer counts.
    func again(
        _ place: Int, loading load: (String, [SourceFile]) -> EvaluatorOutcome
    ) -> (outcome: CaseOutcome, strains: Strains)? {
        guard case .ready(let fresh) = load(app, files) else { return nil }
        return trials[place].again(by: fresh)
    }

    mutating func settle(_ place: Int, _ outcome: (outcome: CaseOutcome, strains: Strains)) { again[place] = outcome }

    // MARK: what came of it

    var cases: AppCases {
        guard faults.isEmpty else { return .rulesDoNotLoad(faults, files: files) }
        guard hasCases else { return .none }
        let results = zip(trials, again).map { trial, again in again.map { trial.result($0.outcome) } ?? trial.result }
        return .ran(results, broken: broken)
    }

    var warnings: [RuleWarning] {
        var strains = strains
        for again in again { if let again { strains.note(again.strains) } }
        return noted + strains.warnings
    }
}
