// What is remembered for one recipient, and for the app, as bytes for another process, and back. Of the messages that have
// been here only those go along that the question can be about: the others cannot change the answer.
import PushMessage

extension CrossingWriter {
    /// - Parameter seen: in place of all messages that have been here.
    mutating func write(_ recipient: RecipientState, seen: [SeenMessage]) {
        write(recipient.values)
        table(recipient.channels) { $0.flag($1) }
        optional(recipient.appPush) { $0.flag($1) }
        text(recipient.timezone)
        number(recipient.badge)
        write(recipient.wantedTopics)
        write(recipient.confirmedTopics)
        list(recipient.inbox) { $0.raw($1) }
        list(recipient.pendingRoutes) { $0.raw($1) }
        list(seen) { $0.write($1) }
        table(recipient.caps) {
            $0.list($1.instants) { $0.number($1.milliseconds) }
            $0.number($1.until.milliseconds)
        }
        list(recipient.deferred) { $0.write($1) }
        write(recipient.tokens)
    }

    mutating func write(_ values: ExactTable<StoredValue>) {
        table(values) { $0.write($1) }
    }

    /// In no order.
    private mutating func table<Value>(_ table: ExactTable<Value>, _ write: (inout CrossingWriter, Value) -> Void) {
        count(table.count)
        for (key, value) in table {
            text(key)
            write(&self, value)
        }
    }

    mutating func write(_ value: StoredValue) {
        raw(value.json)
        optional(value.expiresAt) { $0.number($1.milliseconds) }
    }

    mutating func write(_ topics: [String]?) {
        optional(topics) { writer, topics in writer.list(topics) { $0.text($1) } }
    }

    mutating func write(_ message: SeenMessage) {
        text(message.id)
        flag(message.isIDGenerated)
        number(message.content.words.high)
        number(message.content.words.low)
        number(message.first.milliseconds)
        number(Int(message.events.rawValue))
        flag(message.hasCountedBadge)
        list(message.caps) { $0.text($1) }
        raw(message.openRoute)
    }

    mutating func write(_ message: DeferredMessage) {
        text(message.id)
        word(message.event)
        raw(message.message)
        optional(message.format) { $0.word($1) }
        raw(message.device)
        write(message.until)
        number(message.attempt)
        text(message.rule)
        text(message.ruleset)
    }

    mutating func write(_ tokens: StoredTokens) {
        text(tokens.apns)
        text(tokens.fcm)
        text(tokens.waiting)
    }
}

extension CrossingReader {
    mutating func recipientState() throws(CrossingFault) -> RecipientState {
        var recipient = RecipientState()
        recipient.values = try storedValues()
        for _ in 0..<(try count(ofAtLeast: 5)) { recipient.channels[try text()] = try flag() }
        recipient.appPush = try optional { (reader) throws(CrossingFault) in try reader.flag() }
        recipient.timezone = try optionalText()
        recipient.badge = try optional { (reader) throws(CrossingFault) in try reader.number(in: Int.min...Int.max) }
        recipient.wantedTopics = try optionalTexts()
        recipient.confirmedTopics = try optionalTexts()
        recipient.inbox = try list(ofAtLeast: 4) { (reader) throws(CrossingFault) in try reader.raw(atMost: reader.longestJSON) }
        recipient.pendingRoutes = try list(ofAtLeast: 4) { (reader) throws(CrossingFault) in
            try reader.raw(atMost: reader.longestJSON)
        }
        recipient.seen = SeenMessages(
            try list(ofAtLeast: 39) { (reader) throws(CrossingFault) in try reader.seenMessage() })
        for _ in 0..<(try count(ofAtLeast: 16)) {
            let key = try text()
            var count = CapCount()
            count.instants = try list(ofAtLeast: 8) { (reader) throws(CrossingFault) in try reader.instant() }
            count.until = try instant()
            recipient.caps[key] = count
        }
        recipient.deferred = DeferredMessages(
            try list(ofAtLeast: 30) { (reader) throws(CrossingFault) in try reader.deferredMessage() })
        recipient.tokens = try tokens()
        return recipient
    }

    mutating func storedValues() throws(CrossingFault) -> ExactTable<StoredValue> {
        let count = try count(ofAtLeast: 9)
        var values = ExactTable<StoredValue>()
        for _ in 0..<count {
            let key = try text()
            let json = try raw(atMost: longestJSON)
            values[key] = StoredValue(json: json, expiresAt: try optionalInstant())
        }
        return values
    }

    /// JSON is looked at: this one is to be stored.
    mutating func storedValue() throws(CrossingFault) -> StoredValue {
        StoredValue(json: try json(), expiresAt: try optionalInstant())
    }

    mutating func optionalInstant() throws(CrossingFault) -> Instant? { try flag() ? try instant() : nil }

    mutating func optionalTexts() throws(CrossingFault) -> [String]? { try flag() ? try texts() : nil }

    mutating func seenMessage() throws(CrossingFault) -> SeenMessage {
        let id = try text()
        let isIDGenerated = try flag()
        let content = ContentDigest(words: try bits(), try bits())
        var message = SeenMessage(id: id, first: try instant())
        message.isIDGenerated = isIDGenerated
        message.content = content
        message.events = SeenEvents(rawValue: UInt16(try number(in: 0...Int(UInt16.max))))
        message.hasCountedBadge = try flag()
        message.caps = try texts()
        message.openRoute = try optionalJSON()
        return message
    }

    mutating func deferredMessage() throws(CrossingFault) -> DeferredMessage {
        DeferredMessage(
            id: try text(), event: try word(), message: try json(), format: try optionalWord(), device: try json(),
            until: try until(), attempt: try number(in: 1...Int(Int32.max)), rule: try optionalText(),
            ruleset: try optionalText())
    }

    mutating func tokens() throws(CrossingFault) -> StoredTokens {
        var tokens = StoredTokens()
        tokens.apns = try optionalText()
        tokens.fcm = try optionalText()
        tokens.waiting = try optionalText()
        return tokens
    }
}
