// Many connections: idle ones, ones that go away in the middle of their answers, and more than are taken.
import Foundation
import Glibc
import HTTPClient
import HTTPServer
import Testing

struct CrowdTests {
    /// crowd.py at work.
    private final class Crowd {
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())

        init(_ count: Int, _ address: ListenAddress) throws {
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("crowd.py").path
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["timeout", "60", "python3", script, address.description.components(separatedBy: ":")[1], String(count)]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
        }

        func number() throws -> Int? {
            var line: [UInt8] = []
            while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0a { line.append(byte) }
            return Int(String(decoding: line, as: UTF8.self))
        }

        func goOn() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

        func end() -> Int32 {
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    /// As many of these as this machine lets a process have, beside what the tests that run at the same time need.
    private static func possible(_ count: Int) -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let most = max(100, Int(clamping: limit.rlim_max) - 2_000)
        if most < count { print("of \(count) connections this machine allows \(most): ulimit -Hn is \(limit.rlim_max)") }
        return min(count, most)
    }

    @Test("Ten thousand connections are idle, and each is answered when it asks", arguments: [(1, 10_000), (2, 1_000)])
    func idle(loops: Int, wanted: Int) throws {
        var settings = ServerSettings()
        settings.loops = loops
        let scene = try Scene([:], settings)
        let count = Self.possible(wanted)
        let crowd = try Crowd(count, scene.address)
        #expect(try crowd.number() == count)
        try eventually { scene.server.counts.open == count }
        #expect(scene.server.counts.requests == 0)
        try crowd.goOn()
        #expect(try crowd.number() == count)
        #expect(scene.server.counts.open == count && scene.server.counts.requests == count)
        try crowd.goOn()
        #expect(crowd.end() == 0)
        try eventually { scene.server.counts.open == 0 }
    }

    @Test("Clients that go away while their answers are made harm nobody")
    func aborts() throws {
        let kept = Kept<[Exchange]>([])
        let large = [UInt8](repeating: 0x61, count: 1_000_000)
        let scene = try Scene([
            "/later": { _, _ in .whole(upTo: 10, Taker { request in kept.change { $0.append(request.exchange) } }) },
            "/large": { _, _ in .answer(Answer(status: 200, .json, large)) },
        ])
        for round in 0..<5 {
            kept.change { $0 = [] }
            var clients: [Client] = []
            for number in 0..<100 {
                let client = try scene.client(room: 4_096)
                client.send("GET /\(number % 2 == 0 ? "later" : "large") HTTP/1.1\r\nHost: a\r\n\r\n")
                if number % 4 < 2 { client.abort() }
                clients.append(client)
            }
            let exchanges = try kept.wait { $0.count == 50 }
            let others = try scene.client()
            if round % 2 == 0 { clients = [] }
            Exchange.answer(exchanges.map { ($0, Answer(status: 200, .json, large)) })
            clients = []
            for exchange in exchanges { exchange.answer(Answer(status: 200, .json, large)) }
            #expect(try others.get("/short").text == "short")
            try eventually { scene.server.counts.open == 1 }
        }
    }

    @Test("Whoever is one too many is told so, and may come again when there is room")
    func tooMany() throws {
        var settings = ServerSettings()
        settings.connections = 3
        let scene = try Scene([:], settings)
        var clients = try (0..<3).map { _ in try scene.client() }
        for client in clients { #expect(try client.get("/short").status == 200) }
        let answer = try scene.client().readAnswer()
        #expect(answer.status == 503 && answer.fields["connection"] == "close" && answer.text.contains("too_many_connections"))
        clients = []
        try eventually { scene.server.counts.open == 0 }
        #expect(try scene.client().get("/short").status == 200)
    }
}
