// What a shard hands to the store at once, and who waits for it.
import EffectStore
import RuleEngine

// SAFETY: seats are touched by their shard's thread only; the store's thread looks at asks, answers and chains.
struct KeptGroup: @unchecked Sendable {
    struct Entry {
        let seat: AppSeat
        let decided: Decided
        let chain: CommitChain
        let kept: KeptAnswer?
    }

    private(set) var entries: [Entry] = []
    let watch: (any ShardWatching)?

    init(_ watch: (any ShardWatching)?) { self.watch = watch }

    mutating func add(_ entry: Entry) { entries.append(entry) }

    var deeds: [Kept] {
        entries.map {
            Kept(
                app: $0.decided.ask.request.app, recipient: $0.decided.recipient ?? "", effects: $0.decided.effects, answer: $0.kept,
                post: $0.decided.post, chain: $0.chain)
        }
    }

    /// Sends the answers out.
    /// - Parameter start: when the group was handed to the store; 0 where nobody watches.
    func tell(_ results: [Result<CommitOutcome, EffectStoreFault>], start: Int64) {
        var delivery = Delivery(watch)
        if let watch { tell(watch, results, start) }
        for place in entries.indices {
            let decided = entries[place].decided
            delivery.add(KeptGroup.answer(decided, results[place], to: decided.ask), to: decided.ask.sink)
        }
        delivery.send()
    }

    private func tell(_ watch: any ShardWatching, _ results: [Result<CommitOutcome, EffectStoreFault>], _ start: Int64) {
        let now = HostClock.nanoseconds()
        var count = 0
        // A dry run waits here for what it was decided on, and counts as little as where it does not have to.
        for (entry, result) in zip(entries, results) where !entry.decided.ask.request.options.isDryRun {
            count += 1
            watch.answered(after: now - entry.decided.ask.since)
            switch result {
            case .success(.kept): if let record = entry.decided.record { watch.recorded(record) }
            case .success(.answeredBefore): break
            case .failure: watch.notKept(entry.decided.ask.request)
            }
        }
        if count > 0 { watch.kept(count, took: now - start) }
    }

    /// - Parameter ask: the one that was decided, or one that has repeated it.
    static func answer(_ decided: Decided, _ result: Result<CommitOutcome, EffectStoreFault>, to ask: Ask) -> HostAnswer {
        switch result {
        case .success(.kept):
            decided.answer(to: ask)
        case .success(.answeredBefore(let answer)):
            answer.question == RequestDigest.of(ask.request)
                ? HostAnswer(tag: ask.request.tag, status: answer.status, body: answer.answer)
                : HostAnswer(tag: ask.request.tag, .mismatch)
        case .failure(let fault): HostAnswer(tag: ask.request.tag, HostProblem(fault))
        }
    }
}
