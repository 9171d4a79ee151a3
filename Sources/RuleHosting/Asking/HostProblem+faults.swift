// Faults of the rooms below as problems: what is the request's own has a status of 400 and a place in the body.
import EffectStore
public import JSONDocument
import PushMessage
import RuleEngine
public import RuleStore

extension HostProblem {
    /// The body, or what stands at `pointer` in it, is not JSON.
    public init(_ fault: JSONFault) {
        self.init(
            code: fault.code.rawValue, status: fault.code == .tooLarge ? 413 : 400, detail: fault.message, hint: fault.hint,
            pointer: "", place: TextPlace(line: fault.line, column: fault.column))
    }

    /// - Parameter start: of the message's text in the body.
    init(_ fault: MessageFault, start: Int, in body: [UInt8]) {
        self.init(
            code: fault.code, status: fault.code == JSONFault.Code.tooLarge.rawValue ? 413 : 400, detail: fault.message,
            hint: fault.hint, pointer: "/message", place: TextPlace(of: start + (fault.offset ?? 0), in: body))
    }

    /// - Parameters:
    ///   - key: "device" or "event".
    ///   - value: what was read; nil: it is not there.
    init(_ fault: RequestFault, at key: String, _ value: JSONValue?, in body: [UInt8]) {
        let place = value.map { fault.value(in: $0) ?? $0 }
        self.init(
            code: fault.code.rawValue, status: 400, detail: fault.message, hint: fault.hint,
            pointer: value.flatMap { fault.pointer(in: $0) }.map { "/\(key)\($0)" } ?? "/\(key)",
            place: place.map { TextPlace(of: $0.offset, in: body) })
    }

    init(_ fault: EffectStoreFault) {
        self.init(code: fault.code.rawValue, status: 503, detail: fault.message, hint: fault.hint, retryAfter: 5)
    }

    /// Of the rules folder.
    public init(_ fault: StoreFault) {
        let status =
            switch fault.code {
            case .appUnknown, .fileUnknown: 404
            case .fileLinked: 409
            case .fileChanged: 412
            case .fileTooLarge, .appTooLarge, .tooManyFiles: 413
            default: 503
            }
        // Its message says where, which is nobody's business who asks from afar.
        let detail = fault.code == .rulesMissing ? "the folder that holds the apps is not there" : fault.message
        self.init(code: fault.code.rawValue, status: status, detail: detail, hint: fault.hint, retryAfter: status == 503 ? 5 : nil)
    }

    /// An app that does not load, and has no earlier rules to go on with.
    init(_ faults: [AppFault]) {
        let first = faults.first
        if let first, faults.allSatisfy(\.isOfCase) {
            self.init(
                code: first.code, status: 503,
                detail: "the app's cases fail, and there are no earlier rules: \(first.file): \(first.message)"
                    + (faults.count > 1 ? ", and \(faults.count - 1) more" : ""),
                hint: "mend the rules, or what the cases expect; `serve --cases warn` takes such rules all the same", retryAfter: 5)
            self.faults = faults
            return
        }
        self.init(
            code: first?.code ?? RuleFault.Code.manifestMissing.rawValue, status: 503,
            detail: "the rules do not load: \(first.map { "\($0.file): \($0.message)" } ?? "they are not there")", hint: first?.hint,
            retryAfter: 5)
        self.faults = faults
    }

    static func notPromoted(_ app: String, to stage: String) -> HostProblem {
        HostProblem(
            .notPromoted, status: 503, detail: "no version of the app has been promoted to \(stage)",
            hint: "promote one: POST /v1/apps/\(app)/promote, or rulehost promote \(app) HASH --stage \(stage)", retryAfter: 30)
    }

    public static func unknownApp(_ app: String) -> HostProblem {
        HostProblem(
            code: StoreFault.Code.appUnknown.rawValue, status: 404, detail: "there is no app \"\(app.prefix(64))\"",
            hint: "the name of an app is that of its folder")
    }

    static func unknownVersion(_ app: String, _ hash: String) -> HostProblem {
        HostProblem(
            .versionUnknown, status: 404, detail: "no version \"\(hash.prefix(64))\" of \(app) is kept",
            hint: "GET /v1/apps/\(app)/versions and `rulehost versions` list those that are")
    }

    static let queueFull = HostProblem(
        .queueFull, status: 503, detail: "more requests wait than the host takes",
        hint: "try again in a moment, or more slowly", retryAfter: 1)
    static let closing = HostProblem(
        .hostClosing, status: 503, detail: "the host is about to end", hint: "ask another one, or try again", retryAfter: 5)
    static let mismatch = HostProblem(
        .idempotencyMismatch, status: 422, detail: "another request has been sent with this key",
        hint: "give each request a key of its own, and repeat it unchanged")
    static let nowNotAllowed = HostProblem(
        .nowNotAllowed, status: 403, detail: "`now` may be chosen only in a dry run, or by operators",
        hint: "leave out `now`, or ask with dry_run")
    static let badKey = HostProblem(
        .requestInvalid, status: 400, detail: "a key of a request has 1 to \(IdempotencyKey.longest) bytes",
        hint: "a UUID is a good key")
}
