// What the server asks of whoever serves: what is to become of a request, and what its own refusals look like. Implemented by
// HTTPAPI and by the tests. All of it runs on a loop's thread, which serves thousands of other connections meanwhile: nothing in
// here may wait for anything.
//
// The way of a request:
//
//     head is there ──▶ head(_:_:) ──▶ .answer   goes out at once
//                                  ──▶ .whole    the body is collected, then RequestTaking.take
//                                  ──▶ .stream   the body is handed over as it comes, to an ExchangeStream
//     all that has come in this turn is taken ──▶ turnEnded(_:)      hand over in one batch what was collected
//     any thread, any time later ──▶ Exchange.answer, or Exchange.open and AnswerStream.send

/// Decides about requests.
public protocol HTTPHandler: Sendable {
    /// Asked once for each request, in the order of a connection.
    func head(_ head: RequestHead, _ exchange: Exchange) -> Intake

    /// Requests were taken since the last time, and no more are there at this moment.
    ///
    /// - Parameter loop: from 0; the same thread each time.
    func turnEnded(_ loop: Int)

    /// An answer goes out, or the head of one that is a stream.
    func answered(_ head: RequestHead, _ status: Int)

    /// What a refusal looks like.
    func problem(_ refusal: Refusal) -> Answer
}

extension HTTPHandler {
    public func turnEnded(_ loop: Int) {}

    public func answered(_ head: RequestHead, _ status: Int) {}

    public func problem(_ refusal: Refusal) -> Answer {
        var answer = Problem(refusal).answer()
        if let seconds = refusal.retryAfter { answer.fields.add("Retry-After", String(seconds)) }
        return answer
    }
}

/// What is to become of a request's body.
public enum Intake: Sendable {
    /// Nothing needs to be known of the body.
    case answer(Answer)
    /// It is wanted in one piece, of so many bytes at most. Whoever takes long to answer is told by `while` when the client goes or the
    /// server is about to end; the client has gone, then, when it ends its side. Nothing that comes behind is begun before the answer.
    /// - beyond: what a longer one is answered; nil: `body_too_large`.
    case whole(upTo: Int, any RequestTaking, while: (any ExchangeStream)? = nil, beyond: Answer? = nil)
    /// It is wanted as it comes.
    case stream(any ExchangeStream)
}

/// Takes requests whose bodies are there.
public protocol RequestTaking: Sendable {
    func take(_ request: Request)
}

/// A request with its body.
public struct Request: Sendable {
    public let head: RequestHead
    public let body: [UInt8]
    public let exchange: Exchange
}

/// One exchange of which the body, the answer, or both come piece by piece. Called on the loop's thread only.
public protocol ExchangeStream: AnyObject, Sendable {
    /// - Returns: whether more is wanted at once. If not, nothing more is read from the client until `Exchange.goOn` is called.
    func receive(_ bytes: [UInt8]) -> Bool

    /// The body is complete.
    func received()

    /// After `AnswerStream.send` has said that enough is waiting: the client has taken most of it.
    func wanted()

    /// The time of `Exchange.remind` has come.
    func reminded()

    /// The server is about to end: finish soon. Once at most.
    func draining()

    /// The client is gone, was cut, or sent what is no body. Nothing that is sent arrives. Told again to whoever opens an answer
    /// afterwards; when the server has ended by then, on his own thread.
    func gone()
}

extension ExchangeStream {
    public func receive(_ bytes: [UInt8]) -> Bool { true }
    public func received() {}
    public func wanted() {}
    public func reminded() {}
    public func draining() {}
    public func gone() {}
}
