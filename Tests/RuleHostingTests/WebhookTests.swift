// Who is told over HTTP: signed, repeated until it is taken, and with the same key each time.
import CHTTPCall
import EffectStore
import Foundation
import Glibc
import HTTPServer
import PushMessage
import RuleEngine
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

    /// - Parameter more: of each answer, with their ends of line.
    init(_ statuses: [Int], fields more: String = "") throws {
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
        Thread { HookServer.serve(listener, statuses, more, requests) }.start()
    }

    deinit { shutdown(socket, Int32(SHUT_RDWR)) }

    private static func serve(_ listener: Int32, _ statuses: [Int], _ more: String, _ requests: Monitor<[Request]>) {
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
                let answer = Array("HTTP/1.1 \(status) X\r\n\(more)Content-Length: 0\r\nConnection: close\r\n\r\n".utf8)
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

@Suite(.enabled(if: hc_available() != 0)) struct WebhookTests {
    private static let due = DueMessage(app: "chat", recipient: "u-1", id: "m", at: Scene.noon)

    private static func settings(_ port: UInt16) -> Webhook.Settings {
        var settings = Webhook.Settings(url: "http://127.0.0.1:\(port)/hook", secret: Array("geheim".utf8))
        settings.pause = 5
        settings.longestRest = 20
        return settings
    }

    private static func webhook(
        _ settings: Webhook.Settings, _ keeping: any HostKeeping, clock: TestClock = TestClock(),
        words: Monitor<[Webhook.Word]> = Monitor([])
    ) throws -> Webhook {
        try Webhook(settings, keeping: keeping, clock: { clock.now }, tell: { word in words.change { $0.append(word) } })
    }

    /// As a shard does.
    private static func keep(_ ids: [String], in keeping: any HostKeeping, at now: Instant = Scene.noon) {
        let done = Monitor(false)
        let deeds = ids.map { id in
            let message = DueMessage(app: "chat", recipient: "u-1", id: id, at: now)
            return Kept(
                app: "chat", recipient: "u-1", effects: [.setBadge(1)], answer: nil,
                post: DuePost.body(of: message, at: now, decision: Array(#"{"app":"chat","event":"due"}"#.utf8)), chain: CommitChain())
        }
        keeping.keep(deeds, now: now) { _ in done.change { $0 = true } }
        done.wait { $0 ? () : nil }
    }

    /// Returns when it is so.
    private func until(_ isSo: () -> Bool) { while !isSo() { usleep(1_000) } }

    @Test("A decision is told until it is taken, with the same key and the same body")
    func repeated() throws {
        let server = try HookServer([500, 429, 503, 204])
        let keeping = MemoryKeeping()
        let webhook = try Self.webhook(Self.settings(server.port), keeping)
        Self.keep(["m-1"], in: keeping)
        webhook.poke()
        let requests = server.requests.wait { $0.count >= 4 ? $0 : nil }
        until { webhook.facts.taken == 1 && keeping.outbox(after: 0).entries.isEmpty }
        #expect(webhook.facts == Webhook.Facts(taken: 1, failures: 3))
        #expect(Set(requests.map(\.body)).count == 1)
        #expect(Set(requests.map { $0.headers["idempotency-key"] ?? "" }).count == 1)
        let body = try JSONSerialization.jsonObject(with: Data(requests[0].body.utf8)) as? [String: Any]
        #expect(body?["type"] as? String == "due" && body?["deferred_id"] as? String == "m-1")
        #expect((body?["decision"] as? [String: Any])?["event"] as? String == "due")
        webhook.close()
        #expect(server.requests.withLock { $0.count } == 4)
    }

    @Test("The signature is the HMAC of the time and the body, as openssl makes it, and follows the secret")
    func signed() throws {
        let server = try HookServer([200])
        let keeping = MemoryKeeping()
        let webhook = try Self.webhook(Self.settings(server.port), keeping)
        for (number, secret) in ["geheim", "anders"].enumerated() {
            webhook.sign(with: Array(secret.utf8))
            Self.keep(["m-\(number)"], in: keeping)
            webhook.poke()
            let request = server.requests.wait { $0.count > number ? $0[number] : nil }
            let parts = (request.headers["x-rulehost-signature"] ?? "").split(separator: ",")
            let seconds = try #require(parts.first?.dropFirst(2))
            #expect(try Self.hmac("\(seconds).\(request.body)", secret).contains(parts.last?.dropFirst(3) ?? "?"))
        }
        webhook.close()
    }

    private static func hmac(_ text: String, _ secret: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "dgst", "-sha256", "-hmac", secret]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let words = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return words
    }

    @Test("What nobody has taken is told by the next host on the store, with the key that it had")
    func restarted() throws {
        let scene = try Scene()
        let refusing = try HookServer([503])
        var store = try scene.store()
        var webhook = try Self.webhook(Self.settings(refusing.port), DurableKeeping(store))
        Self.keep((0..<20).map { "m-\($0)" }, in: DurableKeeping(store))
        webhook.poke()
        refusing.requests.wait { $0.isEmpty ? nil : () }
        webhook.close()
        store.close()
        let tried = Set(refusing.requests.withLock { $0 }.map { $0.headers["idempotency-key"] ?? "" })
        store = try scene.store()
        let taking = try HookServer([200])
        webhook = try Self.webhook(Self.settings(taking.port), DurableKeeping(store))
        let requests = taking.requests.wait { $0.count >= 20 ? $0 : nil }
        webhook.close()
        let keys = Set(requests.map { $0.headers["idempotency-key"] ?? "" })
        #expect(keys.count == 20 && keys.isSuperset(of: tried))
        #expect(try store.view.outbox(after: 0).entries.isEmpty)
    }

    @Test("One that nobody ever takes holds up no others")
    func unwanted() throws {
        let server = try HookServer([400, 200])
        let keeping = MemoryKeeping()
        var settings = Self.settings(server.port)
        settings.pause = 3_600_000
        let webhook = try Self.webhook(settings, keeping)
        Self.keep((0..<9).map { "m-\($0)" }, in: keeping)
        webhook.poke()
        // What waits is counted after what was taken.
        until { webhook.facts.taken == 8 && webhook.facts.waiting == 1 }
        until { webhook.facts.oldest == Scene.noon }
        #expect(webhook.facts.taken == 8 && webhook.facts.waiting == 1)
        webhook.close()
    }

    @Test("Where nobody is there one try asks for all, a person hears of it once, and what is a day old is given up")
    func givenUp() throws {
        let clock = TestClock()
        let keeping = MemoryKeeping()
        let words = Monitor<[Webhook.Word]>([])
        let webhook = try Self.webhook(Self.settings(1), keeping, clock: clock, words: words)
        Self.keep((0..<5).map { "m-\($0)" }, in: keeping)
        webhook.poke()
        until { webhook.facts.failures >= 6 }
        #expect(words.withLock { $0 } == [.failing("unreachable")])
        #expect(webhook.facts.waiting == 5)
        clock.turn(minutes: 24 * 60)
        until { keeping.outbox(after: 0).entries.isEmpty }
        #expect(webhook.facts.expired == 5 && webhook.facts.waiting == 0 && webhook.facts.taken == 0)
        let expired = words.withLock { $0 }.reduce(0) { if case .expired(let count) = $1 { $0 + count } else { $0 } }
        #expect(expired == 5)
        webhook.close()
    }

    @Test("When too much waits the oldest make way, and a person hears how many")
    func dropped() throws {
        let keeping = MemoryKeeping()
        let words = Monitor<[Webhook.Word]>([])
        Self.keep((0..<10_003).map { "m-\($0)" }, in: keeping)
        let server = try HookServer([200])
        let webhook = try Self.webhook(Self.settings(server.port), keeping, words: words)
        #expect(words.wait { $0.first } == .dropped(3))
        #expect(webhook.facts.dropped == 3)
        webhook.close()
    }

    @Test("Without encryption only this machine is told, whatever the address says; with it nobody's name is in the address")
    func addresses() throws {
        for url in [
            "https://example.com/hook", "https://example.com:8443?a=b", "http://127.0.0.1:1/", "http://localhost/x", "HTTP://[::1]:9/",
        ] {
            #expect(Webhook.Settings.isUsable(url), "\(url)")
        }
        for url in [
            "http://example.com/", "http://127.0.0.1.example.com/", "http://127.1/", "https://u:p@example.com/", "https://",
            "ftp://localhost/",
            "https://mina:word/a@example.com/", "https://example.com:/", "https://[::1]x/", "https://example.com:+1/",
            "https://a b/", "http://127.0.0.1:1@example.com/", "http://localhost\\@example.com/", "https://example.com/#x", "",
        ] {
            #expect(!Webhook.Settings.isUsable(url), "\(url)")
        }
        // A name that leads elsewhere is found out where it is connected to.
        var settings = Self.settings(1)
        settings.url = "http://0.0.0.0:1/"
        let words = Monitor<[Webhook.Word]>([])
        let keeping = MemoryKeeping()
        let webhook = try Self.webhook(settings, keeping, words: words)
        Self.keep(["m"], in: keeping)
        webhook.poke()
        #expect(words.wait { $0.first } == .failing("not_local"))
        webhook.close()
    }

    @Test("A pause that the other end asks for is heeded, up to a bound, by all that is to be told")
    func retryAfter() throws {
        let answers: [(Int, String, Int64?)] = [
            (503, "7", 7), (429, "100000", 100_000), (500, "x", nil), (400, "3", 3), (503, "0", nil),
            (503, "\(Int64.max)", .max), (503, "9223372036854775808", .max), (503, "18446744073709551617", .max),
            (503, String(repeating: "9", count: 200), .max), (503, "\(String(repeating: "0", count: 200))7", 7),
            (503, "Thu, 01 Jan 1970 00:00:00 GMT", nil),
        ]
        for (status, text, seconds) in answers {
            let server = try HookServer([status], fields: "Retry-After: \(text)\r\n")
            let outcome = WebhookCall(Self.settings(server.port)).send([0x7b, 0x7d], secret: [1]) { true }
            #expect(outcome == .failed("\(status)", retryAfter: seconds), "\(text)")
        }
        let settings = Self.settings(1)
        #expect(settings.retry(after: nil) == 0 && settings.retry(after: 7) == 7_000 && settings.retry(after: -1) == 0)
        #expect(settings.retry(after: 100_000) == 3_600_000 && settings.retry(after: .max) == 3_600_000)
        // None but the first is tried: the others would be after a moment.
        let server = try HookServer([503], fields: "Retry-After: 3000\r\n")
        let keeping = MemoryKeeping()
        let webhook = try Self.webhook(Self.settings(server.port), keeping)
        Self.keep(["m-1"], in: keeping)
        webhook.poke()
        until { webhook.facts.failures == 1 }
        Self.keep(["m-2", "m-3"], in: keeping)
        webhook.poke()
        until { webhook.facts.waiting == 3 }
        webhook.close()
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test("A server whose certificate a file vouches for is told, and no other")
    func certificates() throws {
        let scene = try Scene()
        let (certificate, key) = ("\(scene.folder)/certificate.pem", "\(scene.folder)/key.pem")
        for (name, other) in [(certificate, key), ("\(scene.folder)/other.pem", "\(scene.folder)/other-key.pem")] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=hook", "-addext", "subjectAltName=IP:127.0.0.1", "-newkey",
                "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-keyout", other, "-out", name,
            ]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
        let bodies = Monitor<[[UInt8]]>([])
        let address = try #require(ListenAddress("127.0.0.1:0"))
        let server = try HTTPServer(
            ServerSettings(), [address], Receiver { body in bodies.change { $0.append(body) } },
            tls: TLSKeeper(try TLSIdentity(certificate: bytes(certificate), key: bytes(key))))
        try server.start()
        defer {
            server.stop()
            server.wait()
        }
        var settings = Webhook.Settings(url: "https://\(server.addresses[0])/hook", secret: [1])
        #expect(WebhookCall(settings).send([0x7b, 0x7d], secret: [1]) { true } == .failed("untrusted"))
        settings.trusted = "\(scene.folder)/other.pem"
        #expect(WebhookCall(settings).send([0x7b, 0x7d], secret: [1]) { true } == .failed("untrusted"))
        settings.trusted = certificate
        #expect(WebhookCall(settings).send([0x7b, 0x7d], secret: [1]) { true } == .taken)
        #expect(bodies.withLock { $0 } == [[0x7b, 0x7d]])
    }

    private struct Receiver: HTTPHandler, RequestTaking {
        let deed: @Sendable ([UInt8]) -> Void

        func head(_ head: RequestHead, _ exchange: Exchange) -> Intake { .whole(upTo: 1 << 20, self) }

        func take(_ request: Request) {
            deed(request.body)
            request.exchange.answer(Answer(status: 204, AnswerFields()))
        }
    }

    @Test("What a host decides when a time has come is told to its webhook, and by the next one when that was not taken")
    func hosted() throws {
        for isDurable in [true, false] {
            let scene = try Scene()
            try scene.write("chat", DueTests.rules("v1"))
            let clock = TestClock()
            let server = try HookServer([200])
            let store = isDurable ? try scene.store() : nil
            let host = try scene.host(store.map { .durable($0) } ?? .memory, clock: clock) { $0.webhook = Self.settings(server.port) }
            for number in 0..<20 { _ = host.ask("chat", Scene.body("u-\(number % 3)", id: "m-\(number)")) }
            clock.turn(minutes: 61)
            let requests = server.requests.wait { $0.count >= 20 ? $0 : nil }
            #expect(Set(requests.map { $0.headers["idempotency-key"] ?? "" }).count == 20)
            let told = try requests.map { try JSONSerialization.jsonObject(with: Data($0.body.utf8)) as? [String: Any] }
            #expect(Set(told.map { $0?["deferred_id"] as? String ?? "" }).count == 20)
            host.close()
            if let store { #expect(try store.view.outbox(after: 0).entries.isEmpty) }
            #expect(host.webhookFacts?.taken == 20)
        }
    }
}
