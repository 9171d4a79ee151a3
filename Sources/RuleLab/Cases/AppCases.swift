// All cases of an app of a rules folder, or of several apps: each app is loaded, its cases and the files that they name are
// found, and they run. Several apps, and what of one app does not depend on order, run on as many threads as are wanted;
// what comes of them does not depend on how many.
public import RuleEngine
public import RuleStore
import RuleWorkers

/// What came of one app's cases.
public enum AppCases: Sendable {
    case ran([CaseResult], broken: [BrokenFile])
    case rulesDoNotLoad([RuleFault], files: [SourceFile])
    case none

    /// A file of cases that cannot be read.
    public struct BrokenFile: Sendable, Equatable {
        /// "cases/banner.json"
        public let file: String
        public let source: [UInt8]
        public let fault: CaseFault
    }

    /// - Parameters:
    ///   - load: takes the app's files into use, once for all cases and once more for each.
    ///   - tell: takes what is probably not meant in the rules and in the cases.
    ///   - mayGoOn: asked before each case; what comes of it after that is worth nothing.
    public static func run(
        _ app: String, in folder: RulesFolder,
        loading load: (String, [SourceFile]) -> EvaluatorOutcome = { EvaluatorOutcome(RulesetLoader.load(app: $0, files: $1)) },
        tell: (RuleWarning) -> Void = { _ in }, mayGoOn: () -> Bool = { true }
    ) throws(StoreFault) -> AppCases {
        run(try AppTrials.begin(app, in: folder, loading: load, mayGoOn: mayGoOn), loading: load, tell: tell, mayGoOn: mayGoOn)
    }

    /// Of an app that is not saved.
    /// - Parameters:
    ///   - cases: those that are to run.
    ///   - beside: what stands in the folder of cases in place of what is saved there, by its path; nil: it does not.
    public static func run(
        _ app: String, files: [SourceFile], cases: [SourceFile], beside drafts: [String: [UInt8]?], in folder: RulesFolder,
        loading load: (String, [SourceFile]) -> EvaluatorOutcome, mayGoOn: () -> Bool
    ) -> AppCases {
        let examples = ExampleFiles(of: app, in: folder, instead: drafts)
        return run(AppTrials.begin(app, files, cases, examples, loading: load, mayGoOn: mayGoOn), loading: load, mayGoOn: mayGoOn)
    }

    private static func run(
        _ trials: AppTrials, loading load: (String, [SourceFile]) -> EvaluatorOutcome, tell: (RuleWarning) -> Void = { _ in },
        mayGoOn: () -> Bool
    ) -> AppCases {
        var begun = trials
        for place in begun.places {
            guard mayGoOn() else { break }
            if let outcome = begun.again(place, loading: load) { begun.settle(place, outcome) }
        }
        begun.warnings.forEach(tell)
        return begun.cases
    }

    /// One app among several.
    public struct Outcome: Sendable {
        public let app: String
        public let cases: Result<AppCases, StoreFault>
        /// What is probably not meant in the rules and in the cases.
        public let warnings: [RuleWarning]
        /// Paths at which the messages and devices that its cases name are looked for, also where there is nothing; sorted.
        public let examples: [String]
    }

    /// - Parameters:
    ///   - threads: at most; 1: all of it on this one.
    ///   - load: called by any of them, for one machine after the other.
    /// - Returns: in the order of `apps`; the same for any number of threads.
    public static func run(
        _ apps: [String], in folder: RulesFolder, threads: Int,
        loading load: @escaping @Sendable (String, [SourceFile]) -> EvaluatorOutcome = {
            EvaluatorOutcome(RulesetLoader.load(app: $0, files: $1))
        }
    ) -> [Outcome] {
        let begun = Guarded([Result<AppTrials, StoreFault>?](repeating: nil, count: apps.count))
        let crew = Crew(of: threads)
        crew.add(
            apps.enumerated().map { index, app in
                { crew in
                    do throws(StoreFault) {
                        let trials = try AppTrials.begin(app, in: folder, loading: load)
                        begun.withLock { $0[index] = .success(trials) }
                        crew.add(
                            trials.places.map { place in
                                { _ in
                                    guard let outcome = trials.again(place, loading: load) else { return }
                                    begun.withLock { begun in
                                        guard case .success(var trials) = begun[index] else { return }
                                        // Not to be copied for each outcome.
                                        begun[index] = nil
                                        trials.settle(place, outcome)
                                        begun[index] = .success(trials)
                                    }
                                }
                            })
                    } catch {
                        begun.withLock { $0[index] = .failure(error) }
                    }
                }
            })
        crew.work()
        return begun.withLock { begun in
            zip(apps, begun).compactMap { app, begun in
                switch begun {
                case .success(let trials):
                    Outcome(app: app, cases: .success(trials.cases), warnings: trials.warnings, examples: trials.examples.sorted())
                case .failure(let fault): Outcome(app: app, cases: .failure(fault), warnings: [], examples: [])
                case nil: nil
                }
            }
        }
    }
}
