// One client: which bytes have come and what they mean, which requests wait for answers, and in which order these go out.
// Made by Loop when a client comes, and called by it when the client sends, takes, or lets a deadline pass. Lives on the loop's
// thread; nobody else ever has it.
//
//     readable ─▶ consume ─▶ head ─▶ begin ─▶ body … ─▶ handler          (as long as there is room)
//     a letter ─▶ Loop puts the answer into the table ─▶ pump ─▶ outgoing (in the order of the requests)
import CEvent
import Glibc
import Synchronization

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
        case whole(upTo: Int, any RequestTaking)
        case stream(any ExchangeStream)
        case nobody(upTo: Int)
    }

    /// What the deadline of reading is about.
    enum Awaited {
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
    var outgoing: Outgoing
    private var readEvent: OpaquePointer?
    private var writeEvent: OpaquePointer?

    /// Came, and could not be used yet.
    private var rest: [UInt8] = []
    private var scan = HeadScan()
    private var hasSkippedLine = false
    /// The next request has been seen, and is begun when nothing is before it.
    private var waitsForTurn = false
    private(set) var reading = Reading.head
    private var body = BodyReader(.none)
    private var taker = BodyTaker.nobody(upTo: 0)
    private var collected: [UInt8] = []
    private var current: ExchangeID?

    /// Not written in full yet, in the order of the requests.
    private(set) var waiting: [ExchangeID] = []
    /// Of the answer that is a stream and goes out now: among `outgoing`.
    private var streamBytes = 0
    private var awaited = Awaited.nothing
    /// A stream has enough for now.
    private var isHeld = false
    private var isListening = false
    private var isWriteArmed = false
    private var hasEnded = false
    /// Nothing is read or answered any more; what is outgoing still goes.
    private var isEnding = false
    /// The client may still be sending: closing at once would take the last answer from it.
    private var lingers = false
    private(set) var isClosed = false
    var isDirty = false
    /// When something was last written to a stream.
    private(set) var lastPiece = 0

    init(_ loop: Loop, place: Int, descriptor: Int32) {
        self.loop = loop
        self.place = place
        self.descriptor = descriptor
        outgoing = Outgoing(descriptor)
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
        expect(.request)
        return true
    }
}

// MARK: bytes come in

extension Connection {
    private func readable() {
        let room = unsafe loop.scratch
        let count = unsafe recv(descriptor, room.baseAddress, room.count, 0)
        if count > 0 {
            if reading == .nothing { return }
            unsafe take(UnsafeRawBufferPointer(rebasing: room[..<count]))
        } else if count == 0 {
            clientEnded()
        } else if errno != EAGAIN, errno != EINTR {
            close()
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        if rest.isEmpty {
            let used = unsafe consume(bytes)
            if !isClosed, used < bytes.count { unsafe rest = Array(bytes[used...]) }
        } else {
            unsafe rest.append(contentsOf: bytes)
            consumeRest()
        }
        settleReading()
    }

    private func consumeRest() {
        let all = rest
        let used = unsafe all.withUnsafeBytes { unsafe consume($0) }
        if used == all.count { rest = [] } else if used > 0 { rest = Array(all[used...]) }
    }

    /// - Returns: how many bytes were used. The others are needed again with what comes after them, or have to wait.
    private func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
        var at = 0
        while at < bytes.count, !isClosed {
            let used: Int
            switch reading {
            case .nothing: return bytes.count
            case .head:
                guard mayBegin else { return at }
                used = unsafe readHead(UnsafeRawBufferPointer(rebasing: bytes[at...]))
            case .body:
                if isHeld { return at }
                used = unsafe readBody(bytes[at...])
            }
            if used == 0 { return at }
            at += used
        }
        return at
    }

    /// Whether one more request may be begun now.
    private var mayBegin: Bool {
        if waitsForTurn, !waiting.isEmpty { return false }
        guard waiting.count < loop.settings.pipelined, outgoing.count < AnswerStream.highWater else { return false }
        guard let last = waiting.last, let entry = loop.exchanges[last] else { return true }
        return entry.stream == nil
    }

    private func readHead(_ bytes: UnsafeRawBufferPointer) -> Int {
        // RFC 9112 section 2.2: an empty line before a request is left out.
        if unsafe !hasSkippedLine && bytes[0] == 0x0d {
            if bytes.count == 1 {
                expect(.head)
                return 0
            }
            hasSkippedLine = true
            if unsafe bytes[1] == 0x0a { return 2 }
        }
        switch unsafe scan.look(bytes) {
        case .incomplete:
            expect(.head)
            return 0
        case .refused(let refusal):
            refuse(refusal)
            return bytes.count
        case .complete(let length):
            do throws(Refusal) {
                var head = unsafe try HeadReader.read(UnsafeRawBufferPointer(rebasing: bytes[..<length]), madeUpID: loop.madeUpID)
                head.trace = loop.goesOn(head.trace)
                // Its 100 must not come before the answers to others.
                if head.expectsContinue, head.body != .none, !waiting.isEmpty {
                    (scan, waitsForTurn) = (HeadScan(), true)
                    return 0
                }
                (scan, hasSkippedLine, waitsForTurn) = (HeadScan(), false, false)
                begin(head)
            } catch {
                refuse(error)
                return bytes.count
            }
            return length
        }
    }

    private func begin(_ head: RequestHead) {
        let id = loop.exchanges.add(ExchangeTable.Entry(connection: self, head: head))
        waiting.append(id)
        current = id
        body = BodyReader(head.body)
        reading = .body
        expect(.nothing)
        loop.tookRequest()
        switch loop.handler.head(head, Exchange(mailbox: loop.mailbox, id: id)) {
        case .answer(let answer):
            let isLong = if case .length(let length) = head.body { length > loop.settings.unwantedBytes } else { false }
            if body.isDone {
                loop.set(answer, for: id)
            } else if head.expectsContinue || isLong {
                endReading()
                lingers = true
                loop.set(answer, for: id, closes: true)
            } else {
                loop.set(answer, for: id)
            }
            taker = .nobody(upTo: loop.settings.unwantedBytes)
        case .whole(let limit, let receiver):
            if case .length(let length) = head.body, length > limit { return refuse(.bodyTooLarge) }
            taker = .whole(upTo: limit, receiver)
            collected = []
            if case .length(let length) = head.body { collected.reserveCapacity(min(length, 64 << 10)) }
        case .stream(let stream):
            taker = .stream(stream)
            loop.exchanges[id]?.stream = stream
        }
        if reading == .nothing { return }
        if body.isDone { return bodyEnded() }
        if case .stream = taker { expect(.piece) } else { expect(.body) }
        if head.expectsContinue {
            loop.writing.clear()
            loop.writing.writeContinue()
            send()
        }
    }

    private func readBody(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        do throws(Refusal) {
            let used = unsafe try body.read(bytes) { (piece) throws(Refusal) in unsafe try taken(piece) }
            if case .stream = taker { expect(.piece) }
            if body.isDone { bodyEnded() }
            return used
        } catch {
            refuse(error)
            return unsafe bytes.count
        }
    }

    private func taken(_ piece: Slice<UnsafeRawBufferPointer>) throws(Refusal) {
        switch taker {
        case .whole(let limit, _):
            guard unsafe collected.count + piece.count <= limit else { throw .bodyTooLarge }
            unsafe collected.append(contentsOf: piece)
        case .stream(let stream):
            if unsafe !stream.receive(Array(piece)) { isHeld = true }
        case .nobody(let left):
            guard unsafe piece.count <= left else { throw .bodyTooLarge }
            taker = unsafe .nobody(upTo: left - piece.count)
        }
    }

    private func bodyEnded() {
        guard let id = current else { return }
        current = nil
        isHeld = false
        let head = loop.exchanges[id]?.head
        reading = .head
        expect(.request)
        switch taker {
        case .whole(_, let receiver):
            let content = collected
            collected = []
            if let head { receiver.take(Request(head: head, body: content, exchange: Exchange(mailbox: loop.mailbox, id: id))) }
        case .stream(let stream): stream.received()
        case .nobody: break
        }
        taker = .nobody(upTo: 0)
        if head?.staysOpen == false { endReading() }
    }

    /// What comes from now on is not looked at.
    private func endReading() {
        reading = .nothing
        rest = []
        collected = []
        current = nil
        expect(.nothing)
    }

    private func clientEnded() {
        hasEnded = true
        if awaited == .farewell { return close() }
        // Half a request is none; whoever waits for answers to whole ones gets them. A client of events only listens.
        if reading == .body || isEventStream || (waiting.isEmpty && outgoing.isEmpty) { return close() }
        endReading()
        settleReading()
        loop.markDirty(self)
    }

    private var isEventStream: Bool {
        guard let last = waiting.last else { return false }
        return loop.exchanges[last]?.start?.idle != nil
    }

    /// Whether the system is asked for more, which it is not while there is no room for it.
    private func settleReading() {
        if isClosed { return }
        let isFull = reading == .nothing ? awaited != .farewell : isHeld || (reading == .head && !mayBegin)
        // Whoever listens to events says nothing more, but leaves, which only reading tells.
        let isWatched = unsafe isEventStream && rest.count < loop.scratch.count
        if hasEnded || (isFull && !isWatched) { pause() } else { listen() }
        if isFull, reading == .head { expect(.nothing) }
        if reading == .body, isHeld { expect(.nothing) }
    }

    private func listen() {
        guard !isListening, let event = unsafe readEvent else { return }
        isListening = true
        unsafe event_add(event, nil)
    }

    private func pause() {
        guard isListening, let event = unsafe readEvent else { return }
        isListening = false
        unsafe event_del(event)
    }

    /// More may be read than a moment ago.
    func resume() {
        if isClosed { return }
        if !rest.isEmpty { consumeRest() }
        if isClosed { return }
        settleReading()
        if reading == .head, awaited == .nothing, mayBegin { expect(rest.isEmpty ? .request : .head) }
        if reading == .body, awaited == .nothing, !isHeld { expect(.piece) }
    }

    /// A stream wants more of the body.
    func goOn(_ id: ExchangeID) {
        guard id == current, isHeld else { return }
        isHeld = false
        resume()
    }
}

// MARK: answers go out

extension Connection {
    /// Answers and ends the connection, in the turn of the request that is wrong.
    private func refuse(_ refusal: Refusal) {
        loop.counts.refusedEver.count()
        if let id = current, reading == .body {
            if loop.exchanges[id]?.answer != nil || loop.exchanges[id] == nil {
                // It is answered; only its body is of no use.
                endReading()
                lingers = true
                loop.exchanges[id]?.closes = true
                if waiting.isEmpty { isEnding = true }
                return loop.markDirty(self)
            }
            if loop.exchanges[id]?.isHeadWritten == true { return close() }
            endReading()
            let stream = loop.exchanges[id]?.stream
            loop.exchanges[id]?.stream = nil
            loop.exchanges[id]?.start?.answer.close()
            loop.exchanges[id]?.start = nil
            loop.set(loop.handler.problem(refusal), for: id, closes: true)
            stream?.gone()
        } else {
            endReading()
            let id = loop.exchanges.add(ExchangeTable.Entry(connection: self, head: .unread(loop.madeUpID())))
            waiting.append(id)
            loop.set(loop.handler.problem(refusal), for: id, closes: true)
        }
        lingers = true
    }

    /// Writes what is there, in the order of the requests.
    func pump() {
        if isClosed { return }
        loop.writing.clear()
        while !isEnding, let id = waiting.first, let entry = loop.exchanges[id] {
            if let answer = entry.answer {
                let closes = ends(after: entry) || answer.closes
                loop.writing.write(answer, to: entry.head, closes: closes)
                loop.handler.answered(entry.head, answer.status)
                finish(id, closes: closes)
            } else if let start = entry.start {
                if writeStream(start, entry, id) { break }
            } else {
                break
            }
        }
        if waiting.isEmpty {
            if hasEnded || (loop.isDraining && reading == .head && rest.isEmpty) { isEnding = true }
            // The pause before the next request begins with this answer.
            if reading == .head, awaited == .request { awaited = .nothing }
        }
        send()
        if !isClosed, !isEnding { resume() }
    }

    /// - Returns: whether there will be more of it.
    private func writeStream(_ start: StreamStart, _ entry: ExchangeTable.Entry, _ id: ExchangeID) -> Bool {
        if !entry.isHeadWritten {
            let closes = ends(after: entry) || entry.head.isOld
            loop.writing.writeHead(start.status, start.fields, to: entry.head, closes: closes)
            loop.handler.answered(entry.head, start.status)
            loop.exchanges[id]?.closes = closes
            loop.exchanges[id]?.isHeadWritten = true
        }
        loop.writing.writeChunk(entry.pieces, to: entry.head)
        loop.exchanges[id]?.pieces = []
        streamBytes += entry.pieces.count
        lastPiece = loop.now
        guard entry.isEnded else { return true }
        loop.writing.writeLastChunk(to: entry.head)
        let isUnread = current == id
        if isUnread {
            // The rest of the request is of no use to anybody.
            endReading()
            lingers = true
        }
        streamBytes = 0
        finish(id, closes: isUnread || loop.exchanges[id]?.closes == true || (loop.isDraining && waiting.count == 1))
        return false
    }

    private func ends(after entry: ExchangeTable.Entry) -> Bool {
        entry.closes || !entry.head.staysOpen || (loop.isDraining && waiting.count == 1)
    }

    private func finish(_ id: ExchangeID, closes: Bool) {
        waiting.removeFirst()
        loop.exchanges.remove(id)
        if closes {
            isEnding = true
            if reading != .nothing {
                // A body that is left, or requests behind an answer that ends the connection.
                lingers = true
                endReading()
            }
            abandon()
        }
    }

    /// Sends what was put together in `loop.writing`, and whatever follows from that.
    private func send() {
        if !loop.writing.bytes.isEmpty {
            if case .broken = outgoing.send(loop.writing.bytes) { return close() }
        }
        afterWriting()
    }

    private func writable() {
        isWriteArmed = false
        if case .broken = outgoing.write() { return close() }
        afterWriting()
        if !isClosed, !isEnding { resume() }
    }

    private func afterWriting() {
        if outgoing.isEmpty {
            loop.deadlines.setWriting(place, Deadlines.none)
        } else {
            if loop.deadlines.writing[place] == Deadlines.none || outgoing.isMarkReached {
                outgoing.setMark()
                loop.deadlines.setWriting(place, loop.now + loop.settings.writing.milliseconds)
            }
            armWriting()
        }
        countStreamBytes()
        if isEnding, outgoing.isEmpty { sayFarewell() }
    }

    private func countStreamBytes() {
        guard let id = waiting.first, let entry = loop.exchanges[id], let start = entry.start else { return }
        let left = min(streamBytes, outgoing.count)
        guard left < streamBytes else { return }
        let isWanted = start.answer.taken(streamBytes - left)
        streamBytes = left
        if isWanted { start.stream.wanted() }
    }

    private func armWriting() {
        if isWriteArmed { return }
        if unsafe writeEvent == nil {
            let this = unsafe Unmanaged.passUnretained(self).toOpaque()
            // SAFETY: as for the event of reading.
            unsafe writeEvent = event_new(
                loop.base, descriptor, Int16(EV_WRITE),
                { _, _, this in
                    guard let this = unsafe this else { return }
                    let connection = unsafe Unmanaged<Connection>.fromOpaque(this).takeUnretainedValue()
                    connection.loop.beginTurn()
                    connection.writable()
                }, this)
        }
        guard let event = unsafe writeEvent, unsafe event_add(event, nil) == 0 else { return close() }
        isWriteArmed = true
    }

    /// Everything has been said. Closing while bytes of the client are unread would make its system forget our last answer.
    private func sayFarewell() {
        guard lingers, !hasEnded else { return close() }
        shutdown(descriptor, Int32(SHUT_WR))
        reading = .nothing
        expect(.farewell)
        listen()
    }
}

// MARK: time and the end

extension Connection {
    private func expect(_ what: Awaited) {
        if what == awaited, what != .piece { return }
        awaited = what
        let settings = loop.settings
        let time: Duration? =
            switch what {
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

    private func abandon() {
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
        Glibc.close(descriptor)
        rest = []
        collected = []
        abandon()
        loop.remove(self)
    }
}
