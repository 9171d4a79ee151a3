// The host of rules over HTTP: which request is what, who may ask, and the way of a decision to the host and back. Made by
// `rulehost serve`; the server calls it on its loops' threads, where nothing may wait.
//
//     head ─▶ LocalCalls ─▶ RouteTable ─▶ the route's deed ─▶ DecideDesk of the loop ┐
//     turnEnded ─▶ RuleHost.decide, once for all that the turn brought ◀──────────────┘
//     a shard's thread ─▶ LoopSink ─▶ Exchange.answer, once for all that were ready
public import HTTPServer
public import HostTelemetry
public import RuleHosting

public final class API: HTTPHandler {
    let host: RuleHost
    private let clerk = Clerk()
    private let copying = LoneThread()
    let comparing = LoneThread()
    private let hall = EventHall()
    /// One for each loop, by its number.
    let desks: [DecideDesk]
    private let table: RouteTable
    private let isOnlyLocal: Bool
    private let tokens: TokenKeeper?
    private let rate: TokenRate?
    private let meter: RequestMeter?

    /// - Parameters:
    ///   - loops: of the server.
    ///   - isOnlyLocal: nobody has to say who he is, because only programs of this machine get here.
    ///   - tokens: whoever asks needs one.
    ///   - rate: of each token, in requests and lines; without it they ask as often as they like.
    ///   - telemetry: what /metrics tells; it hears of each answer.
    ///   - health: what the probes tell; without it, that the process runs.
    public init(
        _ host: RuleHost, loops: Int, isOnlyLocal: Bool, tokens: TokenKeeper? = nil, rate: TokenRate? = nil,
        telemetry: HostTelemetry? = nil, health: HostHealth? = nil
    ) {
        self.host = host
        self.isOnlyLocal = isOnlyLocal
        self.tokens = tokens
        self.rate = rate
        desks = (0..<loops).map { _ in DecideDesk() }
        table = RouteTable(
            routes: API.routes(
                Desks(
                    host: host, decide: desks, clerk: clerk, trials: TrialDesk(), copying: copying, comparing: comparing, hall: hall,
                    tokens: tokens, rate: rate, telemetry: telemetry, health: health)))
        meter = telemetry?.meter(of: table.routes.map(\.name))
        host.listen(hall)
        telemetry?.decisions?.listen { [hall] app, line in hall.decided(app, line) }
    }

    /// After the server has ended.
    public func close() {
        clerk.end()
        comparing.end()
        copying.end()
    }

    public func head(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        if isOnlyLocal, let problem = LocalCalls.problem(of: head) { return .answer(Answer(problem)) }
        switch table.find(head) {
        case .route(let route):
            guard let tokens else { return route.deed.begin(head, exchange) }
            do throws(HostProblem) {
                let caller = try tokens.caller(of: head, for: route)
                if let rate, route.role != .anybody { try rate.count(caller.name) }
                return route.deed.begin(head, exchange, caller)
            } catch {
                return .answer(Answer(error))
            }
        case .answer(let answer): return .answer(answer)
        }
    }

    public func turnEnded(_ loop: Int) { desks[loop].handOver(to: host) }

    public func answered(_ head: RequestHead, _ status: Int) {
        if let meter { meter.answered(table.place(of: head), status) }
    }

    public func problem(_ refusal: Refusal) -> Answer { Answer(refusal) }

    /// Of the routes, with a document that any program for OpenAPI 3.1 reads.
    public static func description() -> [UInt8] { OpenAPIDocument.bytes(of: API.routes(nil)) }
}
