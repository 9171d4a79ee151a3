// The life of `serve`: the store and the host of rules, the server before them, one line when it is ready, and the end in the
// opposite order when somebody asks for it.
import EffectStore
import Glibc
import HTTPAPI
import HTTPServer
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
        InheritedFiles.close()
        // Before any other thread is there.
        guard let interruption = Interruption(heedsHangup: true) else { throw .noThread }
        do throws(StoreFault) {
            _ = try options.rules.apps()
        } catch {
            throw .store(error)
        }
        let tokens = try ServeTokens(options.tokens)
        interruption.onHangup { tokens?.readAgain() }
        let store: EffectStore? =
            switch options.store {
            case .memory: nil
            case .file(let place): try place.host(options.durability)
            }
        defer { store?.close() }
        let host = try host(with: store)
        defer { host.close() }
        let settings = ServerSettings()
        let api = API(host, loops: settings.loops, isOnlyLocal: isOnlyLocal, tokens: tokens?.keeper)
        defer { api.close() }
        let server = try server(settings, api)
        ready(server)
        wait(for: interruption)
        server.drain(within: ServeSession.farewell)
        server.wait()
        return .done
    }

    private func host(with store: EffectStore?) throws(CommandFault) -> RuleHost {
        do throws(HostStartFault) {
            return try RuleHost(rules: options.rules, store: store.map { .durable($0) } ?? .memory, settings: options.host)
        } catch {
            throw .hostNotStarted(error)
        }
    }

    /// No browser gets to the file of a socket.
    private var isOnlyLocal: Bool {
        options.tokens == nil
            && options.addresses.contains { address in
                if case .unix = address { false } else { true }
            }
    }

    private func server(_ settings: ServerSettings, _ api: API) throws(CommandFault) -> HTTPServer {
        do throws(ListenFault) {
            let server = try HTTPServer(settings, options.addresses, api)
            try server.start()
            return server
        } catch {
            throw .notListening(error)
        }
    }

    private func ready(_ server: HTTPServer) {
        let places = server.addresses.map { address in
            if case .unix = address { address.description } else { "http://\(address)" }
        }
        console.write("listening on \(places.joined(separator: " and ").printable)\n")
        console.flush()
    }

    private func wait(for interruption: Interruption) {
        var byte: UInt8 = 0
        while read(interruption.asked, &byte, 1) < 0, errno == EINTR {}
    }
}
