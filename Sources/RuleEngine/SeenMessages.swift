// The messages that a recipient has had, so that a second copy is recognised and a message counts once over all its
// events. One record for each message, in the order in which they came; the oldest leave from the front when they are
// older than the app's window. Evaluations look messages up here; only AppState.apply changes it.
public import PushMessage

/// Events at which a second copy is answered without rules, one bit each. A recipient-time carrier and the notification
/// that is made of it share an id: the carrier's events have bits of their own.
public struct SeenEvents: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Empty for events that may come again: `resume`, `due` and those without a message.
    public init(_ event: EventName, ofCarrier isCarrier: Bool = false) {
        let bit: UInt16 =
            switch event {
            case .send: 1
            case .enrich: 2
            case .receive: 4
            case .present: 8
            case .open: 16
            case .resume, .token, .account, .settings, .due: 0
            }
        rawValue = isCarrier ? bit << 5 : bit
    }

    /// In the order in which a message causes them.
    public static let named: [(event: EventName, isCarrier: Bool)] = [EventName.send, .enrich, .receive, .present, .open].flatMap {
        [($0, false), ($0, true)]
    }
}

public struct SeenMessage: Sendable, Equatable {
    /// The sender's id as `KeptID` keeps it, or "hash:…" when the message had none.
    public var id: String { didSet { id = KeptID.of(id) } }
    public var isIDGenerated = false
    /// Of its content; `unknown` in state that somebody wrote.
    public var content = ContentDigest.unknown
    /// When its first copy came.
    public var first: Instant
    public var events: SeenEvents = []
    /// Its badge has been applied; a difference, and its own value, apply once.
    public var hasCountedBadge = false
    /// Keys of the caps that have counted it.
    public var caps: [String] = []
    /// JSON text of the route that its tap led to; nil: none.
    public var openRoute: [UInt8]?

    public init(id: String, first: Instant, events: SeenEvents = []) {
        self.id = KeptID.of(id)
        self.first = first
        self.events = events
    }
}

extension SeenMessage {
    /// Of what rules have a say in.
    fileprivate var extraBytes: Int { caps.reduce(openRoute?.count ?? 0) { $0 + $1.utf8.count } }
}

/// What one event adds to a message's record.
public struct SeenMark: Sendable, Equatable {
    /// The id under which the message stands already; nil: it is new.
    public var record: String?
    /// When that one began: messages without an id share the one that is made of their text. nil: the newest is meant.
    public var recordFirst: Instant?
    /// What the record holds from now on. Of a message that stands already, `first` and `content` are kept.
    public var message: SeenMessage
    /// Milliseconds: records that began earlier than this before `message.first` may go.
    public var window: Int64
}

public struct SeenMessages: Sendable {
    private struct Entry: Sendable {
        var message: SeenMessage
        /// Number of the entry before with the same content, or -1.
        var older: Int32
        /// The same, of those that came without an id: one with an id is compared with no others.
        var olderWithoutID: Int32
    }

    // Entries are numbered from the first ever; `entries[0]` has the number `base`, and those before `head` have left.
    private var entries: [Entry] = []
    private var base: Int32 = 0
    private var head = 0
    private var byID = ExactTable<Int32>()
    /// The newest of each content.
    private var byContent: [ContentDigest: Int32] = [:]
    /// What rules have a say in, of all: keys of caps and routes. Entries before `lean` have none.
    private var extraBytes = 0
    private var lean = 0

    /// Bytes of keys and routes that are kept for one recipient. Beyond it the oldest messages lose theirs: a copy of one leads
    /// nowhere then, and a cap may count it again.
    static let mostExtraBytes = 256 << 10

    public init() {}

    public init(_ messages: [SeenMessage]) {
        for message in messages { append(message) }
    }

    public var isEmpty: Bool { head == entries.count }
    public var count: Int { entries.count - head }
    /// Oldest first.
    public var messages: [SeenMessage] { entries[head...].map(\.message) }

    // MARK: looking up

    struct Question {
        let id: String
        let isIDGenerated: Bool
        let event: SeenEvents
        let now: Instant
        /// Milliseconds from the first copy on.
        let window: Int64
        let contentWindow: Int64
        /// When the message that is meant came first; nil: that is not known.
        var first: Instant?
    }

    /// The record of a message; nil when it is new. Ids decide; the content decides where one of two copies has no id.
    func find(_ question: Question, content: () -> ContentDigest) -> SeenMessage? {
        guard !isEmpty else { return nil }
        if !question.isIDGenerated, let found = entry(byID[KeptID.of(question.id)]),
            question.now.milliseconds &- found.message.first.milliseconds <= question.window
        {
            return found.message
        }
        let content = content()
        guard content != .unknown else { return nil }
        if let first = question.first, let held = find(content, from: first) { return held }
        var best: SeenMessage?
        var number = byContent[content] ?? -1
        if !question.isIDGenerated, let newest = entry(number), !newest.message.isIDGenerated { number = newest.olderWithoutID }
        while let candidate = entry(number) {
            let age = question.now.milliseconds &- candidate.message.first.milliseconds
            // What stands before has come earlier still.
            if age > question.contentWindow { break }
            if question.isIDGenerated || candidate.message.isIDGenerated, age >= -question.contentWindow {
                if candidate.message.events.isSuperset(of: question.event) { return candidate.message }
                if best == nil { best = candidate.message }
            }
            number = question.isIDGenerated ? candidate.older : candidate.olderWithoutID
        }
        return best
    }

    /// Of several messages with the same text, each counts for itself.
    private func find(_ content: ContentDigest, from first: Instant) -> SeenMessage? {
        var number = byContent[content] ?? -1
        while let candidate = entry(number) {
            if candidate.message.first == first { return candidate.message }
            number = candidate.older
        }
        return nil
    }

    /// Of a message that waits, whatever it holds; nil: none is sure to be its own.
    func record(of kept: DeferredMessage, now: Instant, window: Int64) -> SeenMessage? {
        if let content = kept.content, let first = kept.first { return find(content, from: first) }
        guard let found = entry(byID[kept.id])?.message, now.milliseconds &- found.first.milliseconds <= window else { return nil }
        return found
    }

    private func entry(_ number: Int32?) -> Entry? {
        guard let number, number >= base &+ Int32(head) else { return nil }
        return entries[Int(number &- base)]
    }

    // MARK: changing

    mutating func apply(_ mark: SeenMark) {
        if let record = mark.record, let number = number(of: record, from: mark.recordFirst) {
            update(Int(number &- base), number, with: mark.message)
            shed(sparing: number)
        } else {
            append(mark.message)
            let number = base &+ Int32(entries.count) &- 1
            prune(before: mark.message.first.milliseconds &- mark.window)
            shed(sparing: number)
        }
    }

    /// Depends on nothing but the messages themselves, so that it is the same after they were written down and read.
    private mutating func shed(sparing number: Int32) {
        let spared = Int(number &- base)
        while extraBytes > SeenMessages.mostExtraBytes, lean < entries.count {
            if lean != spared {
                extraBytes -= entries[lean].message.extraBytes
                entries[lean].message.caps = []
                entries[lean].message.openRoute = nil
            }
            lean += 1
        }
        lean = min(lean, spared)
    }

    private func number(of id: String, from first: Instant?) -> Int32? {
        guard let newest = byID[KeptID.of(id)], var found = entry(newest) else { return nil }
        var number = newest
        while let first, found.message.first != first {
            number = found.older
            guard let older = entry(number) else { return newest }
            found = older
        }
        return number
    }

    private mutating func update(_ place: Int, _ number: Int32, with message: SeenMessage) {
        extraBytes -= entries[place].message.extraBytes
        defer {
            let bytes = entries[place].message.extraBytes
            extraBytes += bytes
            if bytes > 0 { lean = min(lean, place) }
        }
        entries[place].message.events.formUnion(message.events)
        if message.hasCountedBadge { entries[place].message.hasCountedBadge = true }
        for cap in message.caps where !entries[place].message.caps.contains(where: cap.isExactly) {
            entries[place].message.caps.append(cap)
        }
        if let route = message.openRoute { entries[place].message.openRoute = route }
        // A copy with an id gives it to the one that came without.
        if entries[place].message.isIDGenerated, !message.isIDGenerated {
            byID[message.id] = number
            entries[place].message.id = message.id
            entries[place].message.isIDGenerated = false
        }
    }

    private mutating func append(_ message: SeenMessage) {
        // Numbers end after two thousand million messages of one person: begin anew with those that are kept.
        if base > Int32.max / 2 { self = SeenMessages(messages) }
        let number = base &+ Int32(entries.count)
        byID[message.id] = number
        var older: Int32 = -1
        if message.content != .unknown { older = byContent.updateValue(number, forKey: message.content) ?? -1 }
        var olderWithoutID: Int32 = -1
        if let before = entry(older) { olderWithoutID = before.message.isIDGenerated ? older : before.olderWithoutID }
        entries.append(Entry(message: message, older: older, olderWithoutID: olderWithoutID))
        extraBytes += message.extraBytes
    }

    /// Each record leaves once, so that a message pays for one at most in the long run.
    private mutating func prune(before: Int64) {
        while head < entries.count, entries[head].message.first.milliseconds < before {
            let number = base &+ Int32(head)
            let message = entries[head].message
            if byID[message.id] == number { byID[message.id] = nil }
            if message.content != .unknown, byContent[message.content] == number { byContent[message.content] = nil }
            extraBytes -= message.extraBytes
            head += 1
        }
        if head >= 32, head * 2 >= entries.count {
            entries.removeFirst(head)
            base &+= Int32(head)
            lean = max(0, lean - head)
            head = 0
        }
        lean = max(lean, head)
    }
}

extension SeenMessages: Equatable {
    public static func == (a: SeenMessages, b: SeenMessages) -> Bool {
        a.count == b.count
            && a.entries[a.head...].elementsEqual(b.entries[b.head...]) { $0.message == $1.message }
    }
}
