// An answer that is sent piece by piece from any thread, and the count of what its client has not taken yet. Given out by
// Exchange.open; the loop counts down as the system takes bytes.
import Synchronization

/// The body of an answer whose length nobody knows yet.
public final class AnswerStream: Sendable {
    /// From so many waiting bytes on, `send` says that it is enough, and below the second number more is wanted again.
    public static let highWater = 256 << 10
    public static let lowWater = 64 << 10

    private let exchange: Exchange
    private let waiting = Atomic(0)
    private let owesWord = Atomic(false)
    private let ended = Atomic(false)

    init(_ exchange: Exchange) { self.exchange = exchange }

    /// Bytes that the system has not taken yet.
    public var waitingBytes: Int { waiting.load(ordering: .relaxed) }

    /// The client is there, and the answer has not been ended.
    public var isOpen: Bool { !ended.load(ordering: .acquiring) }

    /// - Returns: whether more is wanted at once. Whoever goes on nevertheless fills the memory; whoever stops is called by
    ///   `ExchangeStream.wanted`.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        guard isOpen, !bytes.isEmpty else { return true }
        let now = waiting.wrappingAdd(bytes.count, ordering: .acquiringAndReleasing).newValue
        let isEnough = now >= AnswerStream.highWater
        // Before the bytes are handed over, so that whoever counts them down sees it.
        if isEnough { owesWord.store(true, ordering: .releasing) }
        exchange.mailbox.post(.chunk(exchange.id, bytes))
        return !isEnough
    }

    /// Nothing comes after it.
    ///
    /// - Parameter closes: the connection ends with it, so that its client says anew who he is.
    public func end(closes: Bool = false) {
        if ended.exchange(true, ordering: .acquiringAndReleasing) { return }
        exchange.mailbox.post(.end(exchange.id, closes: closes))
    }

    /// There is more of it, but it cannot be told: the connection ends without the end of an answer, so that the client knows.
    public func breakOff() {
        if ended.exchange(true, ordering: .acquiringAndReleasing) { return }
        exchange.mailbox.post(.breakOff(exchange.id))
    }

    // MARK: for the loop

    /// - Returns: whether somebody waits to be told that there is room again.
    func taken(_ count: Int) -> Bool {
        let now = waiting.wrappingSubtract(count, ordering: .acquiringAndReleasing).newValue
        return now < AnswerStream.lowWater && owesWord.exchange(false, ordering: .acquiringAndReleasing)
    }

    func close() { ended.store(true, ordering: .releasing) }
}
