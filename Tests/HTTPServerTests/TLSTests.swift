// The server as clients see it that speak TLS: Python's, by tls.py, which says what it does and ends with an error when something is not as
// it should be. Certificates are made for each run.
import Foundation
import Glibc
import HTTPClient
import Synchronization
import Testing

@testable import HTTPServer

/// A certificate for localhost that clients are told to believe, and its key, in a folder that goes away.
final class Certificate: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)").path
    var path: String { "\(folder)/certificate.pem" }
    var key: String { "\(folder)/key.pem" }

    init(name: String = "one", _ more: [String] = []) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.openssl(
            ["req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
                + (more.isEmpty ? ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"] : more) + ["-keyout", key, "-out", path])
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("left behind: \(folder)") }
    }

    static func openssl(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "openssl \(words)")
    }

    func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    func identity() throws -> TLSIdentity { try TLSIdentity(certificate: bytes(path), key: bytes(key)) }
}

struct TLSTests {
    /// tls.py at work.
    private final class Python {
        private let process = Process()
        private let output = Pipe()
        private let errors = Pipe()
        private let input = Pipe()

        init(_ deed: String, _ address: ListenAddress, _ certificate: Certificate) throws {
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("tls.py").path
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "timeout", "60", "python3", script, deed, address.description.components(separatedBy: ":")[1], certificate.path,
            ]
            (process.standardOutput, process.standardError, process.standardInput) = (output, errors, input)
            try process.run()
        }

        func line() throws -> String {
            var line: [UInt8] = []
            while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0a { line.append(byte) }
            return String(decoding: line, as: UTF8.self)
        }

        func say(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((text + "\n").utf8)) }

        /// All that it printed.
        func end() throws -> [String] {
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            let words = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(words)")
            return text.split(separator: "\n").map(String.init)
        }
    }

    /// Says goodbye, as Lines do.
    private final class Listener: ExchangeStream {
        let answer: Mutex<AnswerStream?> = Mutex(nil)

        func draining() {
            answer.withLock { answer in
                answer?.send(Array("bye\n".utf8))
                answer?.end()
            }
        }
    }

    private final class Lines: ExchangeStream {
        let answer: Mutex<AnswerStream?> = Mutex(nil)

        func receive(_ bytes: [UInt8]) -> Bool {
            answer.withLock { _ = $0?.send(bytes) }
            return true
        }

        func received() { answer.withLock { $0?.end() } }

        func draining() {
            answer.withLock { answer in
                answer?.send(Array("bye\n".utf8))
                answer?.end()
            }
        }
    }

    private static let largest = 24_000_000

    private static let deeds: [String: Scene.Deed] = [
        "/lines": { _, exchange in
            let lines = Lines()
            let answer = exchange.open(200, .json, lines)
            lines.answer.withLock { $0 = answer }
            return .stream(lines)
        },
        "/events": { _, exchange in
            let lines = Lines()
            let answer = exchange.open(200, AnswerFields(contentType: "text/event-stream"), lines, idle: Array(": here\n\n".utf8))
            answer.send(Array("data: 1\n\n".utf8))
            return .stream(lines)
        },
        "/large": { _, _ in
            var bytes = [UInt8](repeating: 0, count: largest)
            for number in 0..<(largest / 4) {
                for byte in 0..<4 { bytes[number * 4 + byte] = UInt8(truncatingIfNeeded: number >> (byte * 8)) }
            }
            return .answer(Answer(status: 200, .json, bytes))
        },
    ]

    private static func scene(
        _ certificate: Certificate, _ keeper: TLSKeeper? = nil, _ change: (inout ServerSettings) -> Void = { _ in }
    ) throws -> Scene {
        var settings = ServerSettings()
        change(&settings)
        return try Scene(deeds, settings, tls: try keeper ?? TLSKeeper(certificate.identity()))
    }

    @Test(
        "Requests, bodies and answers are what they are without TLS",
        arguments: [
            ("whole", ["TLSv1.3 http/1.1 None"]), ("large", ["\(largest)"]), ("stream", ["20 lines"]), ("events", ["data: 1"]),
            ("farewell", ["both"]),
        ])
    func speaks(_ deed: String, _ expected: [String]) throws {
        let certificate = try Certificate()
        let scene = try Self.scene(certificate)
        #expect(try Python(deed, scene.address, certificate).end() == expected)
        try eventually { scene.server.counts.open == 0 }
        #expect(scene.server.counts.handshakesFailed == 0)
    }

    @Test("TLS 1.2 and 1.3 are spoken with keys of their own for each connection, and nothing older, weaker or other than HTTP/1.1")
    func versions() throws {
        // An RSA key could serve connections whose secrets hang on it alone.
        let certificate = try Certificate(["-newkey", "rsa:2048"])
        let scene = try Self.scene(certificate)
        let lines = try Python("versions", scene.address, certificate).end()
        #expect(lines.count == 6 && lines[0] == "TLSv1.2 ECDHE" && lines[1] == "TLSv1.3 TLS", "\(lines)")
        #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("refused ") }, "\(lines)")
        #expect(scene.server.counts.handshakesFailed == 4)
    }

    @Test("A client that wants other keys in the middle of a connection is refused")
    func renegotiation() throws {
        let certificate = try Certificate()
        let scene = try Self.scene(certificate)
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["20", "openssl", "s_client", "-connect", scene.address.description, "-tls1_2"]
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("R\n".utf8))
        let words = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(words.contains("RENEGOTIATING") && words.contains("no renegotiation") && process.terminationStatus == 1, "\(words)")
    }

    @Test("A client that sends nothing but new keys is heard one record at a time, so that others are heard meanwhile")
    func newKeys() throws {
        let certificate = try Certificate()
        let listening = try ListeningSocket(.ipv4(0x7f00_0001, port: 0))
        defer { listening.abandon() }
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["20", "openssl", "s_client", "-connect", listening.address.description, "-tls1_3"]
        (process.standardInput, process.standardOutput, process.standardError) = (input, FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        defer { process.terminate() }
        var descriptor: Int32 = -1
        try eventually {
            descriptor = accept(listening.descriptor, nil, nil)
            return descriptor >= 0
        }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let session = try #require(try certificate.identity().session(descriptor))
        try eventually { if case .done = session.shake() { true } else { false } }
        // Each command is one update, where it comes by itself.
        func waiting() -> Int32 {
            var count: Int32 = 0
            _ = ioctl(descriptor, UInt(FIONREAD), &count)
            return count
        }
        while waiting() < 100 {
            try input.fileHandleForWriting.write(contentsOf: Data("k\n".utf8))
            usleep(2_000)
        }
        let before = waiting()
        var room = [UInt8](repeating: 0, count: 1_024)
        let outcome = room.withUnsafeMutableBytes { session.take($0) }
        if case .later = outcome {} else { Issue.record("\(outcome)") }
        #expect(waiting() > 0 && waiting() < before)
    }

    @Test("At the end what is under way is finished and said to be over, as it is without TLS")
    func drain() throws {
        let certificate = try Certificate()
        let kept = Kept<[Exchange]>([])
        var deeds = Self.deeds
        deeds["/later"] = { _, _ in .whole(upTo: 0, Taker { request in kept.change { $0.append(request.exchange) } }) }
        deeds["/events"] = { _, exchange in
            let listener = Listener()
            let answer = exchange.open(200, AnswerFields(contentType: "text/event-stream"), listener, idle: [0x0a])
            listener.answer.withLock { $0 = answer }
            answer.send(Array("data: 1\n\n".utf8))
            return .stream(listener)
        }
        let scene = try Scene(deeds, tls: TLSKeeper(try certificate.identity()))
        let python = try Python("drain", scene.address, certificate)
        #expect(try python.line() == "open")
        let exchange = try kept.wait { !$0.isEmpty }[0]
        scene.server.drain(within: .seconds(20))
        try python.say("go on")
        exchange.answer(Answer(status: 200, .json, Array("late".utf8)))
        #expect(try python.end() == ["ended"])
        scene.server.wait()
        #expect(scene.server.counts.open == 0)
    }

    @Test("A handshake that does not end in time is cut, however often a byte of it comes")
    func slow() throws {
        let certificate = try Certificate()
        let scene = try Self.scene(certificate) { $0.handshake = .milliseconds(300) }
        #expect(try Python("slow", scene.address, certificate).end() == ["cut"])
        #expect(scene.server.counts.cut == 2)
        #expect(scene.server.counts.requests == 0)
    }

    @Test("What is no TLS, ends in the middle of it, or comes as it is ends alone, and a request is told why")
    func strange() throws {
        let certificate = try Certificate()
        let scene = try Self.scene(certificate)
        #expect(try Python("strange", scene.address, certificate).end() == ["short"])
        try eventually { scene.server.counts.open == 0 }
        #expect(scene.server.counts.handshakesFailed == 7, "five that are none, and two that are not encrypted")
    }

    @Test("A thousand connections are idle, and each is answered when it asks")
    func idle() throws {
        let certificate = try Certificate()
        let scene = try Self.scene(certificate)
        let python = try Python("idle", scene.address, certificate)
        #expect(try python.line() == "1000")
        try eventually { scene.server.counts.open == 1_000 }
        try python.say("go on")
        #expect(try python.line() == "answered")
        #expect(scene.server.counts.open == 1_000)
        try python.say("end")
        #expect(try python.end() == [])
    }

    @Test("Another certificate is shown to new connections, and those that are there go on")
    func rotation() throws {
        let (one, two) = (try Certificate(name: "one"), try Certificate(name: "two"))
        let keeper = TLSKeeper(try one.identity())
        let scene = try Self.scene(one, keeper)
        let python = try Python("rotation", scene.address, one)
        #expect(try python.line() == "one")
        keeper.replace(with: try two.identity())
        try python.say(two.path)
        #expect(try python.end() == ["two"])
    }

    @Test("The file of a socket speaks no TLS, whatever else does")
    func files() throws {
        let certificate = try Certificate()
        let scene = try Scene([:], at: "unix:\(certificate.folder)/socket", tls: TLSKeeper(try certificate.identity()))
        #expect(try scene.client().get("/short").text == "short")
    }

    @Test("What is no certificate, no key, locked, another's or too weak is told as what it is")
    func faults() throws {
        let (one, two) = (try Certificate(), try Certificate())
        let (certificate, key) = (try one.bytes(one.path), try one.bytes(one.key))
        func fault(_ certificate: [UInt8], _ key: [UInt8]) -> TLSIdentity.Fault? {
            do throws(TLSIdentity.Fault) {
                _ = try TLSIdentity(certificate: certificate, key: key)
                return nil
            } catch {
                return error
            }
        }
        #expect(fault(certificate, key) == nil)
        #expect(fault([], key) == .noCertificate)
        #expect(fault(key, key) == .noCertificate)
        #expect(fault(certificate, []) == .noKey)
        #expect(fault(certificate, certificate) == .noKey)
        #expect(fault(certificate, try two.bytes(two.key)) == .keyOfAnother)
        let rsa = try Certificate(["-newkey", "rsa:2048"])
        #expect(fault(certificate, try rsa.bytes(rsa.key)) == .keyOfAnother)
        #expect(fault(try two.bytes(two.path) + certificate, key) == .keyOfAnother, "the server's own is the first")
        try Certificate.openssl(["pkey", "-in", one.key, "-aes256", "-passout", "pass:secret", "-out", "\(one.folder)/locked.pem"])
        #expect(fault(certificate, try one.bytes("\(one.folder)/locked.pem")) == .keyLocked)
        // A file that is being written: without its end the second one is no reason to serve the first alone.
        let second = try two.bytes(two.path)
        for cut in [second.count / 2, second.count - 5] {
            guard case .refused = fault(certificate + second[..<cut], key) else {
                Issue.record("half of a chain was taken")
                continue
            }
        }
        #expect(fault(certificate + second + Array("\nNotes of the operator.\n".utf8), key) == nil)
        let weak = try Certificate(["-newkey", "rsa:1024"])
        #expect(fault(try weak.bytes(weak.path), try weak.bytes(weak.key)) == .refused("ee key too small"))
    }
}
