// The children that run rules. Made once by whoever serves; apps are taken into use through it and asked through the
// WorkerApp that comes of it. Any thread may call.
//
// What it promises: a child that dies, hangs or lies costs the messages that it has in hand - they are answered as the app
// says for errors - and nobody else anything; another takes its place at once; the app that did it is named.
import CRuleWorker
public import RuleEngine

public final class WorkerPool: Sendable {
    private struct State {
        var shared: [Worker] = []
        var next = 0
        var apps: [String: Standing] = [:]
        var slots: UInt32 = 0
        /// Children that ended by a fault of what they ran.
        var ends: [OutageCode: Int] = [:]

        init(shared: [Worker]) { self.shared = shared }

        mutating func takeSlot() -> UInt32 {
            slots &+= 1
            return slots
        }

        /// nil: the ruleset is in quarantine.
        mutating func worker(of app: String, _ ruleset: String) -> Worker? {
            if let standing = apps[app] {
                if standing.isInQuarantine(ruleset) { return nil }
                switch standing.place {
                case .shared(let worker), .own(let worker): return worker
                }
            }
            let worker = shared[next % shared.count]
            next += 1
            apps[app] = Standing(ruleset: ruleset, sharing: worker)
            return worker
        }

        /// Others are in the same process as `app`.
        func isShared(by app: String) -> Bool {
            guard case .shared(let worker) = apps[app]?.place else { return false }
            return apps.contains { other, standing in
                if other != app, case .shared(let theirs) = standing.place { theirs === worker } else { false }
            }
        }
    }

    private let keeper: Keeper
    /// Where rules that nobody knows yet are loaded, if those they are to live with would have to wait for it.
    private let porch: Worker
    private let state: Guarded<State>
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - program: what a child runs; it finds WorkerProcess.name as its own name and calls WorkerProcess.run.
    ///   - workers: processes that apps share; each is started when it is first asked.
    ///   - spare: one more stands ready, shut in and without rules, to take the place of one that ends: for whoever
    ///     serves for long.
    public convenience init(program: String = "/proc/self/exe", workers: Int = 1, spare: Bool = false) {
        self.init(program: program, workers: workers, spare: spare) { rw_now() }
    }

    /// - Parameter clock: microseconds.
    init(program: String, workers: Int, spare: Bool = false, clock: @escaping @Sendable () -> Int64) {
        self.clock = clock
        let keeper = Keeper(program, keepsSpare: spare)
        self.keeper = keeper
        porch = Worker(keeper: keeper)
        state = Guarded(State(shared: (0..<max(1, workers)).map { _ in Worker(keeper: keeper) }))
    }

    // MARK: taking apps into use

    public enum LoadOutcome {
        case loaded(WorkerApp)
        /// At least one, in reading order.
        case failed([RuleFault])
    }

    /// Loads an app in a child. The same app may be in use more than once, with the same files or others.
    public func load(app: String, files: [SourceFile], limits: LoadLimits = LoadLimits()) -> LoadOutcome {
        let ruleset = AppCrossing.hash(of: files)
        let (worker, slot, isShared) = state.withLock { state in
            defer { state.apps[app]?.ruleset = ruleset }
            return (state.worker(of: app, ruleset), state.takeSlot(), state.isShared(by: app))
        }
        guard let worker else { return .failed([WorkerPool.fault(.quarantined, ChildEnd.quarantine)]) }
        let text = AppText(app, slot: slot, files: files, limits: limits)
        guard isShared else { return load(text, ruleset, files, limits, in: worker) }
        let outcome = load(text, ruleset, files, limits, in: porch)
        porch.drop(slot)
        guard case .loaded = outcome, let worker = self.worker(of: app, ruleset) else { return outcome }
        return load(text, ruleset, files, limits, in: worker)
    }

    private func load(_ text: AppText, _ ruleset: String, _ files: [SourceFile], _ limits: LoadLimits, in worker: Worker) -> LoadOutcome {
        let app = text.app
        do throws(ChildEnd) {
            let (loaded, stray) = try worker.load(text)
            if let stray { separate(stray.app) }
            let outcome = try loaded.content.withUnsafeBufferPointer { (content) throws(ChildEnd) -> LoadOutcome in
                let content = UnsafeRawBufferPointer(content)
                do throws(CrossingFault) {
                    guard loaded.kind == .loaded else { return .failed(try AppCrossing.faults(content)) }
                    let (outline, warnings) = try AppCrossing.outline(content, app: app, files: files, limits: limits)
                    return .loaded(WorkerApp(outline, warnings, text: text, worker: worker, pool: self))
                } catch {
                    throw .lied(error.expected)
                }
            }
            // A unit of fuel is some ten nanoseconds.
            charge(app, Int(clamping: loaded.time) * 100, isOverBudget: WorkerPool.isStopped(outcome))
            return outcome
        } catch {
            if case .lied = error { worker.drop(text.slot) }
            blame(app, ruleset, for: error)
            return .failed([WorkerPool.fault(OutageCode(error), error.sentence)])
        }
    }

    private static func isStopped(_ outcome: LoadOutcome) -> Bool {
        switch outcome {
        case .loaded: false
        case .failed(let faults): faults.contains { $0.code.rawValue.hasPrefix("budget_") }
        }
    }

    private static func fault(_ code: OutageCode, _ sentence: String) -> RuleFault {
        let code: RuleFault.Code =
            switch code {
            case .died: .workerDied
            case .hung: .workerHung
            case .lied: .workerLied
            case .quarantined: .appQuarantined
            }
        return RuleFault(code: code, file: "app.lua", message: sentence)
    }

    // MARK: standing

    /// nil: the app has not been taken into use.
    public func standing(of app: String) -> AppStanding? {
        state.withLock { state in
            guard let standing = state.apps[app] else { return nil }
            if standing.isInQuarantine(standing.ruleset) { return .quarantined }
            switch standing.place {
            case .shared: return .sharing
            case .own: return .alone
            }
        }
    }

    /// How many processes have ended by a fault of what they ran, and why.
    public var ends: [OutageCode: Int] { state.withLock { $0.ends } }

    /// Apps that are not asked any more.
    public var quarantinedApps: Int { state.withLock { $0.apps.values.count { $0.isInQuarantine($0.ruleset) } } }

    /// An operator lets an app out: it shares a process again, and its deaths are forgotten.
    public func release(_ app: String) { state.withLock { $0.apps[app] = nil } }

    /// The processes that run now.
    public var processes: [Int32] {
        let workers = state.withLock { state in
            state.shared + [porch] + state.apps.values.compactMap { if case .own(let worker) = $0.place { worker } else { nil } }
        }
        return workers.compactMap(\.pid)
    }

    func worker(of app: String, _ ruleset: String) -> Worker? { state.withLock { $0.worker(of: app, ruleset) } }

    /// That no process could be started is nobody's fault.
    func blame(_ app: String, _ ruleset: String, for end: ChildEnd) {
        guard end.isFault else { return }
        let now = clock()
        state.withLock { state in
            state.ends[OutageCode(end), default: 0] += 1
            state.apps[app]?.died(ruleset, at: now) { Worker(keeper: keeper, givesWay: true) }
        }
    }

    /// After whose turn its process went on speaking. It may have been somebody else who made it seem so: that costs it nothing
    /// but the company.
    func separate(_ app: String) { state.withLock { $0.apps[app]?.leave { Worker(keeper: keeper) } } }

    /// An app that was stopped by a limit, or takes more than its share, leaves those that it shares a process with.
    func charge(_ app: String, _ fuel: Int, isOverBudget: Bool) {
        let now = clock()
        state.withLock { state in
            let isOverShare = state.apps[app]?.used(fuel, at: now) ?? false
            guard isOverBudget || isOverShare, state.isShared(by: app) else { return }
            state.apps[app]?.leave { Worker(keeper: keeper, givesWay: isOverBudget) }
        }
    }
}
