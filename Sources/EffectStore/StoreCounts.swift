// What a store has done so far, for whoever watches it. Written by its thread, read by any.
import Synchronization

/// Numbers since the store was opened, but for `backlog`.
public final class StoreCounts: Sendable {
    /// Commits that are kept.
    public var commits: Int { commitsEver.load(ordering: .relaxed) }
    /// Groups of them, each with one wait for the disk.
    public var groups: Int { groupsEver.load(ordering: .relaxed) }
    /// Commits that could not be kept.
    public var faults: Int { faultsEver.load(ordering: .relaxed) }
    /// Rows of the journal that are not folded yet.
    public var backlog: Int { backlogNow.load(ordering: .relaxed) }
    /// What nobody was told of, because too much waited for it.
    public var outboxDropped: Int { outboxDroppedEver.load(ordering: .relaxed) }
    /// Why the last thing that was to be written was not; nil: it was.
    public var fault: EffectStoreFault? { last.withLock { $0 } }

    private let commitsEver = Atomic(0)
    private let groupsEver = Atomic(0)
    private let faultsEver = Atomic(0)
    private let backlogNow = Atomic(0)
    private let outboxDroppedEver = Atomic(0)
    private let last = Monitor<EffectStoreFault?>(nil)
    private let isFailing = Atomic(false)

    /// A group has come through.
    /// - Parameters:
    ///   - failed: of its commits those that were left out, because what they build on is not there.
    ///   - isWritten: anything of it; else the disk was not asked, and nothing is known of it.
    func came(kept: Int, failed: Int, isWritten: Bool) {
        commitsEver.wrappingAdd(kept, ordering: .relaxed)
        faultsEver.wrappingAdd(failed, ordering: .relaxed)
        guard isWritten else { return }
        groupsEver.wrappingAdd(1, ordering: .relaxed)
        came(through: nil)
    }

    /// A group has not.
    func failed(_ commits: Int, _ fault: EffectStoreFault) {
        faultsEver.wrappingAdd(commits, ordering: .relaxed)
        came(through: fault)
    }

    func dropped(ofOutbox count: Int) { outboxDroppedEver.store(count, ordering: .relaxed) }

    func hold(_ rows: Int) { backlogNow.store(rows, ordering: .relaxed) }

    /// - Parameter fault: nil: it did.
    func came(through fault: EffectStoreFault?) {
        guard fault != nil || isFailing.load(ordering: .relaxed) else { return }
        isFailing.store(fault != nil, ordering: .relaxed)
        last.withLock { $0 = fault }
    }
}
