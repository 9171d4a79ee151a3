// How it goes with the messages of one app whose time has come: which are being decided, which are to be tried again and when, and whether
// the app rests, because nothing of it can be decided. Numbers only; belongs to DueClock, which holds its lock.
import EffectStore

struct DueTurn {
    struct Key: Hashable {
        let recipient: String
        let id: String

        init(_ message: DueMessage) { (recipient, id) = (message.recipient, message.id) }
    }

    enum Outcome {
        /// Decided, or gone.
        case done
        /// It waits for a later moment than was thought, in milliseconds.
        case moved(Int64)
        case failed
        /// There is no such app.
        case appIsGone
    }

    private var underWay: Set<Key> = []
    /// Those that have failed, or moved, and are not to be tried again before, in milliseconds.
    private var notBefore: [Key: Int64] = [:]
    private var restsUntil = Int64.min
    /// Milliseconds of the rest before; 0: it has not failed since something was decided.
    private var rest: Int64 = 0
    private var failuresInARow = 0
    /// There was more to decide than was taken.
    private var hasMore = false

    /// Of one app at the same time.
    static let most = 32
    /// Messages that are to be tried again whose times are known apart.
    private static let mostLate = 1_024
    /// Milliseconds after which what could not be decided is tried again.
    private static let patience: Int64 = 5_000
    private static let longestRest: Int64 = 300_000
    /// An app that is gone may come back, but hardly in a moment.
    private static let absence: Int64 = 600_000

    var count: Int { underWay.count }

    /// Nothing is known of it that has to be remembered.
    func isOver(now: Int64) -> Bool {
        underWay.isEmpty && restsUntil <= now && rest == 0 && !notBefore.values.contains { $0 > now }
    }

    /// Rows of the table that are looked at, so that enough of them are new, and one more: whether there are others is seen. 0: none.
    func rows(now: Int64) -> Int {
        guard restsUntil <= now, underWay.count < DueTurn.most else { return 0 }
        return DueTurn.most + underWay.count + notBefore.count + 1
    }

    /// - Parameter messages: whose time has come, the earliest first.
    /// - Returns: those that are to be decided now; none that has failed stands before one that has not been tried.
    mutating func take(_ messages: [DueMessage], now: Int64) -> [DueMessage] {
        let waiting = messages.filter { !underWay.contains(Key($0)) }
        let fresh = waiting.filter { notBefore[Key($0)] == nil }
        let again = waiting.filter { notBefore[Key($0)].map { $0 <= now } ?? false }
        let room = max(0, DueTurn.most - underWay.count)
        hasMore = fresh.count + again.count > room
        let taken = Array((fresh + again).prefix(room))
        for message in taken { underWay.insert(Key(message)) }
        return taken
    }

    /// Other rules are in force: what could not be decided by those before may be now.
    mutating func wake() { (restsUntil, rest, failuresInARow) = (Int64.min, 0, 0) }

    /// - Returns: others may be taken now.
    mutating func finish(_ message: DueMessage, _ outcome: Outcome, now: Int64) -> Bool {
        let key = Key(message)
        underWay.remove(key)
        switch outcome {
        case .done:
            notBefore[key] = nil
            (failuresInARow, rest) = (0, 0)
        case .moved(let again): notBefore[key] = again
        case .failed:
            failuresInARow += 1
            notBefore[key] = now + DueTurn.patience
            if failuresInARow >= DueTurn.most {
                failuresInARow = 0
                rest = min(DueTurn.longestRest, max(DueTurn.patience, rest * 2))
                restsUntil = now + rest
            }
        case .appIsGone: restsUntil = now + DueTurn.absence
        }
        if notBefore.count > DueTurn.mostLate { notBefore = [:] }
        return hasMore && underWay.count <= DueTurn.most / 2 && restsUntil <= now
    }
}
