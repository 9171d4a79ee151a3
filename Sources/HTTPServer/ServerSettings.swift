// The bounds of a server. Given by whoever starts one; tests take small ones.

/// How long clients may take, and how much.
public struct ServerSettings: Sendable {
    /// Until a client that speaks TLS has said who it is talking to, and can be answered.
    public var handshake: Duration = .seconds(10)
    /// From the first byte of a head to its end.
    public var head: Duration = .seconds(10)
    /// From the end of a head to the end of a body that is collected.
    public var body: Duration = .seconds(60)
    /// Between two pieces of a body that is a stream, while the server wants some.
    public var streamBody: Duration = .seconds(60)
    /// In which a client has to take what waits for it.
    public var writing: Duration = .seconds(30)
    /// Between two requests, and before the first.
    public var idle: Duration = .seconds(75)
    /// For a client to hear why it is cut before it is.
    public var linger: Duration = .seconds(2)
    /// After which an answer that is a stream sends its `idle` bytes.
    public var streamPause: Duration = .seconds(15)

    public var connections = 20_000
    /// Requests of one connection that are being answered at the same time.
    public var pipelined = 32
    /// Of a body that nobody wants: read to keep the connection.
    public var unwantedBytes = 64 << 10
    /// Of all bodies together that are not complete yet, whichever connection and loop has them.
    public var bodyBytes = 256 << 20
    public var loops = 1

    public init() {}

    /// How often deadlines are looked at: often enough for the shortest.
    var tick: Int {
        let shortest = [handshake, head, body, streamBody, writing, idle, linger, streamPause].map(\.milliseconds).min() ?? 1_000
        return min(500, max(5, shortest / 8))
    }
}

extension Duration {
    var milliseconds: Int { Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}
