// A client that knows nothing but bytes: connects, sends what a test says, and reads answers or until the end. It waits at most
// twenty seconds for anything, so that a server that says nothing fails a test instead of holding it.
import Glibc
package import HTTPServer

// SAFETY: one thread at a time reads; who sends touches nothing but the descriptor.
package final class Client: @unchecked Sendable {
    package struct Received: Equatable {
        package var status = 0
        package var fields: [String: String] = [:]
        package var body: [UInt8] = []
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package struct Silence: Error {
        package init() {}
    }

    package let descriptor: Int32
    private var unread: [UInt8] = []

    /// - Parameter room: of the system for bytes that this client has not read; small ones make it a slow client.
    package init(_ address: ListenAddress, room: Int32? = nil) throws {
        var code: Int32 = -1
        switch address {
        case .ipv4(let number, let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            Client.set(descriptor, room)
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_addr.s_addr = number.bigEndian
            place.sin_port = port.bigEndian
            code = Client.connect(descriptor, &place)
        case .ipv6(let bytes, let port):
            descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
            var place = sockaddr_in6()
            place.sin6_family = sa_family_t(AF_INET6)
            withUnsafeMutableBytes(of: &place.sin6_addr) { $0.copyBytes(from: bytes) }
            place.sin6_port = port.bigEndian
            code = Client.connect(descriptor, &place)
        case .unix(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var place = sockaddr_un()
            place.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
            code = Client.connect(descriptor, &place)
        }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if code != 0 { throw Silence() }
    }

    deinit { close(descriptor) }

    private static func set(_ descriptor: Int32, _ room: Int32?) {
        guard var room else { return }
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4)
    }

    private static func connect<Place>(_ descriptor: Int32, _ place: inout Place) -> Int32 {
        withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Place>.size)) }
        }
    }

    package func send(_ text: String) { send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return }
            done += count
        }
    }

    /// Says that nothing more will be sent.
    package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Goes away as a phone does that loses its network: without a farewell.
    package func abort() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// - Returns: whether there was anything.
    private func readMore() throws -> Bool {
        var room = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &room, room.count, 0)
        if count < 0, errno == EAGAIN { throw Silence() }
        if count <= 0 { return false }
        unread += room[..<count]
        return true
    }

    package func readToEnd() throws -> [UInt8] {
        while try readMore() {}
        defer { unread = [] }
        return unread
    }

    /// With its end of line.
    package func readLine() throws -> String {
        while true {
            if let end = unread.firstIndex(of: 0x0a) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[...end], as: UTF8.self)
            }
            guard try readMore() else { throw Silence() }
        }
    }

    package func read(_ count: Int) throws -> [UInt8] {
        while unread.count < count { guard try readMore() else { throw Silence() } }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }

    package func readHead() throws -> Received {
        var received = Received()
        let first = try readLine()
        received.status = first.hasPrefix("HTTP/1.1 ") ? Int(first.dropFirst(9).prefix(3)) ?? 0 : 0
        while true {
            let line = try readLine()
            if line == "\r\n" { return received }
            guard let colon = line.firstIndex(of: ":") else { throw Silence() }
            received.fields[line[..<colon].lowercased()] = String(line[colon...].dropFirst(2).dropLast())
        }
    }

    /// nil at the last one.
    package func readChunk() throws -> [UInt8]? {
        guard let size = Int(try readLine().dropLast(), radix: 16) else { throw Silence() }
        let content = try read(size + 2)
        return size == 0 ? nil : Array(content.dropLast(2))
    }

    package func readAnswer(toHead: Bool = false) throws -> Received {
        var received = try readHead()
        if toHead || received.status == 204 || received.status == 304 { return received }
        if received.fields["transfer-encoding"] == "chunked" {
            while let chunk = try readChunk() { received.body += chunk }
        } else if let length = received.fields["content-length"].flatMap({ Int($0) }) {
            received.body = try read(length)
        } else {
            received.body = try readToEnd()
        }
        return received
    }

    package func get(_ path: String) throws -> Received {
        send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try readAnswer()
    }
}
