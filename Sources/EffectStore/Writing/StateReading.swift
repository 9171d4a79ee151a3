// What is remembered of an app, for somebody who is about to change it by hand: as it is after everything that was handed over before.
// Valid inside `EffectStore.edit` only.
public import RuleEngine

public protocol StateReading {
    func recipient(_ id: String) throws(EffectStoreFault) -> RecipientState
    func shared() throws(EffectStoreFault) -> ExactTable<StoredValue>
    /// Everything, looked through.
    func everything() throws(EffectStoreFault) -> AppState
    /// How many answers to requests with a key are kept, of a recipient or of all.
    func answers(recipient: String?) throws(EffectStoreFault) -> Int
}

struct StoredReading: StateReading {
    let app: String
    let connection: Connection

    func recipient(_ id: String) throws(EffectStoreFault) -> RecipientState {
        let state = try StoredState.recipient(app: app, id, in: connection)
        var whole = AppState()
        whole.recipients[id] = state
        try StoredCheck(connection.path, app: app).look(at: whole)
        return state
    }

    func shared() throws(EffectStoreFault) -> ExactTable<StoredValue> {
        var whole = AppState()
        whole.shared = try StoredState.shared(app: app, in: connection)
        try StoredCheck(connection.path, app: app).look(at: whole)
        return whole.shared
    }

    func everything() throws(EffectStoreFault) -> AppState {
        let state = try StoredState.app(app, in: connection)
        try StoredCheck(connection.path, app: app).look(at: state)
        return state
    }

    func answers(recipient: String?) throws(EffectStoreFault) -> Int {
        try StoredAnswers.count(app: app, recipient: recipient, in: connection)
    }
}
