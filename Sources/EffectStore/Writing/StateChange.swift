// State that somebody puts in the place of what is there: an import, a repair by hand. Rules never do; they have effects.
// Made by verbs, carried out on the writer's thread in one transaction with its line of the audit.
public import RuleEngine

public enum StateChange: Sendable {
    /// nil: the recipient is forgotten.
    case recipient(String, RecipientState?)
    case shared(ExactTable<StoredValue>)
    /// Everything that the app remembers is forgotten; what follows comes in its place.
    case everything
}

extension StateChange {
    static func apply(
        _ changes: [StateChange], app: String, _ audit: AuditEntry, in connection: Connection
    ) throws(EffectStoreFault) {
        // What lies in the journal would otherwise come over the new state when it is folded.
        while try Folding.fold(connection, atMost: 256, now: audit.deed.at) > 0 {}
        try connection.transaction { () throws(EffectStoreFault) in
            for change in changes { try change.apply(app: app, audit.deed, in: connection) }
            try StoredAudit.add(audit, in: connection)
        }
    }

    private func apply(app: String, _ deed: Deed, in connection: Connection) throws(EffectStoreFault) {
        switch self {
        case .recipient(let id, let state):
            let state = state ?? RecipientState()
            let dedupe = max(try StoredState.keyed(app: app, recipient: id, in: connection).dedupe, Sweeping.defaultDedupe)
            try StoredState.write(state, dedupe: dedupe, app: app, recipient: id, now: deed.at, in: connection)
            try StoredDue.replace(state.deferred, app: app, recipient: id, in: connection)
        case .shared(let values):
            try StoredState.write(values, app: app, now: deed.at, in: connection)
        case .everything:
            try connection.run("DELETE FROM recipient WHERE app = ?", [.text(app)])
            try connection.run("DELETE FROM app WHERE name = ?", [.text(app)])
            try connection.run("DELETE FROM due WHERE app = ?", [.text(app)])
        }
    }
}
