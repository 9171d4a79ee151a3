// One thing that can be asked over HTTP: method, path, what may stand in the query, who may ask, what comes back. The table of
// routes is the one description: requests are led by it, and the OpenAPI document is written from it.
import HTTPServer

struct Route: Sendable {
    /// What somebody has to be allowed to.
    enum Role: String, Sendable, CaseIterable {
        /// Nothing: probes of whoever runs the host.
        case anybody
        case decide
        case read
        case edit
        case operate
        /// What the host has done and how it is, of all apps, and nothing else.
        case metrics
    }

    /// What a body is, or an answer's.
    enum Form: Sendable {
        case json(schema: String)
        case lines(schema: String)
        case events
        case text(String)
        /// A file that is no text.
        case bytes(String)
        case nothing
    }

    let method: Method
    let path: RoutePath
    /// For programs that are generated from the description, so written as names are in most languages; the metrics' label `route`.
    let name: String
    /// One sentence, no full stop.
    let summary: String
    let role: Role
    var query: [QueryParameter] = []
    var fields: [FieldParameter] = []
    var body = Form.nothing
    var bodyIsNeeded = true
    let answer: Form
    /// Statuses when it is done.
    var successes = [200]
    /// Statuses of problems, besides those that any route may have.
    var problems: [Int] = []
    /// An answer of status 503 may have the form of the others: it tells what is missing.
    var tells503 = false
    /// Of several apps, and its deed looks which ones the caller may know.
    var isForEachApp = false
    let deed: any RouteDeed
}

/// A header field that a route looks at.
struct FieldParameter: Sendable {
    let name: String
    let summary: String
    /// Bytes; nil: as many as a head has.
    var most: Int?
    /// All that it can be; empty: any text.
    var words: [String] = []
}

/// What a route does. On a loop's thread, like the handler.
protocol RouteDeed: Sendable {
    /// The path fits, and the query is one that the route knows.
    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake

    /// For a deed that looks at who asks; others leave it out.
    func begin(_ head: RequestHead, _ exchange: Exchange, _ caller: Caller) -> Intake
}

extension RouteDeed {
    func begin(_ head: RequestHead, _ exchange: Exchange, _ caller: Caller) -> Intake { begin(head, exchange) }
}

/// A deed that knows its caller.
protocol CallerDeed: RouteDeed {
    var caller: Caller { get set }
}

extension CallerDeed {
    func begin(_ head: RequestHead, _ exchange: Exchange, _ caller: Caller) -> Intake {
        var deed = self
        deed.caller = caller
        return deed.begin(head, exchange)
    }
}
