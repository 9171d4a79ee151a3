// The state of an eval: where it is read from, and where --apply puts it. While a state file is being changed nobody
// else may change it: two evals on one file come one after the other, and both count.
import Glibc
import RuleEngine
import RuleStore

final class StateStore {
    /// What evaluations start from.
    let state: AppState
    private let target: String?
    private let lock: StateLock?

    init(_ options: EvalOptions) throws(CommandFault) {
        target = options.applyFile
        lock = if let target { try StateLock(beside: target) } else { nil }
        do throws(StoreFault) {
            if let file = options.stateFile {
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
    func save(_ state: AppState) throws(CommandFault) {
        guard let target else { return }
        do throws(StoreFault) {
            try StateFile.write(state, to: target)
        } catch {
            throw .store(error)
        }
    }
}

/// Held as long as it lives. The lock is on the folder, because the file itself is replaced by each change.
private final class StateLock {
    private let folder: Int32
    /// Another eval that waits for our own output would wait for ever.
    private static let patience: Int64 = 20_000_000_000

    init(beside path: String) throws(CommandFault) {
        let name = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .stateNotWritten(path: path, reason: SystemError.text(errno)) }
        let end = ProgressBar.now() + StateLock.patience
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            guard code == EWOULDBLOCK || code == EINTR else {
                close(folder)
                throw .stateNotWritten(path: path, reason: SystemError.text(code))
            }
            guard ProgressBar.now() < end else {
                close(folder)
                throw .stateNotWritten(path: path, reason: "another rulehost is changing it")
            }
            usleep(5_000)
        }
    }

    deinit { close(folder) }
}
