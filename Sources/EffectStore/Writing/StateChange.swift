// State that somebody puts in the place of what is there: an import, a repair by hand. Rules never do; they have effects.
// Made by verbs, carried out on the writer's thread in one transaction with its line of the audit. What is replaced is not read,
// so that it may be damaged.
public import PushMessage
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
        try connection.transaction { () throws(EffectStoreFault) in
            try ReplacedRows.keepNumbers(in: connection)
            for change in changes { try change.apply(app: app, audit.deed, in: connection) }
            try StoredAudit.add(audit, in: connection)
        }
    }

    private func apply(app: String, _ deed: Deed, in connection: Connection) throws(EffectStoreFault) {
        switch self {
        case .recipient(let id, let state):
            let known = try ReplacedRows.drop(recipient: id, app: app, in: connection)
            if state == nil {
                try StoredAnswers.drop(app: app, recipient: id, in: connection)
                try StoredOutbox.drop(app: app, recipient: id, in: connection)
            }
            let state = state ?? RecipientState()
            try StoredState.write(
                state, dedupe: StateChange.window(of: state.seen, known: known, now: deed.at), app: app, recipient: id, now: deed.at,
                in: connection)
            try StoredDue.replace(state.deferred, app: app, recipient: id, in: connection)
        case .shared(let values):
            try ReplacedRows.dropShared(app: app, in: connection)
            try StoredState.write(values, app: app, now: deed.at, in: connection)
        case .everything:
            for (table, column) in [
                ("journal", "app"), ("recipient", "app"), ("app", "name"), ("due", "app"), ("answer", "app"), ("outbox", "app"),
            ] {
                try connection.run("DELETE FROM \(table) WHERE \(column) = ?", [.text(app)])
            }
        }
    }

    /// For how long messages stay that somebody has put there: as long as the app has said, unless that would end one at once.
    private static func window(of seen: SeenMessages, known: Int64, now: Instant) -> Int64 {
        guard known > 0, seen.messages.allSatisfy({ now.milliseconds &- $0.first.milliseconds <= Sweeping.window(known) }) else {
            return seen.isEmpty ? known : Sweeping.unknownWindow
        }
        return known
    }
}

extension AppState {
    /// What is not over: for whoever keeps it without a store.
    /// - Parameter window: milliseconds for which messages are remembered; 0: the app has not said.
    public mutating func sweep(window: Int64, now: Instant) {
        shared = Sweeping.swept(shared, now: now).0
        for (id, recipient) in recipients {
            let (kept, _) = Sweeping.swept(recipient, dedupe: window, now: now)
            if kept == recipient { continue }
            recipients[id] = kept == RecipientState() ? nil : kept
        }
    }

    /// What of it a store keeps: without values and caps that are over by now, and without recipients of whom nothing is left.
    public func kept(at now: Instant) -> AppState {
        var state = AppState()
        state.shared = Sweeping.swept(shared, now: now).0
        for (id, recipient) in recipients {
            let (recipient, _) = Sweeping.swept(recipient, dedupe: Sweeping.unknownWindow, now: now)
            if recipient != RecipientState() { state.recipients[id] = recipient }
        }
        return state
    }
}
