// Takes apps into use, beside the threads that decide: reads their files, compiles them, and hands them over. Called by shards,
// which go on meanwhile; one app does not wait for the next one longer than its own load takes.
import EffectStore
import Glibc
import PushMessage
import RuleEngine
import RuleStore
import RuleWorkers

final class RuleLoader: Sendable {
    private struct Orders {
        var waiting: [LoadOrder] = []
        var isClosed = false
    }

    private let rules: RulesFolder
    private let settings: HostSettings
    /// nil: rules run in this process.
    private let pool: WorkerPool?
    private let orders = Monitor(Orders())
    private let threads = Monitor<[pthread_t]>([])
    private static let count = 2

    init(_ rules: RulesFolder, _ settings: HostSettings) throws(HostStartFault) {
        self.rules = rules
        self.settings = settings
        pool = settings.isolation == .process ? WorkerPool(program: settings.program, workers: settings.shards, spare: true) : nil
        for _ in 0..<RuleLoader.count { try start() }
    }

    private func start() throws(HostStartFault) {
        var thread = pthread_t()
        let loader = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { loader in
                if let loader { Unmanaged<RuleLoader>.fromOpaque(loader).takeRetainedValue().work() }
                return nil
            }, loader.toOpaque())
        guard code == 0 else {
            loader.release()
            end()
            throw HostStartFault(
                code: "no_thread", message: "the system gives no thread to work on",
                hint: "end other programs, or raise the limit (ulimit -u)")
        }
        let started = thread
        threads.withLock { $0.append(started) }
    }

    func load(_ order: LoadOrder) { orders.change { $0.waiting.append(order) } }

    func end() {
        orders.change { $0.isClosed = true }
        let all = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in all { pthread_join(thread, nil) }
    }

    private func work() {
        while let order = orders.wait({ orders -> LoadOrder?? in
            if orders.waiting.isEmpty { return orders.isClosed ? .some(nil) : nil }
            return .some(orders.waiting.removeFirst())
        }) {
            order.done(load(order.app))
        }
    }

    private func load(_ app: String) -> LoadOrder.Outcome {
        guard RulesFolder.isAppName(app) else { return .failed(.unknownApp(app), isThere: false) }
        let files: [SourceFile]
        do throws(StoreFault) {
            files = try rules.files(of: app)
        } catch {
            return .failed(HostProblem(error, app: app), isThere: error.code != .appUnknown)
        }
        return load(app, files)
    }

    func load(_ app: String, _ files: [SourceFile]) -> LoadOrder.Outcome {
        if let pool {
            switch pool.load(app: app, files: files) {
            case .loaded(let app): return .ready(RulesInUse(.there(app), settings: settings))
            case .failed(let faults): return .failed(HostProblem(faults), isThere: true)
            }
        }
        switch RulesetLoader.load(app: app, files: files) {
        case .loaded(let app): return .ready(RulesInUse(.here(Evaluator(app)), settings: settings))
        case .failed(let faults): return .failed(HostProblem(faults), isThere: true)
        }
    }
}
