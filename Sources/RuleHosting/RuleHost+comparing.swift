// What another ruleset would have done to traffic that somebody sends: the comparison of the verb `diff`, on rulesets that a host has.
// Both sides run beside the host, in machines or processes of their own, and begin with nothing remembered: nothing that the host knows,
// counts or writes is touched. It waits for the disk, the store and the rules, so it is for a thread of its own.
import EffectStore
import JSONDocument
import PushMessage
import RuleEngine
import RuleLab
import RuleStore
import RuleWorkers

extension RuleHost {
    /// As long as one comparison may take.
    public static let longestComparison = 30_000

    /// - Parameters:
    ///   - milliseconds: that it may take.
    ///   - mayGoOn: asked again and again, on several threads; once it says no, the problem is that the host is about to end.
    /// - Returns: what `rulehost diff --format json` writes, in one line.
    public func compare(
        _ wish: ComparisonWish, within milliseconds: Int = longestComparison, mayGoOn: @escaping @Sendable () -> Bool
    ) throws(HostProblem) -> [UInt8] {
        let time = ComparisonTime(milliseconds, mayGoOn)
        try check(wish.app)
        try wish.checkLines()
        let old = try side(wish.old, "old", of: wish.app, time)
        let new = try side(wish.new, "new", of: wish.app, time)
        let run = DiffRun(old.evaluator, new.evaluator, mayGoOn: { time.isLeft })
        var next = 0
        var problem: HostProblem?
        let report = run.run(
            reading: { () -> TrafficBatch? in
                guard problem == nil, let batch = wish.batch(from: next) else { return nil }
                next += batch.lines.count
                return batch
            },
            telling: { note in
                if case .unreadable(let line, _, let fault) = note, problem == nil { problem = wish.problem(fault, at: line - 1) }
            })
        try time.check()
        if let problem { throw problem }
        guard let report else { throw .queueFull }
        return Comparison(
            report: report, app: wish.app, old: .init(name: old.name, path: old.name, ruleset: old.evaluator.ruleset),
            new: .init(name: new.name, path: new.name, ruleset: new.evaluator.ruleset)
        ).json
    }

    // MARK: sides

    private func side(
        _ side: ComparisonWish.Side, _ key: String, of app: String, _ time: ComparisonTime
    ) throws(HostProblem) -> (name: String, evaluator: any RuleEvaluating) {
        let (name, files) = try files(of: side, of: app, time)
        switch load(app, files) {
        case .ready(let evaluator): return (name, evaluator)
        case .failed(let faults):
            var problem = HostProblem(ofDraft: AppFaults(faults, files).all)
            problem.detail = "`\(key)`: \(problem.detail)"
            throw problem
        }
    }

    /// Not among those that serve: there the app would lose its good name, or its turn.
    private func load(_ app: String, _ files: [SourceFile]) -> EvaluatorOutcome {
        switch settings.isolation {
        case .thread: return EvaluatorOutcome(RulesetLoader.load(app: app, files: files))
        case .process:
            switch WorkerPool(program: settings.program).load(app: app, files: files) {
            case .loaded(let app): return .ready(app)
            case .failed(let faults): return .failed(faults)
            }
        }
    }

    private func files(
        of side: ComparisonWish.Side, of app: String, _ time: ComparisonTime
    ) throws(HostProblem) -> (name: String, files: [SourceFile]) {
        switch side {
        case .serving: return ("serving", try serving(app, time))
        case .folder: return ("folder", try library.files(of: app, with: []))
        case .draft(let files): return ("files", try library.files(of: app, with: files))
        case .version(let word):
            let hash = try library.desk.find(word, of: app)
            do throws(EffectStoreFault) { return (hash, try keeping.files(app: app, hash: hash)) } catch { throw HostProblem(error) }
        }
    }

    private func serving(_ app: String, _ time: ComparisonTime) throws(HostProblem) -> [SourceFile] {
        let found = Monitor<Result<[SourceFile], HostProblem>?>(nil)
        library.tell(app) { [library] _ in
            let record = library.record(of: app)
            found.change { found in
                if let current = record?.current {
                    found = .success(current.files)
                } else {
                    found = .failure(record.map { $0.problem ?? HostProblem($0.faults) } ?? .unknownApp(app))
                }
            }
        }
        // A library that has ended tells nobody.
        while true {
            try time.check()
            if let result = found.wait(milliseconds: 100, { $0 }) { return try result.get() }
        }
    }
}

/// Until when somebody waits for a comparison.
private struct ComparisonTime: Sendable {
    private let milliseconds: Int
    private let end: Int64
    private let mayGoOn: @Sendable () -> Bool

    init(_ milliseconds: Int, _ mayGoOn: @escaping @Sendable () -> Bool) {
        self.milliseconds = milliseconds
        self.mayGoOn = mayGoOn
        end = HostClock.ticks() + Int64(milliseconds)
    }

    var isLeft: Bool { mayGoOn() && HostClock.ticks() < end }

    func check() throws(HostProblem) {
        guard mayGoOn() else { throw .closing }
        guard HostClock.ticks() < end else {
            throw HostProblem(
                .comparisonTooLong, status: 413, detail: "the comparison was not done after \(milliseconds / 1_000) seconds",
                hint: "send less traffic, look for a rule that does not end, or compare with `rulehost diff`")
        }
    }
}
