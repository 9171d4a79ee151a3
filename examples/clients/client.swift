// Asks a host, with sockets alone: `swiftc -O client.swift -o client`. Reads standard input, writes what the host answers.
//
//   client HOST decide APP < request.json        one decision
//   client HOST stream < requests.ndjson         a decision for each line, as soon as it is there
//
// HOST is ADDRESS:PORT or unix:PATH. RULEHOST_TOKEN is sent when it is set. For HTTPS take URLSession for `decide`; it is not used here because
// on Linux it hands out an answer only when the whole body has been sent, which makes a stream of days impossible.
import Glibc

struct Failure: Error { let words: String }

/// A socket whose calls wait.
struct Wire {
    let descriptor: Int32

    init(_ host: String) throws {
        if host.hasPrefix("unix:") {
            var place = sockaddr_un()
            place.sun_family = sa_family_t(AF_UNIX)
            let path = host.utf8.dropFirst(5)
            guard path.count < MemoryLayout.size(ofValue: place.sun_path) else { throw Failure(words: "the path is too long") }
            withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path) }
            descriptor = try Wire.connect(AF_UNIX, &place)
        } else {
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            let parts = host.split(separator: ":")
            guard parts.count == 2, let port = UInt16(parts[1]), inet_pton(AF_INET, String(parts[0]), &place.sin_addr) == 1 else {
                throw Failure(words: "\(host) is no ADDRESS:PORT")
            }
            place.sin_port = port.bigEndian
            descriptor = try Wire.connect(AF_INET, &place)
        }
    }

    private static func connect<Place>(_ family: Int32, _ place: inout Place) throws -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        let code = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Place>.size)) }
        }
        guard code == 0 else {
            let words = String(cString: strerror(errno))
            Glibc.close(descriptor)
            throw Failure(words: words)
        }
        return descriptor
    }

    func send(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failure(words: "the host has gone") }
            done += count
        }
    }
}

/// What a host answers, read as it comes.
struct Answer {
    let wire: Wire
    var unread: [UInt8] = []
    var status = 0
    var fields: [String: String] = [:]

    init(_ wire: Wire) throws {
        self.wire = wire
        status = try Int(line().split(separator: " ").dropFirst().first ?? "") ?? 0
        while case let text = try line(), !text.isEmpty {
            let parts = text.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " }) }
        }
    }

    private mutating func more() throws {
        var room = [UInt8](repeating: 0, count: 16_384)
        let count = recv(wire.descriptor, &room, room.count, 0)
        guard count > 0 else { throw Failure(words: "the host has gone") }
        unread += room[..<count]
    }

    private mutating func line() throws -> String {
        while true {
            if let end = unread.firstIndex(of: 0x0a) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end].filter { $0 != 0x0d }, as: UTF8.self)
            }
            try more()
        }
    }

    private mutating func take(_ count: Int) throws -> [UInt8] {
        while unread.count < count { try more() }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }

    /// nil: that was all.
    mutating func piece() throws -> [UInt8]? {
        if fields["transfer-encoding"] == "chunked" {
            guard let size = Int(try line(), radix: 16) else { throw Failure(words: "this is no chunk") }
            let content = try take(size + 2).dropLast(2)
            return size == 0 ? nil : Array(content)
        }
        guard let length = fields.removeValue(forKey: "content-length").flatMap({ Int($0) }) else { return nil }
        return try take(length)
    }
}

func head(_ path: String, _ fields: [String]) -> [UInt8] {
    let token = getenv("RULEHOST_TOKEN").map { ["Authorization: Bearer \(String(cString: $0))"] } ?? []
    return Array((["POST \(path) HTTP/1.1", "Host: localhost"] + fields + token).map { $0 + "\r\n" }.joined().utf8) + [0x0d, 0x0a]
}

func write(_ bytes: [UInt8], to descriptor: Int32 = 1) {
    var done = 0
    while done < bytes.count {
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done) }
        if count <= 0 { exit(6) }
        done += count
    }
}

/// Asks until there is an answer. The same key for every try: a decision whose answer was lost is not made twice.
func decide(_ host: String, _ app: String, _ request: [UInt8]) throws -> Int {
    var random = SystemRandomNumberGenerator()
    let key = String(random.next(), radix: 36) + String(random.next(), radix: 36)
    let fields = ["Content-Type: application/json", "Content-Length: \(request.count)", "Idempotency-Key: \(key)", "Connection: close"]
    for number in 1... {
        var pause = 1 << min(number - 1, 5)
        var reason = ""
        do {
            let wire = try Wire(host)
            defer { close(wire.descriptor) }
            try wire.send(head("/v1/apps/\(app)/decide", fields) + request)
            var answer = try Answer(wire)
            if answer.status != 503 && answer.status != 429 || number == 6 {
                while let piece = try answer.piece() { write(piece) }
                write([0x0a])
                return answer.status
            }
            pause = answer.fields["retry-after"].flatMap { Int($0) } ?? pause
            reason = "the host answers \(answer.status)"
        } catch let failure as Failure where number < 6 {
            // Whether it was decided nobody knows; the key takes care of that.
            reason = failure.words
        }
        write(Array("client: \(reason); try \(number + 1) of 6 in \(pause) s\n".utf8), to: 2)
        sleep(UInt32(pause))
    }
    return 0
}

/// Sends lines on a thread of its own while answers are read on this one. Nothing is held in memory: when nobody takes the answers the host
/// reads no further, sending waits, and so does whoever makes the lines.
func stream(_ host: String) throws -> Int {
    let wire = try Wire(host)
    try wire.send(head("/v1/decide", ["Content-Type: application/x-ndjson", "Transfer-Encoding: chunked"]))
    var thread = pthread_t()
    let seat = UnsafeMutablePointer<Wire>.allocate(capacity: 1)
    seat.initialize(to: wire)
    pthread_create(
        &thread, nil,
        { seat in
            guard let wire = seat?.assumingMemoryBound(to: Wire.self).pointee else { return nil }
            // When the host has ended the stream, its answer says why.
            do {
                while let line = readLine(strippingNewline: false) {
                    let bytes = Array(line.utf8)
                    try wire.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0d, 0x0a])
                }
                try wire.send(Array("0\r\n\r\n".utf8))
            } catch {}
            return nil
        }, seat)
    var answer = try Answer(wire)
    while let piece = try answer.piece() { write(piece) }
    return answer.status
}

func readAll() -> [UInt8] {
    var all: [UInt8] = []
    while let line = readLine(strippingNewline: false) { all += Array(line.utf8) }
    return all
}

let words = CommandLine.arguments.dropFirst()
do {
    switch (words.count, words.dropFirst().first) {
    case (3, "decide"): exit(try decide(words[1], words[3], readAll()) == 200 ? 0 : 1)
    case (2, "stream"): exit(try stream(words[1]) == 200 ? 0 : 1)
    default:
        write(Array("client HOST decide APP | HOST stream\n".utf8), to: 2)
        exit(2)
    }
} catch {
    write(Array("client: \((error as? Failure)?.words ?? "\(error)")\n".utf8), to: 2)
    exit(6)
}
