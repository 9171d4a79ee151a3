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

    mutating func add(_ entry: Entry) { entries.append(entry) }

    var deeds: [Kept] {
        entries.map {
            Kept(
                app: $0.decided.ask.request.app, recipient: $0.decided.recipient ?? "", effects: $0.decided.effects, answer: $0.kept,
                chain: $0.chain)
        }
    }

    /// Sends the answers out.
    func tell(_ results: [Result<CommitOutcome, EffectStoreFault>]) {
        var delivery = Delivery()
        for (entry, result) in zip(entries, results) {
            delivery.add(KeptGroup.answer(entry.decided, result, to: entry.decided.ask), to: entry.decided.ask.sink)
        }
        delivery.send()
    }

    /// - Parameter ask: the one that was decided, or one that has repeated it.
    static func answer(_ decided: Decided, _ result: Result<CommitOutcome, EffectStoreFault>, to ask: Ask) -> HostAnswer {
        switch result {
        case .success(.kept):
            Decided(ask, decided).answer
        case .success(.answeredBefore(let answer)):
            answer.question == RequestDigest.of(ask.request)
                ? HostAnswer(tag: ask.request.tag, status: answer.status, body: answer.answer)
                : HostAnswer(tag: ask.request.tag, .mismatch)
        case .failure(let fault): HostAnswer(tag: ask.request.tag, HostProblem(fault))
        }
    }
}
