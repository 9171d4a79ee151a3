// What a client gets: answers in the order of its requests, pieces of streams, refusals, the farewell. Called when an answer is in the
// table, and when the client takes again.
import CEvent
import Glibc

extension Connection {
    /// Answers and ends the connection, in the turn of the request that is wrong.
    func refuse(_ refusal: Refusal) {
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
            loop.set(answer(to: refusal), for: id, closes: true)
            stream?.gone()
        } else {
            endReading()
            let id = loop.exchanges.add(ExchangeTable.Entry(connection: self, head: .unread(loop.madeUpID())))
            waiting.append(id)
            loop.set(loop.handler.problem(refusal), for: id, closes: true)
        }
        lingers = true
    }

    private func answer(to refusal: Refusal) -> Answer {
        if refusal == .bodyTooLarge, case .whole(_, _, let beyond?) = taker { beyond } else { loop.handler.problem(refusal) }
    }

    /// Writes what is there, in the order of the requests.
    func pump() {
        if isClosed { return }
        loop.writing.clear()
        while !isEnding, let id = waiting.first, let entry = loop.exchanges[id] {
            if let answer = entry.answer {
                let closes = ends(after: entry)
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
    func writeStream(_ start: StreamStart, _ entry: ExchangeTable.Entry, _ id: ExchangeID) -> Bool {
        // Who only listens and has ended his side before he was let in has gone: nothing will come that would tell it.
        if hasEnded, start.idle != nil {
            isEnding = true
            return true
        }
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

    func ends(after entry: ExchangeTable.Entry) -> Bool {
        entry.closes || !entry.head.staysOpen || (loop.isDraining && waiting.count == 1)
    }

    func finish(_ id: ExchangeID, closes: Bool) {
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
    func send() {
        if !loop.writing.bytes.isEmpty {
            if case .broken = outgoing.send(loop.writing.bytes) { return close() }
        }
        afterWriting()
    }

    func writable() {
        isWriteArmed = false
        if wire.isShaking { return shake() }
        // Not for the sake of an answer: what was to be read had to say something first.
        if wire.waitsToWrite, outgoing.isEmpty { return readable() }
        if case .broken = outgoing.write() { return close() }
        afterWriting()
        if !isClosed, !isEnding { resume() }
    }

    func afterWriting() {
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

    func countStreamBytes() {
        guard let id = waiting.first, let entry = loop.exchanges[id], let start = entry.start else { return }
        let left = min(streamBytes, outgoing.count)
        guard left < streamBytes else { return }
        let isWanted = start.answer.taken(streamBytes - left)
        streamBytes = left
        if isWanted { start.stream.wanted() }
    }

    func armWriting() {
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
    func sayFarewell() {
        guard lingers, !hasEnded else { return close() }
        wire.sayEnd()
        shutdown(descriptor, Int32(SHUT_WR))
        reading = .nothing
        expect(.farewell)
        listen()
    }
}
