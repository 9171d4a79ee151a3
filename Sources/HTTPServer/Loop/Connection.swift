// One client: which bytes have come and what they mean, which requests wait for answers, and in which order these go out.
// Made by Loop when a client comes, and called by it when the client sends, takes, or lets a deadline pass. Lives on the loop's
// thread; nobody else ever has it.
//
//     readable ─▶ consume ─▶ head ─▶ begin ─▶ body … ─▶ handler          (as long as there is room)
//     a letter ─▶ Loop puts the answer into the table ─▶ pump ─▶ outgoing (in the order of the requests)
import CEvent
import Glibc

@safe final class Connection {
    /// What the next bytes are.
    enum Reading {
        case head
        case body
        /// Nobody wants them any more.
        case nothing
    }

    /// For whom a body is read.
    enum BodyTaker {
        case whole(upTo: Int, any RequestTaking, beyond: Answer?)
        case stream(any ExchangeStream)
        case nobody(upTo: Int)
    }

    /// What the deadline of reading is about.
    enum Awaited {
        case handshake
        case request
        case head
        case body
        case piece
        case farewell
        case nothing
    }

    unowned let loop: Loop
    let place: Int
    let descriptor: Int32
    var wire: Wire
    var outgoing: Outgoing
    var readEvent: OpaquePointer?
    var writeEvent: OpaquePointer?

    /// Came, and could not be used yet.
    var rest: [UInt8] = []
    var scan = HeadScan()
    var hasSkippedLine = false
    /// The next request has been seen, and is begun when nothing is before it.
    var waitsForTurn = false
    /// The first byte was one of TLS, where that is spoken.
    var hasOpened = false
    var reading = Reading.head
    var body = BodyReader(.none)
    var taker = BodyTaker.nobody(upTo: 0)
    var collected: [UInt8] = []
    /// Of `collected`, in the sum over all connections.
    var countedBytes = 0
    var current: ExchangeID?

    /// Not written in full yet, in the order of the requests.
    var waiting: [ExchangeID] = []
    /// Of the answer that is a stream and goes out now: among `outgoing`.
    var streamBytes = 0
    var awaited = Awaited.nothing
    /// A stream has enough for now.
    var isHeld = false
    var isListening = false
    var isWriteArmed = false
    var hasEnded = false
    /// Nothing is read or answered any more; what is outgoing still goes.
    var isEnding = false
    /// The client may still be sending: closing at once would take the last answer from it.
    var lingers = false
    var isClosed = false
    var isDirty = false
    /// When something was last written to a stream.
    var lastPiece = 0

    /// - Parameter tls: nil: bytes go as they are.
    init(_ loop: Loop, place: Int, descriptor: Int32, _ tls: TLSSession?) {
        self.loop = loop
        self.place = place
        self.descriptor = descriptor
        wire = Wire(descriptor, tls)
        outgoing = Outgoing(wire)
    }

    /// - Returns: whether the system has room for it.
    func start() -> Bool {
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        // SAFETY: the event is freed in close(), before the loop lets go of the connection.
        unsafe readEvent = event_new(
            loop.base, descriptor, Int16(EV_READ | EV_PERSIST),
            { _, _, this in
                guard let this = unsafe this else { return }
                let connection = unsafe Unmanaged<Connection>.fromOpaque(this).takeUnretainedValue()
                connection.loop.beginTurn()
                connection.readable()
            }, this)
        guard unsafe readEvent != nil else { return false }
        listen()
        expect(wire.isShaking ? .handshake : .request)
        return true
    }
}

// MARK: time and the end

extension Connection {
    func expect(_ what: Awaited) {
        if what == awaited, what != .piece { return }
        awaited = what
        let settings = loop.settings
        let time: Duration? =
            switch what {
            case .handshake: settings.handshake
            case .request: settings.idle
            case .head: settings.head
            case .body: settings.body
            case .piece: settings.streamBody
            case .farewell: settings.linger
            case .nothing: nil
            }
        loop.deadlines.setReading(place, time.map { loop.now + $0.milliseconds } ?? Deadlines.none)
    }

    func readingIsLate() {
        loop.deadlines.setReading(place, Deadlines.none)
        switch awaited {
        case .handshake:
            loop.counts.cutEver.count()
            close()
        case .request:
            if waiting.isEmpty && outgoing.isEmpty { close() } else { awaited = .nothing }
        case .head:
            loop.counts.cutEver.count()
            refuse(.headLate)
        case .body, .piece:
            loop.counts.cutEver.count()
            refuse(.bodyLate)
        case .farewell: close()
        case .nothing: break
        }
        if !isClosed { settleReading() }
    }

    func writingIsLate() {
        loop.counts.cutEver.count()
        close()
    }

    /// The server ends: those who wait for nothing go, streams are told.
    func drain() {
        if waiting.isEmpty, outgoing.isEmpty, reading == .head, rest.isEmpty { return close() }
        for id in waiting { loop.exchanges[id]?.stream?.draining() }
        // One that only takes its last answer ends with it.
        loop.markDirty(self)
    }

    /// The idle bytes of a stream, when nothing else was sent for long enough.
    func fillPause() {
        guard let id = waiting.first, let entry = loop.exchanges[id], let idle = entry.start?.idle, entry.isHeadWritten else { return }
        guard loop.now - lastPiece >= loop.settings.streamPause.milliseconds, outgoing.isEmpty else { return }
        lastPiece = loop.now
        loop.writing.clear()
        loop.writing.writeChunk(idle, to: entry.head)
        send()
    }

    func abandon() {
        for id in waiting {
            let entry = loop.exchanges[id]
            loop.exchanges.remove(id)
            entry?.start?.answer.close()
            entry?.stream?.gone()
        }
        waiting = []
    }

    func close() {
        if isClosed { return }
        isClosed = true
        // SAFETY: after that libevent calls nothing for this connection.
        if let event = unsafe readEvent { unsafe event_free(event) }
        if let event = unsafe writeEvent { unsafe event_free(event) }
        unsafe (readEvent, writeEvent) = (nil, nil)
        outgoing.free()
        wire.sayEnd()
        Glibc.close(descriptor)
        rest = []
        collected = []
        uncountBody()
        abandon()
        loop.remove(self)
    }
}
