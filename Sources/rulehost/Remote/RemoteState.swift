// `rulehost state` with --host: the same looks and changes as on a store, done by the host that has it. Called by StateSession.
import JSONDocument
import RuleEngine
import RuleHosting
import RuleStore

struct RemoteState {
    let host: RemoteHost
    let app: String
    let recipient: String?

    private var path: String { "/v1/apps/\(RemoteHost.segment(app))" }
    private var recipientPath: String? { recipient.map { "\(path)/recipients/\(RemoteHost.segment($0))" } }

    /// Of the recipient, or what the app shares: in the form of a state file.
    func get() throws(CommandFault) -> AppState {
        if let recipientPath { return try state(try host.ask("GET", recipientPath)) }
        let shared = try host.ask("GET", "\(path)/state")
        return try state(Array(#"{"app": "#.utf8) + shared + Array("}".utf8))
    }

    /// Everybody, or one.
    func export() throws(CommandFault) -> AppState { try state(try host.ask("GET", recipientPath ?? "\(path)/export")) }

    private func state(_ bytes: [UInt8]) throws(CommandFault) -> AppState {
        do throws(StoreFault) {
            return try StateFile.parse(bytes, path: host.place.name, limit: RemoteHost.mostBytes)
        } catch {
            throw .hostUnreachable(place: host.place.name, "its answer is no state: \(error.message)", nil)
        }
    }

    func change(_ wish: StateWish, isDry: Bool, why: String) throws(CommandFault) -> StateReport {
        let query = (isDry ? ["dry_run=1"] : []) + (why.isEmpty ? [] : ["why=\(RemoteHost.segment(why))"])
        let end = query.isEmpty ? "" : "?\(query.joined(separator: "&"))"
        let bytes: [UInt8]
        switch wish.kind {
        case .set(let key, let json): bytes = try host.ask("PUT", valuePath(key) + end, body: json)
        case .delete(let key): bytes = try host.ask("DELETE", valuePath(key) + end)
        case .import(let state): bytes = try host.ask("POST", "\(path)/import\(end)", body: StateWriter.file(state))
        case .reset:
            if let recipientPath {
                bytes = try host.ask("DELETE", recipientPath + end)
            } else {
                bytes = try host.ask("POST", "\(path)/reset\(end)", body: [])
            }
        }
        return try report(bytes, isDry: isDry)
    }

    private func valuePath(_ key: String) -> String { "\(recipientPath ?? path)/state/\(RemoteHost.segment(key))" }

    private func report(_ bytes: [UInt8], isDry: Bool) throws(CommandFault) -> StateReport {
        let document = JSONDocument()
        do throws(JSONFault) {
            try document.read(bytes, limit: .max, depth: 128)
        } catch {
            throw .hostUnreachable(place: host.place.name, "its answer is no JSON", nil)
        }
        guard let root = document.root, let changes = root["changes"] else {
            throw .hostUnreachable(place: host.place.name, "its answer says not what has changed", nil)
        }
        return StateReport(
            app: app, recipient: recipient, isDry: isDry, difference: StateDifference(changes),
            isUnreadable: root["unreadable"] != nil, answers: Int(root["answers"]?.integer ?? 0))
    }
}
