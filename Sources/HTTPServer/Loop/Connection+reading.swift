// What a client sends: bytes become heads and bodies, and these go to whoever takes them, as long as there is room for their answers.
// Called by the loop when a client can be read, and when what held it back is over.
import CEvent
import Glibc
import Synchronization

extension Connection {
    func readable() {
        if wire.isShaking { return shake() }
        let room = unsafe loop.scratch
        switch unsafe wire.receive(room) {
        case .count(0): clientEnded()
        case .count(let count): if reading != .nothing { unsafe take(UnsafeRawBufferPointer(rebasing: room[..<count])) }
        case .later: if wire.waitsToWrite { armWriting() }
        case .broken: close()
        }
    }

    func take(_ bytes: UnsafeRawBufferPointer) {
        if rest.isEmpty {
            let used = unsafe consume(bytes)
            if !isClosed, used < bytes.count { unsafe rest = Array(bytes[used...]) }
        } else {
            unsafe rest.append(contentsOf: bytes)
            consumeRest()
        }
        settleReading()
    }

    func consumeRest() {
        let all = rest
        let used = unsafe all.withUnsafeBytes { unsafe consume($0) }
        if used == all.count { rest = [] } else if used > 0 { rest = Array(all[used...]) }
    }

    /// - Returns: how many bytes were used. The others are needed again with what comes after them, or have to wait.
    func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
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
    var mayBegin: Bool {
        if waitsForTurn, !waiting.isEmpty { return false }
        guard waiting.count < loop.settings.pipelined, outgoing.count < AnswerStream.highWater else { return false }
        guard let last = waiting.last, let entry = loop.exchanges[last] else { return true }
        return entry.stream == nil
    }

    func readHead(_ bytes: UnsafeRawBufferPointer) -> Int {
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

    func begin(_ head: RequestHead) {
        let id = loop.exchanges.add(ExchangeTable.Entry(connection: self, head: head))
        waiting.append(id)
        current = id
        body = BodyReader(head.body)
        reading = .body
        expect(.nothing)
        loop.beganRequest()
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
        case .whole(let limit, let receiver, let stream, let beyond):
            taker = .whole(upTo: limit, receiver, beyond: beyond)
            if case .length(let length) = head.body, length > limit { return refuse(.bodyTooLarge) }
            collected = []
            if let stream {
                loop.exchanges[id]?.stream = stream
                loop.exchanges[id]?.isWatched = true
                if loop.isDraining { stream.draining() }
            }
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

    func readBody(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        do throws(Refusal) {
            let used = unsafe try body.read(bytes) { (piece) throws(Refusal) in unsafe try taken(piece) }
            if case .stream = taker { expect(.piece) }
            if body.isDone { bodyEnded() } else { try countBody() }
            return used
        } catch {
            refuse(error)
            return unsafe bytes.count
        }
    }

    func taken(_ piece: Slice<UnsafeRawBufferPointer>) throws(Refusal) {
        switch taker {
        case .whole(let limit, _, _):
            guard unsafe collected.count + piece.count <= limit else { throw .bodyTooLarge }
            unsafe collected.append(contentsOf: piece)
        case .stream(let stream):
            if unsafe !stream.receive(Array(piece)) { isHeld = true }
        case .nobody(let left):
            guard unsafe piece.count <= left else { throw .bodyTooLarge }
            taker = unsafe .nobody(upTo: left - piece.count)
        }
    }

    /// What has to be kept until more comes counts among all bodies; one that came in one piece is never counted.
    func countBody() throws(Refusal) {
        let more = collected.count - countedBytes
        if more == 0 { return }
        countedBytes += more
        let all = loop.counts.bodyBytesNow.wrappingAdd(more, ordering: .relaxed).newValue
        guard all <= loop.settings.bodyBytes else { throw .tooManyBodies }
    }

    /// The body has been handed over, or is of no use.
    func uncountBody() {
        if countedBytes == 0 { return }
        loop.counts.bodyBytesNow.count(-countedBytes)
        countedBytes = 0
    }

    func bodyEnded() {
        guard let id = current else { return }
        current = nil
        isHeld = false
        let head = loop.exchanges[id]?.head
        reading = .head
        expect(.request)
        switch taker {
        case .whole(_, let receiver, _):
            let content = collected
            collected = []
            loop.tookRequest()
            if let head { receiver.take(Request(head: head, body: content, exchange: Exchange(mailbox: loop.mailbox, id: id))) }
        case .stream(let stream): stream.received()
        case .nobody: break
        }
        uncountBody()
        taker = .nobody(upTo: 0)
        if head?.staysOpen == false { endReading() }
        // It may have been all that kept the connection.
        if loop.isDraining, waiting.isEmpty { loop.markDirty(self) }
    }

    /// What comes from now on is not looked at.
    func endReading() {
        reading = .nothing
        rest = []
        collected = []
        uncountBody()
        current = nil
        expect(.nothing)
    }

    func clientEnded() {
        hasEnded = true
        if awaited == .farewell { return close() }
        // Half a request is none; whoever waits for answers to whole ones gets them. A client of events only listens.
        if reading == .body || isWatched || (waiting.isEmpty && outgoing.isEmpty) { return close() }
        endReading()
        settleReading()
        loop.markDirty(self)
    }

    /// Whether somebody is to know at once when the client goes: whoever sends events, and whoever is about to do a lot for it.
    var isWatched: Bool {
        guard let last = waiting.last, let entry = loop.exchanges[last] else { return false }
        return entry.isWatched || entry.start?.idle != nil
    }

    /// Whether the system is asked for more, which it is not while there is no room for it.
    func settleReading() {
        if isClosed { return }
        let isFull = reading == .nothing ? awaited != .farewell : isHeld || (reading == .head && !mayBegin)
        // Whoever listens to events says nothing more, but leaves, which only reading tells.
        let isLookedAt = unsafe isWatched && rest.count < loop.scratch.count
        if hasEnded || (isFull && !isLookedAt) { pause() } else { listen() }
        if isFull, reading == .head { expect(.nothing) }
        if reading == .body, isHeld { expect(.nothing) }
    }

    func listen() {
        guard !isListening, let event = unsafe readEvent else { return }
        isListening = true
        unsafe event_add(event, nil)
    }

    func pause() {
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
