// A server for one test, on a port of its own, with what its paths do given as closures.
import HTTPClient
import HTTPServer

final class Scene: Sendable {
    typealias Deed = @Sendable (RequestHead, Exchange) -> Intake

    let server: HTTPServer
    var address: ListenAddress { server.addresses[0] }

    /// - Parameter deeds: by path; any other is answered with 404.
    init(
        _ deeds: [String: Deed] = [:], _ settings: ServerSettings = ServerSettings(), at words: String = "127.0.0.1:0",
        tls: TLSKeeper? = nil
    ) throws {
        guard let address = ListenAddress(words) else { throw Client.Silence() }
        server = try HTTPServer(settings, [address], Deeds(deeds: deeds.merging(Scene.always) { one, _ in one }), tls: tls)
        try server.start()
    }

    deinit {
        server.stop()
        server.wait()
    }

    func client(room: Int32? = nil) throws -> Client { try Client(address, room: room) }

    /// `/echo` answers with the body, of at most 64 KiB; `/short` without having looked.
    private static let always: [String: Deed] = [
        "/echo": { _, _ in .whole(upTo: 64 << 10, Taker { $0.exchange.answer(Answer(status: 200, .json, $0.body)) }) },
        "/short": { _, _ in .answer(Answer(status: 200, .json, Array("short".utf8))) },
    ]

    private struct Deeds: HTTPHandler {
        let deeds: [String: Deed]

        func head(_ head: RequestHead, _ exchange: Exchange) -> Intake {
            if let deed = deeds["/" + head.path.joined(separator: "/")] { return deed(head, exchange) }
            return .answer(Problem(status: 404, code: "not_found", detail: "There is nothing.").answer())
        }
    }
}

struct Taker: RequestTaking {
    let deed: @Sendable (Request) -> Void

    func take(_ request: Request) { deed(request) }
}
