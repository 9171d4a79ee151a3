// The messages of one recipient that are held back, in the order in which they were. Found by their ids without a look at
// the others: a stream of messages that are all held back must not take longer with each. Changed by AppState.apply only.
import PushMessage

public struct DeferredMessages: Sendable {
    /// Messages that are held back for one recipient. Beyond it they are shown instead.
    public static let most = 1_000
    /// Bytes of what is kept of them.
    public static let mostBytes = 1 << 20

    private struct Entry: Sendable {
        let number: Int
        var message: DeferredMessage
    }

    /// Their numbers rise.
    private var entries: [Entry] = []
    private var next = 0
    private var byID = ExactTable<Int>()
    /// The newest number of each hash, of messages that have no id of their own.
    private var byHash = ExactTable<Int>()
    private var bytes = 0

    public init() {}

    public init(_ messages: some Sequence<DeferredMessage>) {
        for message in messages { keep(message) }
    }

    // MARK: looking up

    public func message(_ id: String) -> DeferredMessage? { byID[KeptID.of(id)].flatMap(place).map { entries[$0].message } }

    func newest(withoutID hash: String) -> DeferredMessage? { byHash[hash].flatMap(place).map { entries[$0].message } }

    func oldest(withoutID hash: String) -> DeferredMessage? {
        byHash[hash] == nil ? nil : entries.first { $0.message.hash.isExactly(hash) }?.message
    }

    func hasRoom(for size: Int) -> Bool {
        entries.count < DeferredMessages.most && bytes + size <= DeferredMessages.mostBytes
    }

    private func place(_ number: Int) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].number == number ? low : nil
    }

    // MARK: changing

    /// In place of the one with the same id, else as the last.
    mutating func keep(_ message: DeferredMessage) {
        bytes += message.size
        if let place = byID[message.id].flatMap(place) {
            bytes -= entries[place].message.size
            entries[place].message = message
            return
        }
        entries.append(Entry(number: next, message: message))
        byID[message.id] = next
        if let hash = message.hash { byHash[hash] = next }
        next += 1
    }

    mutating func drop(_ id: String) {
        let id = KeptID.of(id)
        guard let number = byID[id], let place = place(number) else { return }
        let message = entries.remove(at: place).message
        bytes -= message.size
        byID[id] = nil
        guard let hash = message.hash, byHash[hash] == number else { return }
        byHash[hash] = entries[..<place].last { $0.message.hash.isExactly(hash) }?.number
    }
}

extension DeferredMessages: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }
    public subscript(place: Int) -> DeferredMessage { entries[place].message }
}

extension DeferredMessages: ExpressibleByArrayLiteral {
    public init(arrayLiteral messages: DeferredMessage...) { self.init(messages) }
}

extension DeferredMessages: Equatable {
    public static func == (a: DeferredMessages, b: DeferredMessages) -> Bool { a.elementsEqual(b) }
}

extension DeferredMessage {
    /// Of a message without an id of its own: the hash of its content, and when its first copy came.
    static func id(_ hash: String, first: Instant) -> String { "\(hash)@\(first.text)" }

    /// When the first copy of a message without an id of its own came; nil of all others.
    var first: Instant? { parts?.first }
    /// nil: it has an id of its own.
    fileprivate var hash: String? { parts?.hash }

    /// The same as a number; nil: it has an id of its own.
    var content: ContentDigest? { hash.flatMap { ContentDigest($0) } }

    private var parts: (hash: String, first: Instant)? {
        guard id.utf8.starts(with: "hash:".utf8), let mark = id.utf8.lastIndex(of: UInt8(ascii: "@")),
            let first = Instant(String(id[id.utf8.index(after: mark)...]))
        else { return nil }
        return (String(id[..<mark]), first)
    }

    fileprivate var size: Int { message.count + device.count }
}
