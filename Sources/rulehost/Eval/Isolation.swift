// `--isolation`: whether rules run in this process or in one of their own that can do nothing else.
import RuleEngine
import RuleWorkers

enum Isolation {
    case thread
    case process(WorkerPool)

    init(_ arguments: Arguments) {
        self = arguments[.isolation] == "process" ? .process(WorkerPool()) : .thread
    }

    func load(_ app: String, _ files: [SourceFile]) -> EvaluatorOutcome {
        switch self {
        case .thread: EvaluatorOutcome(RulesetLoader.load(app: app, files: files))
        case .process(let pool):
            switch pool.load(app: app, files: files) {
            case .loaded(let app): .ready(app)
            case .failed(let faults): .failed(faults)
            }
        }
    }
}

extension Flag {
    static let isolation = Flag(
        "isolation", .required("process|thread", .oneOf(["process", "thread"])),
        "Where rules run: in a process that can do nothing else, or in this one (default: thread)")
}
