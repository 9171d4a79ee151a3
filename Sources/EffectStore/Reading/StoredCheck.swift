// Whether all that is remembered can be read, and whether what is kept as JSON is JSON. A host does not look: what it keeps was made by
// it. Called by StoreView for people, and for a copy before it counts.
import JSONDocument
import RuleEngine

struct StoredCheck {
    private let path: String
    private let app: String
    private let document = JSONDocument()

    init(_ path: String, app: String) { (self.path, self.app) = (path, app) }

    /// Row by row, so that no more of it is in memory than one.
    static func everything(in connection: Connection) throws(EffectStoreFault) {
        try connection.rows("SELECT app, id, format, state FROM recipient") { (row) throws(EffectStoreFault) in
            let (app, id) = (row.text(0), row.text(1))
            let state = try StoredBytes.recipient(row, format: 2, 3, of: StoredBytes.Owner(app: app, recipient: id), connection)
            try StoredCheck(connection.path, app: app).look(at: state, of: id)
        }
        try connection.rows("SELECT name, format, shared FROM app") { (row) throws(EffectStoreFault) in
            let app = row.text(0)
            let shared = try StoredBytes.shared(row, format: 1, 2, of: StoredBytes.Owner(app: app, recipient: nil), connection)
            try StoredCheck(connection.path, app: app).look(at: shared)
        }
        try connection.rows("SELECT app, recipient, format, effects FROM journal") { (row) throws(EffectStoreFault) in
            let owner = StoredBytes.Owner(app: row.text(0), recipient: row.text(1))
            _ = try StoredBytes.effects(row, format: 2, 3, of: owner, connection)
        }
    }

    func look(at state: AppState) throws(EffectStoreFault) {
        try look(at: state.shared)
        for (id, recipient) in state.recipients.inOrder { try look(at: recipient, of: id) }
    }

    func look(at shared: ExactTable<StoredValue>) throws(EffectStoreFault) {
        for (key, value) in shared.inOrder {
            try look(at: value.json) { "the value \"\(key)\" that \(app) shares" }
        }
    }

    func look(at recipient: RecipientState, of id: String) throws(EffectStoreFault) {
        let whose = "of recipient \"\(id)\" of \(app)"
        for (key, value) in recipient.values.inOrder { try look(at: value.json) { "the value \"\(key)\" \(whose)" } }
        for json in recipient.inbox { try look(at: json) { "a value in the inbox \(whose)" } }
        for json in recipient.pendingRoutes { try look(at: json) { "a route that waits \(whose)" } }
    }

    private func look(at json: [UInt8], _ what: () -> String) throws(EffectStoreFault) {
        do throws(JSONFault) {
            try document.read(json, limit: json.count, depth: 128)
        } catch {
            throw .damagedPart(path, "\(what()) is not JSON")
        }
    }
}
