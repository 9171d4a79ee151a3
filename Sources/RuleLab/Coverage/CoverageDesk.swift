// Where apps are taken into use whose cases are to be measured: the first machine of each app, which answers all of its cases,
// counts; those that only repeat a case do not, so that nothing counts twice. Given to AppCases in place of a plain load;
// asked for what came of it when all cases have run.
import LuaSandbox
public import RuleEngine
import RuleWorkers

// SAFETY: a witness belongs to the thread that runs the cases of its app, and to whoever asks after all threads have gone.
public final class CoverageDesk: @unchecked Sendable {
    private let witnesses = Guarded([String: CoverageWitness]())
    /// Apps whose first machine has been made.
    private let begun = Guarded(Set<String>())

    public init() {}

    public func load(_ app: String, _ files: [SourceFile]) -> EvaluatorOutcome {
        guard begun.withLock({ $0.insert(app).inserted }), let counts = counts(for: files) else {
            return EvaluatorOutcome(RulesetLoader.load(app: app, files: files))
        }
        switch RulesetLoader.load(app: app, files: files, countingInto: counts) {
        case .failed(let faults): return .failed(faults)
        case .loaded(let loaded):
            let witness = CoverageWitness(Evaluator(loaded), counts)
            witnesses.withLock { $0[app] = witness }
            return .ready(witness)
        }
    }

    /// What the cases of an app have tried; nil when it does not load.
    public func coverage(of app: String) -> AppCoverage? {
        witnesses.withLock { $0[app] }.map { AppCoverage(of: $0) }
    }

    /// nil: there is no memory for it.
    private func counts(for files: [SourceFile]) -> LineCounts? {
        do {
            return try LineCounts(files.map { ($0.path, $0.bytes) })
        } catch {
            return nil
        }
    }
}
