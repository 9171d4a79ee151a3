// Who is told over HTTP: signed, repeated until it is taken, and with the same key each time.
import CWebhook
import EffectStore
import Foundation
import Glibc
import Testing

@testable import RuleHosting

/// A server of one thread: it answers each request with the next status, the last one for ever.
final class HookServer: Sendable {
    struct Request: Sendable {
        let headers: [String: String]
        let body: String
    }

    let requests = Monitor<[Request]>([])
    let port: UInt16
    private let socket: Int32

    init(_ statuses: [Int]) throws {
        let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        socket = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, address, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        let requests = requests
        Thread { HookServer.serve(listener, statuses, requests) }.start()
    }

    deinit { shutdown(socket, Int32(SHUT_RDWR)) }

    private static func serve(_ listener: Int32, _ statuses: [Int], _ requests: Monitor<[Request]>) {
        var count = 0
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0 { break }
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while request(in: bytes) == nil {
                let got = read(connection, &buffer, buffer.count)
                if got <= 0 { break }
                bytes += buffer[..<got]
            }
            if let request = request(in: bytes) {
                let status = statuses[min(count, statuses.count - 1)]
                count += 1
                let answer = Array("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
                _ = write(connection, answer, answer.count)
                requests.change { $0.append(request) }
            }
            close(connection)
        }
        close(listener)
    }

    private static func request(in bytes: [UInt8]) -> Request? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        var headers: [String: String] = [:]
        for line in text[..<end.lowerBound].components(separatedBy: "\r\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let body = String(text[end.upperBound...])
        return body.utf8.count >= Int(headers["content-length"] ?? "") ?? 0 ? Request(headers: headers, body: body) : nil
    }
}

@Suite(.enabled(if: wh_available() != 0)) struct WebhookTests {
    private static func event(_ id: String) -> HostEvent {
        HostEvent(
            app: "chat", at: Scene.noon,
            kind: .due(DueDecision(recipient: "u-1", id: id, decision: Array(#"{"app":"chat","event":"due"}"#.utf8))), info: nil)
    }

    private static func settings(_ server: HookServer) -> Webhook.Settings {
        var settings = Webhook.Settings(url: "http://127.0.0.1:\(server.port)/hook", secret: Array("geheim".utf8))
        settings.pause = 5
        return settings
    }

    @Test("A decision is told until it is taken, with the same key and the same body")
    func repeated() throws {
        let server = try HookServer([500, 429, 503, 204])
        let webhook = try Webhook(Self.settings(server))
        webhook.heard(Self.event("m-1"))
        let requests = server.requests.wait { $0.count >= 4 ? $0 : nil }
        while webhook.counts.taken == 0 { usleep(1_000) }
        #expect(webhook.counts == Webhook.Counts(taken: 1, waiting: 0, givenUp: 0))
        #expect(Set(requests.map(\.body)).count == 1)
        #expect(Set(requests.map { $0.headers["idempotency-key"] ?? "" }).count == 1)
        let body = try JSONSerialization.jsonObject(with: Data(requests[0].body.utf8)) as? [String: Any]
        #expect(body?["type"] as? String == "due" && body?["deferred_id"] as? String == "m-1")
        #expect((body?["decision"] as? [String: Any])?["event"] as? String == "due")
        webhook.close()
    }

    @Test("The signature is the HMAC of the time and the body, as openssl makes it")
    func signed() throws {
        let server = try HookServer([200])
        let webhook = try Webhook(Self.settings(server))
        webhook.heard(Self.event("m-1"))
        let request = server.requests.wait { $0.first }
        webhook.close()
        let parts = (request.headers["x-rulehost-signature"] ?? "").split(separator: ",")
        let seconds = try #require(parts.first?.dropFirst(2))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "dgst", "-sha256", "-hmac", "geheim"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("\(seconds).\(request.body)".utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text.contains(parts.last?.dropFirst(3) ?? "?"), "\(text)")
    }

    @Test("What is refused is given up, and so is what comes when too much waits or nobody is there for too long")
    func givenUp() throws {
        let server = try HookServer([410])
        let webhook = try Webhook(Self.settings(server))
        webhook.heard(Self.event("m-1"))
        while webhook.counts.givenUp < 1 { usleep(1_000) }
        webhook.close()
        var settings = Self.settings(server)
        settings.url = "http://127.0.0.1:1/"
        settings.life = 20
        settings.mostWaiting = 2
        let lost = try Webhook(settings)
        for number in 0..<5 { lost.heard(Self.event("m-\(number)")) }
        while lost.counts.givenUp < 5 { usleep(1_000) }
        #expect(lost.counts == Webhook.Counts(taken: 0, waiting: 0, givenUp: 5))
        lost.close()
    }
}
