// One request and its answer, as others know it: a number, never a pointer. The connection may have gone, and another may have
// its place; then whatever is said here comes to nothing. Handed to the handler, used on any thread.

/// Where an answer belongs.
public struct Exchange: Sendable, Hashable {
    let mailbox: Mailbox
    let id: ExchangeID

    /// The loop whose thread has it, as in `HTTPHandler.turnEnded`.
    public var loop: Int { mailbox.loop }

    /// Different from that of any other exchange of the same loop: for whoever can keep nothing but a number.
    public var number: UInt64 { UInt64(id.generation) << 32 | UInt64(id.slot) }

    /// The exchange of that number, of the same loop as this one.
    public func other(_ number: UInt64) -> Exchange {
        Exchange(
            mailbox: mailbox, id: ExchangeID(slot: UInt32(truncatingIfNeeded: number), generation: UInt32(truncatingIfNeeded: number >> 32))
        )
    }

    /// Does nothing when the client has gone, or when there was an answer already.
    public func answer(_ answer: Answer) { mailbox.post(.answer(id, answer)) }

    /// Many at once: each loop is woken once.
    public static func answer(_ answers: [(Exchange, Answer)]) {
        guard let first = answers.first else { return }
        var start = 0
        var mailbox = first.0.mailbox
        for index in answers.indices where answers[index].0.mailbox !== mailbox {
            mailbox.post(answers[start..<index].lazy.map { .answer($0.0.id, $0.1) })
            (start, mailbox) = (index, answers[index].0.mailbox)
        }
        mailbox.post(answers[start...].lazy.map { .answer($0.0.id, $0.1) })
    }

    /// Begins an answer whose length is not known.
    ///
    /// - Parameters:
    ///   - stream: is told what becomes of it; the one of `Intake.stream` when there is one.
    ///   - idle: sent whenever nothing else was sent for `ServerSettings.streamPause`.
    public func open(_ status: Int, _ fields: AnswerFields, _ stream: any ExchangeStream, idle: [UInt8]? = nil) -> AnswerStream {
        let answer = AnswerStream(self)
        mailbox.post(.open(id, StreamStart(status: status, fields: fields, answer: answer, stream: stream, idle: idle)))
        return answer
    }

    /// After `ExchangeStream.receive` has answered with false: more of the body is wanted.
    public func goOn() { mailbox.post(.goOn(id)) }

    /// `ExchangeStream.reminded` is called then, a few milliseconds later at most, if the client is still there.
    public func remind(after milliseconds: Int) { mailbox.post(.remind(id, milliseconds: milliseconds)) }

    public static func == (one: Exchange, other: Exchange) -> Bool { one.mailbox === other.mailbox && one.id == other.id }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(mailbox))
        hasher.combine(id)
    }
}

/// A place in a loop's table, and how often it has been used before.
struct ExchangeID: Sendable, Hashable {
    let slot: UInt32
    let generation: UInt32
}
