// The life of `serve`: the store and the host of rules, the server before them, one line when it is ready, and the end in the
// opposite order when somebody asks for it.
import EffectStore
import Glibc
import HTTPAPI
import HTTPServer
import HostTelemetry
import RuleHosting
import RuleStore

struct ServeSession {
    private let options: ServeOptions
    private let console: Console
    /// For what is under way when the end is asked for.
    private static let farewell = Duration.seconds(30)

    init(_ options: ServeOptions, _ console: Console) {
        self.options = options
        self.console = console
    }

    func run() throws(CommandFault) -> ExitCode {
        // First, because they may be descriptors that were opened for it, as in --tokens <(…).
        let tokens = try ServeTokens(options.tokens)
        let pair = try options.tls.map { (files) throws(CommandFault) in (files, try files.read()) }
        let signing = try options.webhook.map { (webhook) throws(CommandFault) in (webhook, try webhook.secret()) }
        InheritedFiles.close()
        // Before any other thread is there.
        guard let interruption = Interruption(heedsHangup: true) else { throw .noThread }
        do throws(StoreFault) {
            _ = try options.rules.apps()
        } catch {
            throw .store(error)
        }
        let store: EffectStore? =
            switch options.store {
            case .memory: nil
            case .file(let place): try place.host(options.durability)
            }
        defer { store?.close() }
        let telemetry = try options.logs.open()
        defer { telemetry.end() }
        let tls = try pair.map { (files, bytes) throws(CommandFault) in try ServeTLS(files, bytes, telemetry.journal) }
        let told = try signing.map { (webhook, secret) throws(CommandFault) in try webhook.settings(signingWith: secret) }
        let host = try host(with: store, telemetry, told)
        let webhook = options.webhook
        let journal = options.logs.format == nil ? nil : telemetry.journal
        let isHeard = interruption.onHangup { [weak host] in
            if tokens?.readAgain(journal) == false { telemetry.refused(.tokens) }
            if webhook?.readAgain(for: host, journal) == false { telemetry.refused(.secret) }
            if tls?.readAgain(telemetry.journal) == false { telemetry.refused(.certificate) }
            telemetry.decisions?.reopen()
        }
        defer { host.close() }
        guard isHeard else { throw .noThread }
        telemetry.look(at: host, store)
        let health = HostHealth(host, store)
        let settings = ServerSettings()
        let api = API(
            host, loops: settings.loops, isOnlyLocal: isOnlyLocal, tokens: tokens?.keeper,
            rate: options.rate.map { TokenRate(perSecond: $0) }, telemetry: telemetry, health: health)
        defer { api.close() }
        let server = try server(settings, api, tls?.keeper)
        // A few less are no news.
        if server.mostConnections < settings.connections / 2 {
            telemetry.journal?.log(
                .warning, "connections_limited", [("connections", .number(server.mostConnections)), ("hint", .text("raise ulimit -n"))])
        }
        telemetry.look(atClients: { ServeSession.facts(of: server, tls?.keeper.identity) })
        // The server has the probes, which have this.
        health.look(atLoops: { [weak server] in server?.loopAges ?? [] })
        health.begin()
        ready(server)
        telemetry.journal?.log(
            .info, "host_started",
            [("version", .text(Program.version)), ("address", .text(places(of: server))), ("apps", .number(appCount))])
        ServiceNotice.ready.send()
        wait(for: interruption, health)
        telemetry.journal?.log(.info, "host_ending")
        ServiceNotice.stopping.send()
        health.end()
        server.drain(within: ServeSession.farewell)
        server.wait()
        telemetry.journal?.log(.info, "host_ended")
        return .done
    }

    private static func facts(of server: HTTPServer, _ identity: TLSIdentity?) -> HostTelemetry.ClientFacts {
        let counts = server.counts
        var facts = HostTelemetry.ClientFacts()
        facts.most = server.mostConnections
        (facts.open, facts.accepted, facts.cut, facts.refused) = (counts.open, counts.accepted, counts.cut, counts.refused)
        facts.certificate = identity.map { HostTelemetry.CertificateFacts(until: $0.until, handshakesFailed: counts.handshakesFailed) }
        return facts
    }

    private func host(
        with store: EffectStore?, _ telemetry: HostTelemetry, _ webhook: Webhook.Settings?
    ) throws(CommandFault) -> RuleHost {
        var settings = options.host
        settings.webhook = webhook
        do throws(HostStartFault) {
            return try RuleHost(
                rules: options.rules, store: store.map { .durable($0) } ?? .memory, settings: settings, watch: telemetry)
        } catch {
            throw .hostNotStarted(error)
        }
    }

    /// No browser gets to the file of a socket, but a proxy may stand before it.
    private var isOnlyLocal: Bool { options.tokens == nil }

    private func server(_ settings: ServerSettings, _ api: API, _ tls: TLSKeeper?) throws(CommandFault) -> HTTPServer {
        do throws(ListenFault) {
            let server = try HTTPServer(settings, options.addresses, api, tls: tls)
            try server.start()
            return server
        } catch {
            throw .notListening(error)
        }
    }

    private func ready(_ server: HTTPServer) {
        console.write("listening on \(places(of: server).printable)\n")
        console.flush()
    }

    private func places(of server: HTTPServer) -> String {
        server.addresses.map { address in
            if case .unix = address { address.description } else { "\(options.tls == nil ? "http" : "https")://\(address)" }
        }.joined(separator: " and ")
    }

    /// 0 when the folder cannot be read at this moment: the journal says more about that.
    private var appCount: Int {
        do throws(StoreFault) { return try options.rules.apps().count } catch { return 0 }
    }

    /// Whoever has started the host hears in time that it still turns, if he wants to.
    private func wait(for interruption: Interruption, _ health: HostHealth) {
        let pause = ServiceNotice.heartbeat.map { Int32(max(1, min($0 * 1_000, 1e6))) } ?? -1
        while !interruption.isAsked(within: pause) {
            if pause > 0, health.alive().status == 200 { ServiceNotice.alive.send() }
        }
    }
}
