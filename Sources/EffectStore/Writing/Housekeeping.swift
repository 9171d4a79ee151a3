// What the writer does for the file besides commits: it folds the journal, sweeps what is over, gives back room. In small
// pieces between commits, without a sync of its own: what it wrote and a power cut took is simply done again. A fault here is
// no commit's fault; the work is tried again later.
import Glibc
import PushMessage

package struct Housekeeping: Sendable {
    /// Rows of the journal beyond which it is folded although commits wait.
    package var mostBacklog = 4_096
    /// Milliseconds without a commit before anything is done.
    package var rest = 50
    /// Milliseconds between sweeps of a store in which nothing happens.
    package var sweepPause = 60_000
    /// Milliseconds between two looks at what is over while commits keep coming, and the commits after which one is due in any case:
    /// no more than a look takes away can have come meanwhile.
    package var sweepUnderLoad = 1_000
    package var commitsBetweenSweeps = 256
    /// What waits to be told elsewhere.
    package var outbox = OutboxBounds()

    /// Rows that are folded at a time: as many as take some 10 ms.
    private var batch = 64
    /// On the clock that nobody sets.
    private var notBefore: Int64 = 0
    private var swept = false
    private var lastSweep = Housekeeping.milliseconds()
    private var commitsSinceSweep = 0
    /// Up to which row of the journal everything was folded that can be.
    private var place: Int64 = 0
    private var unreadable: UnreadableParts
    /// When what could not be read is looked at again.
    private var retryAt: Int64 = 0
    private static let retryPause: Int64 = 600_000
    let news = UnreadableNews()

    package init() { unreadable = UnreadableParts(news) }

    /// How long to wait for a commit before there is something to do.
    func pause(backlog: Int) -> Int { backlog > 0 || !swept ? rest : sweepPause }

    /// Between two groups: folds only where the journal grows faster than it is folded, and takes away a part of what is over, which would
    /// else stay for as long as there is something to do.
    mutating func keepUp(_ connection: Connection, _ backlog: inout Int, with count: Int, now: Instant) {
        swept = false
        commitsSinceSweep += count
        let time = Housekeeping.milliseconds()
        guard time >= notBefore else { return }
        let sweeps = commitsSinceSweep >= commitsBetweenSweeps || time - lastSweep >= sweepUnderLoad
        guard backlog > mostBacklog || sweeps else { return }
        var folded = 0
        quietly(connection) { (housekeeping) throws(EffectStoreFault) in
            while folded < count, backlog > housekeeping.mostBacklog {
                folded += try housekeeping.fold(connection, &backlog, now: now)
            }
            guard sweeps else { return }
            try housekeeping.lookAgain(connection, &backlog)
            housekeeping.lastSweep = time
            // A group may be larger than what one look takes away.
            var passes = max(1, housekeeping.commitsSinceSweep / housekeeping.commitsBetweenSweeps)
            housekeeping.commitsSinceSweep = 0
            while passes > 0, try Sweeping.sweep(connection, now: now, &housekeeping.unreadable) { passes -= 1 }
        }
    }

    /// While nothing else is to be done.
    mutating func tidy(_ connection: Connection, _ backlog: inout Int, now: Instant, while isIdle: () -> Bool) {
        guard Housekeeping.milliseconds() >= notBefore else {
            swept = true
            return
        }
        quietly(connection) { (housekeeping) throws(EffectStoreFault) in
            try housekeeping.lookAgain(connection, &backlog)
            while backlog > 0 {
                guard isIdle() else { return }
                if try housekeeping.fold(connection, &backlog, now: now) == 0 { backlog = 0 }
            }
            while try Sweeping.sweep(connection, now: now, &housekeeping.unreadable) { guard isIdle() else { return } }
            while try Sweeping.giveBack(connection) { guard isIdle() else { return } }
            try connection.set("wal_checkpoint(PASSIVE)")
            housekeeping.swept = true
        }
    }

    /// Somebody may have put what can be read in the place of what could not.
    private mutating func lookAgain(_ connection: Connection, _ backlog: inout Int) throws(EffectStoreFault) {
        guard !unreadable.isEmpty else { return }
        let time = Housekeeping.milliseconds()
        if retryAt == 0 { retryAt = time + Housekeeping.retryPause }
        guard time >= retryAt else { return }
        unreadable.forget()
        (place, retryAt) = (0, 0)
        backlog = Int(try connection.integer("SELECT count(*) FROM journal") ?? 0)
    }

    private mutating func fold(_ connection: Connection, _ backlog: inout Int, now: Instant) throws(EffectStoreFault) -> Int {
        let start = Housekeeping.milliseconds()
        let count = try Folding.fold(connection, after: &place, atMost: batch, now: now, &unreadable)
        // Some may have left by another way.
        backlog = count < batch ? 0 : backlog - count
        let spent = Housekeeping.milliseconds() - start
        if spent > 20 { batch = max(1, batch / 2) }
        if spent < 5, count == batch { batch = min(512, batch * 2) }
        return count
    }

    /// Without waiting for the disk: commits that follow bring it there, in order.
    private mutating func quietly(
        _ connection: Connection, _ work: (inout Housekeeping) throws(EffectStoreFault) -> Void
    ) {
        do throws(EffectStoreFault) {
            try Housekeeping.withoutSync(connection) { () throws(EffectStoreFault) in try work(&self) }
        } catch {
            // The disk is full, or pages cannot be read: commits go on, and those who read them are told.
            notBefore = Housekeeping.milliseconds() + 5_000
        }
    }

    static func withoutSync(_ connection: Connection, _ work: () throws(EffectStoreFault) -> Void) throws(EffectStoreFault) {
        let usual = try connection.integer("PRAGMA synchronous") ?? 2
        try connection.set("synchronous = NORMAL")
        do throws(EffectStoreFault) {
            try work()
        } catch {
            try connection.set("synchronous = \(usual)")
            throw error
        }
        try connection.set("synchronous = \(usual)")
    }

    private static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
