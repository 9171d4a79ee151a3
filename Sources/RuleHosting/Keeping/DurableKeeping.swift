// What a host remembers, in a store. Bytes are made on the shard's thread; the store's own thread writes them.
import EffectStore
import PushMessage
import RuleEngine

final class DurableKeeping: HostKeeping {
    private let store: EffectStore

    init(_ store: EffectStore) { self.store = store }

    func recipient(app: String, _ id: String) throws(EffectStoreFault) -> RecipientState { try store.view.recipient(app: app, id) }

    func shared(app: String) throws(EffectStoreFault) -> ExactTable<StoredValue> { try store.view.shared(app: app) }

    func answer(app: String, token: String, key: String, now: Instant) throws(EffectStoreFault) -> KeptAnswer? {
        try store.view.answer(app: app, token: token, key: key, now: now)
    }

    func due(first count: Int) throws(EffectStoreFault) -> [DueMessage] { try store.view.due(first: count) }

    func keep(_ deeds: [Kept], now: Instant, _ done: @escaping @Sendable ([Result<CommitOutcome, EffectStoreFault>]) -> Void) {
        store.commit(
            deeds.map { Commit(app: $0.app, recipient: $0.recipient, effects: $0.effects, answer: $0.answer, chain: $0.chain) }, done)
    }
}
