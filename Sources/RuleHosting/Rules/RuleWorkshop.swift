// Makes rules of files: compiled, or refused with everything that is wrong; tried on their cases beside those that serve. Where rules
// run in processes, this process runs none of them here either. Called by the library's threads.
import Glibc
import PushMessage
import RuleEngine
import RuleLab
import RuleStore
import RuleWorkers

struct RuleWorkshop: Sendable {
    let folder: RulesFolder
    private let settings: HostSettings
    /// nil: rules run in this process.
    let pool: WorkerPool?

    init(_ folder: RulesFolder, _ settings: HostSettings) {
        self.folder = folder
        self.settings = settings
        pool = settings.isolation == .process ? WorkerPool(program: settings.program, workers: settings.shards, spare: true) : nil
    }

    // MARK: reading

    /// What an app's folder holds: the files that rules are made of, and the cases.
    func read(_ app: String) throws(StoreFault) -> (files: [SourceFile], cases: [SourceFile]) {
        (try folder.files(of: app), try folder.cases(of: app))
    }

    /// How the files of an app stand now, those that are shared included.
    func stand(of app: String) -> FileSnapshot {
        FileSnapshot(of: ["\(folder.path)/\(app)", "\(folder.path)/_shared/lib"], endings: [".lua", ".json"])
    }

    /// The same, when nobody has changed anything for a while: in the middle of a save files do not belong together. Whoever
    /// changes something all the time is not waited for.
    func quietStand(of app: String) -> FileSnapshot {
        var waited: Int64 = 0
        while true {
            let stand = stand(of: app)
            guard let age = stand.age, age < RulesWatch.quiet, waited < RulesWatch.longest else { return stand }
            let pause = RulesWatch.quiet - age
            usleep(UInt32(pause * 1_000))
            waited += pause
        }
    }

    // MARK: making

    /// To be given to a shard.
    func make(_ app: String, _ files: [SourceFile]) -> Result<RulesInUse, AppFaults> {
        if let pool {
            switch pool.load(app: app, files: files) {
            case .loaded(let app): return .success(RulesInUse(.there(app), settings: settings))
            case .failed(let faults): return .failure(AppFaults(faults, files))
            }
        }
        switch RulesetLoader.load(app: app, files: files) {
        case .loaded(let app): return .success(RulesInUse(.here(Evaluator(app)), settings: settings))
        case .failed(let faults): return .failure(AppFaults(faults, files))
        }
    }

    func load(_ app: String, _ files: [SourceFile]) -> EvaluatorOutcome {
        guard let pool else { return EvaluatorOutcome(RulesetLoader.load(app: app, files: files)) }
        switch pool.load(app: app, files: files) {
        case .loaded(let app): return .ready(app)
        case .failed(let faults): return .failed(faults)
        }
    }

    // MARK: trying

    struct Trial {
        var faults: [AppFault] = []
        /// The rules may come into force all the same.
        var isAccepted = true
        var title: String?
        var limits: AppLimits?

        mutating func take(_ manifest: Manifest) { (title, limits) = (manifest.title, AppLimits(manifest)) }
    }

    /// Compiles alone.
    func compile(_ app: String, _ files: [SourceFile]) -> Trial {
        var trial = Trial()
        switch load(app, files) {
        case .ready(let evaluator): trial.take(evaluator.ruleset.manifest)
        case .failed(let faults):
            trial.faults = AppFaults(faults, files).all
            trial.isAccepted = false
        }
        return trial
    }

    /// Compiles and runs the cases that the folder holds now.
    /// - Parameter mayGoOn: asked before each case; what comes of it after that is worth nothing.
    func tryOut(_ app: String, _ files: [SourceFile], mayGoOn: () -> Bool) -> Trial {
        var trial = Trial()
        do throws(StoreFault) {
            let outcome = try AppCases.run(
                app, in: folder,
                loading: { app, _ in
                    let outcome = load(app, files)
                    if case .ready(let evaluator) = outcome { trial.take(evaluator.ruleset.manifest) }
                    return outcome
                }, mayGoOn: mayGoOn)
            switch outcome {
            case .none: break
            case .rulesDoNotLoad(let faults, _):
                trial.faults = AppFaults(faults, files).all
                trial.isAccepted = false
            case .ran(let results, let broken):
                if broken.isEmpty, results.allSatisfy({ $0.outcome == .passed }) { break }
                trial.faults = AppFault.all(of: results, broken, in: try folder.cases(of: app))
                if !trial.faults.isEmpty { trial.isAccepted = settings.cases == .warn }
            }
        } catch {
            trial.faults.append(AppFault(error, app: app))
            trial.isAccepted = false
        }
        return trial
    }
}

/// At least one.
struct AppFaults: Error {
    let all: [AppFault]

    init(_ faults: [RuleFault], _ files: [SourceFile]) { all = faults.map { AppFault($0, files: files) } }
}
