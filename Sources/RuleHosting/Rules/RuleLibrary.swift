// Knows the rules of each app: which are in force, which the folder holds, and what is wrong with them. Works on threads of its own,
// beside those that decide; of one app one thing at a time, but for a look into its folder, which may take as long as its cases do: who
// wants to know what is in force does not wait for that. Called by shards that want rules, and by the watch that has seen a save.
//
// The folder is the draft. A host without a stage serves it: what is saved comes into force when it loads and its cases pass, and is
// kept as a version; else the version before stays. A host of a stage serves what was promoted to it.
import EffectStore
import Glibc
import PushMessage
import RuleEngine
import RuleStore

final class RuleLibrary: Sendable {
    private enum Job: Sendable {
        case load(LoadOrder)
        /// Something of the app has been touched.
        case look
        /// The store may take now what it has refused.
        case keep
        case tell(@Sendable (AppInfo?) -> Void)
        case task(@Sendable (RuleLibrary) -> Void)
        /// Changes nothing of what the library knows, and takes as long as rules take.
        case trial(@Sendable (RuleLibrary) -> Void)
        /// Changes nothing of what the library knows, and is short.
        case errand(@Sendable (RuleLibrary) -> Void)
    }

    /// What a thread works on.
    private enum Hold { case app, look, trial, nothing }

    private struct State {
        var jobs: [(app: String, job: Job)] = []
        /// Apps that are to be looked at, in the order in which they were touched, each once: by a shared module all of them are.
        var looks: [String] = []
        var looked: Set<String> = []
        /// Apps that a thread works on, alone; those whose folder one looks into; those with a trial.
        var busy: Set<String> = []
        var looking: Set<String> = []
        var trying: Set<String> = []
        /// Apps that somebody wants alone while one looks into their folders, and how many do: cases make way for them.
        var wanted: [String: Int] = [:]
        /// Apps whose cases take long: others pass them, on as many threads more.
        var long: Set<String> = []
        var spares = 0
        var records: [String: AppRecord] = [:]
        /// Apps with a version that the store has not taken, and those among them that are to be tried again already.
        var unkept: Set<String> = []
        var keeping: Set<String> = []
        /// Apps of which the store could not be read.
        var unread: Set<String> = []
        var isClosed = false

        mutating func tookTask(_ app: String) {
            let others = (wanted[app] ?? 0) - 1
            wanted[app] = others > 0 ? others : nil
        }
    }

    let workshop: RuleWorkshop
    let keeping: any HostKeeping
    let desk: VersionDesk
    let settings: HostSettings
    let saves = HandSaves()
    let clock: @Sendable () -> Instant
    private let state = Monitor(State())
    private let threads = Monitor<[pthread_t]>([])
    private let watch: RulesWatch
    private let deliver: @Sendable (String, LoadOrder.Outcome) -> Void
    private let listeners: Listeners
    private static let count = 6
    /// Threads that looks may have, and trials: the others are for those who wait.
    private static let mostLooks = 2
    private static let mostTrials = 2
    /// Apps that others pass.
    private static let mostLong = 64
    /// Milliseconds after which a store that has refused a version is asked again.
    private static let patience = 1_000

    /// - Parameter deliver: takes rules that others have to make way for.
    init(
        _ rules: RulesFolder, _ settings: HostSettings, keeping: any HostKeeping, listeners: Listeners,
        clock: @escaping @Sendable () -> Instant, deliver: @escaping @Sendable (String, LoadOrder.Outcome) -> Void
    ) throws(HostStartFault) {
        let workshop = RuleWorkshop(rules, settings)
        self.workshop = workshop
        desk = VersionDesk(keeping) { app, files in workshop.compile(app, files).faults }
        self.settings = settings
        self.keeping = keeping
        self.listeners = listeners
        self.clock = clock
        self.deliver = deliver
        watch = RulesWatch(rules.path, most: settings.mostWatched)
        for _ in 0..<RuleLibrary.count { try start { $0.work() } }
        try start { $0.watchFolders() }
        try start { $0.keepLate() }
    }

    private func start(_ body: @escaping @Sendable (RuleLibrary) -> Void) throws(HostStartFault) {
        guard let thread = HostThread.start({ [self] in body(self) }) else {
            end()
            throw .noThread
        }
        threads.withLock { $0.append(thread) }
    }

    func end() {
        state.change { state in
            state.isClosed = true
            (state.looks, state.looked) = ([], [])
        }
        watch.wake()
        // One that ends may have begun another one.
        while let thread = threads.withLock({ $0.popLast() }) { pthread_join(thread, nil) }
    }

    // MARK: asking

    func load(_ order: LoadOrder) { add(order.app, .load(order)) }

    /// - Parameter done: called once, on one of the library's threads; nil: there is no such app.
    func tell(_ app: String, _ done: @escaping @Sendable (AppInfo?) -> Void) { add(app, .tell(done)) }

    /// Done in its turn, when nothing else is done with the app. Cases of a save that are being run are given up for it, and run again
    /// afterwards: whoever goes back does not wait for them, and what is in force does not change before it is his turn.
    func perform(on app: String, _ task: @escaping @Sendable (RuleLibrary) -> Void) {
        state.change { state in
            state.jobs.append((app, .task(task)))
            state.wanted[app, default: 0] += 1
        }
    }

    /// Somebody waits until nobody looks into the app's folder.
    func isWanted(_ app: String) -> Bool { state.withLock { $0.wanted[app] != nil } }

    /// Done beside whatever else is done with the app, one after the other.
    func tryOut(_ app: String, _ task: @escaping @Sendable (RuleLibrary) -> Void) { add(app, .trial(task)) }

    /// Done soon.
    func run(for app: String, _ task: @escaping @Sendable (RuleLibrary) -> Void) { add(app, .errand(task)) }

    /// A look that has not begun sees this change as well.
    func look(at app: String) {
        state.change { state in
            if !state.isClosed, state.looked.insert(app).inserted { state.looks.append(app) }
        }
    }

    /// Apps of which the system does not tell, because it has no room for it.
    var unwatched: Int { watch.unwatched }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Apps of which anything is known.
    var known: [String: AppInfo] { state.withLock { state in state.records.reduce(into: [:]) { $0[$1.key] = $1.value.info($1.key) } } }

    private func add(_ app: String, _ job: Job) { state.change { $0.jobs.append((app, job)) } }

    // MARK: threads

    private func watchFolders() {
        watch.run { apps in for app in apps { look(at: app) } }
    }

    /// Has versions kept that the store has refused, until it takes them, and reads again what could not be read.
    private func keepLate() {
        while state.wait({ state in state.isClosed ? false : state.unkept.isEmpty && state.unread.isEmpty ? nil : true }) {
            if state.wait(milliseconds: RuleLibrary.patience, { $0.isClosed ? true : nil }) != nil { return }
            state.change { state in
                for app in state.unkept.sorted() where state.keeping.insert(app).inserted { state.jobs.append((app, .keep)) }
                for app in state.unread.sorted() where state.looked.insert(app).inserted { state.looks.append(app) }
            }
        }
    }

    private func work() {
        while let (app, job, hold) = next() {
            perform(job, app, isAlone: hold == .app)
            state.change { state in
                switch hold {
                case .app:
                    state.busy.remove(app)
                    state.long.remove(app)
                case .look:
                    state.looking.remove(app)
                    state.long.remove(app)
                case .trial: state.trying.remove(app)
                case .nothing: break
                }
            }
        }
    }

    /// nil: there is nothing more to do.
    private func next() -> (app: String, job: Job, hold: Hold)? {
        let found: (app: String, job: Job, hold: Hold)?? = state.wait { state in
            // Somebody waits for all but a look.
            for place in state.jobs.indices {
                guard let hold = RuleLibrary.hold(state.jobs[place], state) else { continue }
                let next = state.jobs.remove(at: place)
                switch hold {
                case .app:
                    state.busy.insert(next.app)
                    if case .task = next.job { state.tookTask(next.app) }
                case .trial: state.trying.insert(next.app)
                case .look, .nothing: break
                }
                return .some((next.app, next.job, hold))
            }
            let (busy, looking) = (state.busy, state.looking)
            if state.looking.count(where: { !state.long.contains($0) }) < RuleLibrary.mostLooks,
                let place = state.looks.firstIndex(where: { !busy.contains($0) && !looking.contains($0) })
            {
                let app = state.looks.remove(at: place)
                state.looked.remove(app)
                state.looking.insert(app)
                return .some((app, .look, .look))
            }
            return state.isClosed && state.jobs.isEmpty ? .some(.none) : .none
        }
        return found ?? nil
    }

    /// The cases of an app take long: another thread takes the place of the one that runs them.
    /// - Returns: of how many apps they do.
    func takesLong(_ app: String) -> Int {
        let (count, needsThread) = state.change { state in
            let hasRoom = state.long.count < RuleLibrary.mostLong || state.long.contains(app)
            guard !state.isClosed, hasRoom else { return (state.long.count, false) }
            state.long.insert(app)
            defer { state.spares = max(state.spares, state.long.count) }
            return (state.long.count, state.long.count > state.spares)
        }
        guard needsThread else { return count }
        if let thread = HostThread.start({ [self] in work() }) {
            threads.withLock { $0.append(thread) }
        } else {
            state.withLock { state in
                state.spares -= 1
                state.long.remove(app)
            }
        }
        return count
    }

    /// What a thread that does the job works on; nil: it has to wait.
    private static func hold(_ next: (app: String, job: Job), _ state: State) -> Hold? {
        switch next.job {
        case .errand: return .nothing
        case .trial: return state.trying.count < mostTrials && !state.trying.contains(next.app) ? .trial : nil
        default: break
        }
        guard !state.busy.contains(next.app) else { return nil }
        guard state.looking.contains(next.app) else { return .app }
        switch next.job {
        // A look that finds something tells it when it has; until then this is in force.
        case .load, .tell: return state.records[next.app]?.isKnown == true ? .nothing : nil
        default: return nil
        }
    }

    private func perform(_ job: Job, _ app: String, isAlone: Bool) {
        switch job {
        case .load(let order):
            if let version = order.version { return order.done(rules(of: app, version: version)) }
            if isAlone { return order.done(rules(of: app)) }
            while !give(app, to: order) {}
        case .look: if record(of: app)?.isKnown == true { lookIntoFolder(app) } else { _ = known(app) }
        case .keep:
            state.withLock { _ = $0.keeping.remove(app) }
            keepAgain(app)
        case .tell(let done): done(known(app)?.info(app))
        case .task(let task), .trial(let task), .errand(let task): task(self)
        }
    }

    /// What is in force, while somebody looks into the folder.
    /// - Returns: false: something else has come into force meanwhile. What is given after that must not be older.
    private func give(_ app: String, to order: LoadOrder) -> Bool {
        guard let record = record(of: app) else {
            order.done(.failed(.unknownApp(app), isThere: false))
            return true
        }
        let outcome = outcome(app, record)
        return state.withLock { state in
            guard state.records[app]?.isInForce(like: record) == true else { return false }
            order.done(outcome)
            return true
        }
    }

    // MARK: records

    func record(of app: String) -> AppRecord? { state.withLock { $0.records[app] } }

    func set(_ record: AppRecord?, of app: String) {
        state.change { state in
            state.records[app] = record
            if record?.unkept.isEmpty ?? true { state.unkept.remove(app) } else { state.unkept.insert(app) }
            if record?.isUnread ?? false { state.unread.insert(app) } else { state.unread.remove(app) }
        }
    }

    /// Reads the app when it was not asked for before; nil: there is none.
    func known(_ app: String) -> AppRecord? {
        if let record = record(of: app), record.isKnown { return record }
        guard RulesFolder.isAppName(app) else { return nil }
        // First, so that no change is missed.
        watch.follow(app)
        lookForTheFirstTime(app)
        if record(of: app) == nil { watch.forget(app) }
        return record(of: app)
    }

    func forget(_ app: String) {
        set(nil, of: app)
        watch.forget(app)
    }

    private func rules(of app: String) -> LoadOrder.Outcome {
        guard let record = known(app) else { return .failed(.unknownApp(app), isThere: false) }
        return outcome(app, record)
    }

    /// For a message that is to be decided as it was held back.
    private func rules(of app: String, version hash: String) -> LoadOrder.Outcome {
        do throws(EffectStoreFault) {
            let files = try keeping.files(app: app, hash: hash)
            guard !files.isEmpty else { return .failed(.unknownVersion(app, hash), isThere: true) }
            return make(app, files).map { RulesInForce(main: $0) }.outcome
        } catch {
            return .failed(HostProblem(error), isThere: true)
        }
    }

    /// A canary that does not load is none.
    func outcome(_ app: String, _ record: AppRecord) -> LoadOrder.Outcome {
        guard let current = record.current else { return .failed(record.problem ?? HostProblem(record.faults), isThere: true) }
        return make(app, current.files).map { main in
            var rules = RulesInForce(main: main)
            if let canary = record.canary, case .success(let other) = make(app, canary.version.files) {
                rules.canary = other
                rules.percent = canary.percent
            }
            return rules
        }.outcome
    }

    private func make(_ app: String, _ files: [SourceFile]) -> Result<RulesInUse, HostProblem> {
        workshop.make(app, files).mapError { HostProblem($0.all) }
    }

    /// Rules that come into force, or none, for whoever decides.
    func deliver(_ outcome: LoadOrder.Outcome, to app: String) { deliver(app, outcome) }

    func announce(_ kind: HostEvent.Kind, of app: String) {
        listeners.tell(HostEvent(app: app, at: clock(), kind: kind, info: record(of: app)?.info(app)))
    }
}

extension Result where Success == RulesInForce, Failure == HostProblem {
    fileprivate var outcome: LoadOrder.Outcome {
        switch self {
        case .success(let rules): .ready(rules)
        case .failure(let problem): .failed(problem, isThere: true)
        }
    }
}
