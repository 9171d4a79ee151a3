// Changes of an app's state from elsewhere: a key, a recipient, a state file, everything. Each answers with what has changed, or, in a dry
// run, would; done between two messages of the app, with a line in the audit that names no value.
import EffectStore
import HTTPServer
import JSONDocument
import PushMessage
import RuleEngine
import RuleHosting
import RuleStore

struct StateDeed: CallerDeed, RequestTaking {
    enum Kind: Sendable { case set, delete, `import`, reset }

    let host: RuleHost
    let clerk: Clerk
    let kind: Kind
    var caller = Caller.local

    static let query = [
        QueryParameter(name: "dry_run", kind: .flag, summary: "Tell what would change, and change nothing"),
        QueryParameter(name: "why", kind: .text(most: 4_096), summary: "The reason that stands in the audit"),
    ]
    /// Of a state file. Larger ones go into a store that no host has.
    private static let mostFile = 64 << 20
    private static let mostValue = 1 << 20
    private static let mostReset = 16 << 10

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        switch kind {
        case .set: .whole(upTo: StateDeed.mostValue, self)
        case .import: .whole(upTo: StateDeed.mostFile, self)
        // Of a recipient it stands in the path.
        case .reset where head.path.count == 4: .whole(upTo: StateDeed.mostReset, self)
        case .delete, .reset: .bodiless(self)
        }
    }

    /// Beside the loops: a state file takes its time to be read.
    func take(_ request: Request) {
        clerk.perform(for: request) { () throws(HostProblem) in try carryOut(request) }
    }

    private func carryOut(_ request: Request) throws(HostProblem) {
        // Of the request nothing else is kept until the change is done: its body may be large.
        let (app, head, exchange) = (request.head.path[2], request.head, request.exchange)
        // Else a misspelt one would get state.
        try host.check(app)
        let wish = try wish(head, request.body)
        let deed = Deed(by: caller, why: head.value(ofQuery: "why") ?? "")
        let isDry = head.has("dry_run")
        host.change(app: app, by: wish, isDry: isDry, deed) { result in
            switch result {
            case .success(let outcome): exchange.answer(StateDeed.answer(app, outcome, isDry: isDry))
            case .failure(let problem): exchange.answer(Answer(problem))
            }
        }
    }

    private func wish(_ head: RequestHead, _ body: [UInt8]) throws(HostProblem) -> StateWish {
        let isOfRecipient = head.path.count > 4 && head.path[3] == "recipients"
        let recipient = isOfRecipient ? head.path[4] : nil
        switch kind {
        case .reset: return StateWish(.reset, of: isOfRecipient ? recipient : try StateDeed.resetRecipient(body))
        case .import: return StateWish(.import(try StateDeed.file(body)), of: nil)
        case .set, .delete:
            let key = head.path.last ?? ""
            guard StateWish.keyBytes.contains(key.utf8.count) else { throw StateDeed.invalid("a key has 1 to 128 bytes") }
            return StateWish(kind == .set ? .set(key, try StateDeed.value(body)) : .delete(key), of: recipient)
        }
    }

    /// A path says no recipient such as "..", which programs on the way take for another path: a body says any.
    /// - Returns: nil: everybody.
    private static func resetRecipient(_ body: [UInt8]) throws(HostProblem) -> String? {
        if body.isEmpty { return nil }
        let document = JSONDocument()
        do throws(JSONFault) { try document.read(body, limit: mostReset, depth: 8) } catch { throw HostProblem(error) }
        let form = "write {\"recipient\": \"…\"} to forget one, or nothing to forget everybody"
        guard let root = document.root, root.isObject else {
            throw HostProblem(.requestInvalid, status: 400, detail: "the body is not a JSON object", hint: form)
        }
        var recipient: String?
        for member in root.children {
            guard member.key.string == "recipient" else {
                throw HostProblem(.requestInvalid, status: 400, detail: "the body has no key `\(member.key.string.prefix(64))`", hint: form)
            }
            guard let text = member.text else {
                throw HostProblem(.requestInvalid, status: 400, detail: "`recipient` is not a text", hint: form)
            }
            recipient = text.string
        }
        return recipient
    }

    private static func value(_ body: [UInt8]) throws(HostProblem) -> [UInt8] {
        let document = JSONDocument()
        do throws(JSONFault) { try document.read(body, limit: mostValue) } catch { throw HostProblem(error) }
        guard let root = document.root, !root.isNull else { throw invalid("null is no value; DELETE takes a key away") }
        do throws(StoreFault) { return try StateFile.value(root, in: body, path: "the body") } catch { throw HostProblem(ofState: error) }
    }

    private static func file(_ body: [UInt8]) throws(HostProblem) -> AppState {
        do throws(StoreFault) {
            return try StateFile.parse(body, path: "the body", limit: mostFile)
        } catch {
            throw HostProblem(ofState: error)
        }
    }

    private static func invalid(_ detail: String) -> HostProblem { HostProblem(.requestInvalid, status: 422, detail: detail) }

    /// `{app, dry_run, unreadable?, changes: [{path, old?, new?}], answers?}`
    private static func answer(_ app: String, _ outcome: StateWish.Outcome, isDry: Bool) -> Answer {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.member("app", app)
        writer.member("dry_run", isDry)
        if outcome.before == nil {
            writer.member("unreadable", true)
        }
        writer.key("changes")
        StateDifference(from: outcome.before ?? AppState(), to: outcome.after).write(to: &writer)
        if outcome.answers > 0 {
            writer.member("answers", outcome.answers)
        }
        writer.endObject()
        return Answer(status: 200, .json, writer.bytes)
    }
}

/// What is remembered, in the form of a state file: of one recipient, or of everybody.
struct ExportDeed: RouteDeed, RequestTaking {
    let host: RuleHost
    let clerk: Clerk

    static let query = [
        QueryParameter(name: "recipient", kind: .text(most: 4_096), summary: "Of this one only, also when no path can name him")
    ]

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .bodiless(self) }

    func take(_ request: Request) {
        let path = request.head.path
        let (app, recipient) = (path[2], path.count > 4 ? path[4] : request.head.value(ofQuery: "recipient"))
        clerk.perform(for: request) { () throws(HostProblem) in
            try host.check(app)
            guard let recipient else { return host.everything(app: app) { answer(request, $0, recipient: nil) } }
            host.state(app: app, recipient: recipient) { answer(request, $0, recipient: recipient) }
        }
    }

    private func answer(_ request: Request, _ result: Result<AppState, HostProblem>, recipient: String?) {
        switch result {
        case .success(var state):
            if recipient != nil { state.shared = [:] }
            request.exchange.answer(Answer(status: 200, .json, StateWriter.file(state.kept(at: HostClock.now()))))
        case .failure(let problem): request.exchange.answer(Answer(problem))
        }
    }
}

/// GET /v1/apps/{app}/state: what the app shares, key by key.
struct SharedDeed: RouteDeed, RequestTaking {
    let host: RuleHost
    let clerk: Clerk

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .bodiless(self) }

    func take(_ request: Request) {
        let app = request.head.path[2]
        clerk.perform(for: request) { () throws(HostProblem) in
            try host.check(app)
            host.state(app: app, recipient: "") { result in
                switch result {
                case .success(let state):
                    var writer = JSONWriter()
                    writer.beginObject()
                    for (key, value) in state.kept(at: HostClock.now()).shared.inOrder {
                        writer.member(key, json: value.json)
                    }
                    writer.endObject()
                    request.exchange.answer(Answer(status: 200, .json, writer.bytes))
                case .failure(let problem): request.exchange.answer(Answer(problem))
                }
            }
        }
    }
}

extension HostProblem {
    /// A body that is no state, with its place in it.
    fileprivate init(ofState fault: StoreFault) {
        self.init(
            code: fault.code.rawValue, status: 422, detail: fault.message, hint: fault.hint, pointer: fault.pointer ?? "",
            place: fault.line > 0 ? TextPlace(line: fault.line, column: fault.column) : nil)
    }
}
