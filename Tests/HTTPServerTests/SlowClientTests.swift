// Clients that take their time are cut: by absolute deadlines, so that a byte now and then does not help.
import Glibc
import HTTPClient
import Testing

@testable import HTTPServer

struct SlowClientTests {
    private static func settings(_ change: (inout ServerSettings) -> Void) -> ServerSettings {
        var settings = ServerSettings()
        change(&settings)
        return settings
    }

    @Test("A head that does not end in time is refused, however often a byte of it comes")
    func head() throws {
        let scene = try Scene([:], Self.settings { $0.head = .milliseconds(100) })
        let client = try scene.client()
        client.send("GET /short HTTP/1.1\r\n")
        try eventually {
            client.send("A")
            return scene.server.counts.cut == 1
        }
        #expect(try client.readAnswer().status == 408)
    }

    @Test("A body that does not end in time is refused, however often a byte of it comes")
    func body() throws {
        let scene = try Scene([:], Self.settings { $0.body = .milliseconds(100) })
        let client = try scene.client()
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n")
        try eventually {
            client.send("A")
            return scene.server.counts.cut == 1
        }
        let answer = try client.readAnswer()
        #expect(answer.status == 408 && answer.text.contains("body_late"))
    }

    @Test("A connection without a request ends in time and without a word")
    func idle() throws {
        let scene = try Scene([:], Self.settings { $0.idle = .milliseconds(100) })
        let client = try scene.client()
        #expect(try client.readToEnd() == [])
        let other = try scene.client()
        #expect(try other.get("/short").text == "short")
        #expect(try other.readToEnd() == [])
        #expect(scene.server.counts.cut == 0)
    }

    @Test("An answer that is not there yet keeps a connection, however long it takes")
    func waiting() throws {
        let kept = Kept<[Exchange]>([])
        let scene = try Scene(
            ["/later": { _, _ in .whole(upTo: 10, Taker { request in kept.change { $0.append(request.exchange) } }) }],
            Self.settings { settings in
                settings.idle = .milliseconds(50)
                settings.head = .milliseconds(50)
                settings.body = .milliseconds(50)
            })
        let client = try scene.client()
        client.send("POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na")
        let exchange = try kept.wait { !$0.isEmpty }[0]
        // Another connection has been idle for as long as is allowed since then, twice.
        for _ in 0..<2 { _ = try scene.client().readToEnd() }
        exchange.answer(Answer(status: 200, .json, Array("there".utf8)))
        #expect(try client.readAnswer().text == "there")
    }

    @Test("A client that does not take its answer is cut")
    func writing() throws {
        let scene = try Scene(
            ["/large": { _, _ in .answer(Answer(status: 200, .json, [UInt8](repeating: 0x61, count: 30_000_000))) }],
            Self.settings { $0.writing = .milliseconds(100) })
        let client = try scene.client(room: 4_096)
        client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        try eventually { scene.server.counts.cut == 1 }
        try eventually { scene.server.counts.open == 0 }
    }

    @Test("Of a large answer only a part has to be taken in the time for writing")
    func steady() {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        var outgoing = Outgoing(Wire(ends[0], nil))
        defer { outgoing.free() }
        _ = outgoing.send([UInt8](repeating: 0x61, count: 4_000_000))
        outgoing.setMark()
        #expect(!outgoing.isMarkReached)
        var room = [UInt8](repeating: 0, count: 64 << 10)
        var taken = 0
        while !outgoing.isMarkReached {
            let count = recv(ends[1], &room, room.count, 0)
            #expect(count > 0)
            if count <= 0 { break }
            taken += count
            _ = outgoing.write()
        }
        #expect(taken < 1_000_000 && !outgoing.isEmpty)
    }

    @Test("A client that sends requests and takes no answers is not read any further")
    func greedy() throws {
        let scene = try Scene(["/large": { _, _ in .answer(Answer(status: 200, .json, [UInt8](repeating: 0x61, count: 100_000))) }])
        let client = try scene.client(room: 4_096)
        client.send(String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: 1_000))
        var last = -1
        // Until it stands still while another connection is served.
        try eventually {
            defer { last = scene.server.counts.requests }
            return scene.server.counts.requests == last && last > 0
        }
        #expect(scene.server.counts.requests < 200, "\(scene.server.counts.requests)")
        for _ in 0..<1_000 { #expect(try client.readAnswer().body.count == 100_000) }
    }

    @Test("A stream that sends nothing ends, and one that sends now and then goes on")
    func pieces() throws {
        final class Silent: ExchangeStream {
            let isGone = Kept(false)
            let pieces = Kept(0)
            func receive(_ bytes: [UInt8]) -> Bool {
                pieces.change { $0 += 1 }
                return true
            }
            func gone() { isGone.change { $0 = true } }
        }
        let silent = Silent()
        let scene = try Scene(["/silent": { _, _ in .stream(silent) }], Self.settings { $0.streamBody = .milliseconds(200) })
        let client = try scene.client()
        client.send("POST /silent HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        for number in 1...10 {
            client.send("1\r\na\r\n")
            _ = try silent.pieces.wait { $0 >= number }
        }
        #expect(try client.readAnswer().status == 408)
        #expect(silent.isGone.now)
    }
}
