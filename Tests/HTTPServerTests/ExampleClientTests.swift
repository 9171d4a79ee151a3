// The clients of examples/clients, against a server that refuses them at first, and one that answers line by line. Against a host they run in
// their README. The one in Swift is compiled here, as its readers do.
import Foundation
import Glibc
import HTTPClient
import HTTPServer
import Synchronization
import Testing

/// One of the clients, ready to be started.
private final class ExampleClient {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("client-\(UUID().uuidString)").path
    private let path: String

    init(_ kind: ExampleClientTests.Kind) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let source = "\(ExampleClientTests.folder)/\(kind.rawValue)"
        guard kind == .swift else {
            path = source
            return
        }
        path = "\(folder)/client"
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-swift-version", "6", "-warnings-as-errors", source, "-o", path]
        try compiler.run()
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0, "client.swift does not compile")
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("left behind: \(folder)") }
    }

    func process(_ words: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = words
        process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "RULEHOST_TOKEN": "secret"]
        return process
    }
}

struct ExampleClientTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("examples/clients").path

    enum Kind: String, CaseIterable, Sendable { case curl = "curl.sh", python = "client.py", swift = "client.swift" }

    private static func socket() -> String { "unix:\(FileManager.default.temporaryDirectory.path)/\(UUID().uuidString).sock" }

    @Test("A client that is told to come again asks again, with the same key, and has its answer once", arguments: Kind.allCases)
    func again(_ kind: Kind) throws {
        let keys = Kept<[String]>([])
        let scene = try Scene(
            [
                "/v1/apps/chat/decide": { head, _ in
                    #expect(head.value(of: "authorization") == "Bearer secret")
                    return .whole(
                        upTo: 1_000,
                        Taker { request in
                            keys.change { $0.append(request.head.value(of: "idempotency-key") ?? "") }
                            let fields = AnswerFields(contentType: "application/json")
                            request.exchange.answer(
                                keys.now.count < 3
                                    ? Answer(status: 503, fields.adding("Retry-After", "1"), Array("{}".utf8))
                                    : Answer(status: 200, fields, request.body))
                        })
                }
            ], at: Self.socket())
        let client = try ExampleClient(kind)
        let process = client.process([scene.address.description, "decide", "chat"])
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, FileHandle.nullDevice)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(#"{"ask": 1}"#.utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(text.hasSuffix(#"{"ask": 1}"#) || text.hasSuffix("{\"ask\": 1}\n"), "\(text)")
        #expect(keys.now.count == 3 && Set(keys.now).count == 1 && keys.now[0].count > 15, "\(keys.now)")
    }

    /// Sends back what comes, and counts it.
    private final class Echo: ExchangeStream {
        let answer: Mutex<AnswerStream?> = Mutex(nil)
        let count = Atomic(0)
        let exchange: Exchange

        init(_ exchange: Exchange) { self.exchange = exchange }

        func receive(_ bytes: [UInt8]) -> Bool {
            count.wrappingAdd(bytes.count, ordering: .relaxed)
            return answer.withLock { $0?.send(bytes) } ?? true
        }

        func received() { answer.withLock { $0?.end() } }
        func wanted() { exchange.goOn() }
    }

    @Test("A stream whose answers nobody takes is held back, and arrives whole when somebody does", arguments: Kind.allCases)
    func heldBack(_ kind: Kind) throws {
        let echoes = Kept<[Echo]>([])
        let scene = try Scene(
            [
                "/v1/decide": { _, exchange in
                    let echo = Echo(exchange)
                    let answer = exchange.open(200, AnswerFields(contentType: "application/x-ndjson"), echo)
                    echo.answer.withLock { $0 = answer }
                    echoes.change { $0.append(echo) }
                    return .stream(echo)
                }
            ], at: Self.socket())
        let lines = (0..<200_000).map { "{\"line\": \($0), \"text\": \"some text that makes it longer\"}\n" }.joined()
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("lines-\(UUID().uuidString)")
        try Data(lines.utf8).write(to: path)
        defer { unlink(path.path) }
        let client = try ExampleClient(kind)
        let process = client.process([scene.address.description, "stream"])
        let output = Pipe()
        process.standardInput = try FileHandle(forReadingFrom: path)
        process.standardOutput = output
        try process.run()
        let echo = try echoes.wait { !$0.isEmpty }[0]
        // Until it has stood still for two hundred looks.
        var (last, stood) = (-1, 0)
        try eventually {
            let now = echo.count.load(ordering: .relaxed)
            stood = now == last && now > 0 ? stood + 1 : 0
            last = now
            return stood == 200
        }
        #expect(last < lines.utf8.count / 2, "\(last) of \(lines.utf8.count)")
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(text == Data(lines.utf8), "\(text.count) of \(lines.utf8.count)")
    }
}
