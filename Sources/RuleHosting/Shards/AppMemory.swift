// What a shard has in memory of what an app remembers: as it is after everything that was decided, also what is not kept yet. Read
// from the store when it is not here; thrown away and read again when something could not be kept. Belongs to the shard's thread.
import EffectStore
import PushMessage
import RuleEngine

final class AppMemory {
    let app: String
    private let keeping: any HostKeeping
    private let list: HotList
    private(set) var hot = ExactTable<Hot>()
    private(set) var state = AppState()
    private var hasShared = false
    /// Of what was decided on `state`.
    private(set) var chain = CommitChain()
    /// Handed to the store, and not heard of.
    private(set) var unkept = 0

    init(_ app: String, keeping: any HostKeeping, list: HotList) {
        self.app = app
        self.keeping = keeping
        self.list = list
    }

    /// Makes sure that what is known of a recipient is here, and what the app shares.
    @discardableResult
    func open(_ recipient: String) throws(HostProblem) -> Hot {
        let use = list.nextUse()
        do throws(EffectStoreFault) {
            if !hasShared {
                state.shared = try keeping.shared(app: app)
                hasShared = true
            }
            if let known = hot[recipient] {
                known.use = use
                return known
            }
            let known = try keeping.recipient(app: app, recipient)
            if known != RecipientState() { state.recipients[recipient] = known }
            let new = Hot(bytes: known.roughBytes, use: use)
            hot[recipient] = new
            list.add(recipient, of: self, new)
            return new
        } catch {
            throw HostProblem(error)
        }
    }

    /// What there is of one recipient, for a look that changes nothing. It must be open.
    func state(of recipient: String) -> AppState {
        var part = AppState()
        part.shared = state.shared
        part.recipients[recipient] = state.recipients[recipient]
        return part
    }

    /// Gives the state away, so that it is changed in its place; `put` brings it back.
    func take() -> AppState {
        var taken = AppState()
        swap(&taken, &state)
        return taken
    }

    func put(_ state: AppState) { self.state = state }

    func apply(_ effects: [Effect], recipient: String) { state.apply(effects, recipient: recipient) }

    /// So much has come to what is known of a recipient.
    func note(_ effects: [Effect], of recipient: Hot) {
        guard !effects.isEmpty else { return }
        var bytes = 0
        for effect in effects { bytes += effect.roughBytes }
        recipient.bytes += bytes
        list.grow(by: bytes)
    }

    /// It can be read again.
    func forget(_ recipient: String) {
        if let known = hot[recipient] { list.leave(known.bytes) }
        hot[recipient] = nil
        state.recipients[recipient] = nil
    }

    /// What somebody else has put in the store since, when everything that was decided here is kept; nil: anything.
    func forget(_ changes: [StateChange]?) {
        // What is on its way was decided on what is here; it cannot be parted from it.
        guard let changes, unkept == 0 else { return drop() }
        for change in changes {
            switch change {
            case .recipient(let id, _): forget(id)
            case .shared:
                state.shared = [:]
                hasShared = false
            case .everything: return drop()
            }
        }
    }

    // MARK: on the way to the store

    func handOver(_ recipient: Hot) {
        unkept += 1
        recipient.unkept += 1
    }

    /// - Parameter isKept: otherwise nothing here is right any more, nor what has been decided on it since.
    func settle(_ recipient: Hot, of chain: CommitChain, isKept: Bool) {
        unkept -= 1
        // A later chain counts anew.
        guard chain === self.chain else { return }
        recipient.unkept -= 1
        if !isKept { drop() }
    }

    /// Everything is read again.
    func drop() {
        for (_, known) in hot { list.leave(known.bytes) }
        state = AppState()
        hot = [:]
        hasShared = false
        chain = CommitChain()
    }
}
