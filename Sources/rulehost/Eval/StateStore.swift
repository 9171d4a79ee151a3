// The state of an eval or a replay: where it is read from, and where --apply puts it. While a state file is being changed nobody
// else may change it: two evals on one file come one after the other, and both count.
import RuleEngine
import RuleStore

final class StateStore {
    /// What evaluations start from.
    let state: AppState
    private let target: String?
    private let lock: StateLock?

    /// - Parameters:
    ///   - file: of --state-file.
    ///   - target: of --apply.
    ///   - host: what a host remembers, of --store; in place of the file.
    init(file: String?, target: String?, host: AppState? = nil) throws(CommandFault) {
        self.target = target
        do throws(StoreFault) {
            lock = if let target { try StateLock(of: target) } else { nil }
            if let host {
                state = host
            } else if let file {
                state = try StateFile.read(file)
            } else if let target {
                state = try StateFile.read(target, mayBeMissing: true)
            } else {
                state = AppState()
            }
        } catch {
            throw .store(error)
        }
    }

    /// Writes the state when --apply asks for it.
    /// - Parameter state: nil: there is nothing new.
    func save(_ state: AppState?) throws(CommandFault) {
        guard let target, let state else { return }
        do throws(StoreFault) {
            try StateFile.write(state, to: target)
        } catch {
            throw .store(error)
        }
    }
}
