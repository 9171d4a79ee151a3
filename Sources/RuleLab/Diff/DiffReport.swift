// What came of a comparison: the counts, and a few examples. Made by DiffRun; written as JSON, as words for a terminal and as
// a page by whoever shows it.
public import PushMessage
import RuleEngine

public struct DiffReport: Sendable {
    /// Lines of the app that both sides have decided, and messages of the state that became due.
    public var events = 0
    /// Of these, how many differ in any way.
    public var changed = 0
    /// All kinds, in the order of their declaration, with how many events are of them.
    public var kinds: [(kind: ChangeKind, count: Int)] = []
    /// Changed events by who decides what is different on either side, most of them first.
    public var rules: [RulePart] = []
    /// Of changed events, most of them first; "" are messages without a channel.
    public var channels: [Part] = []
    /// Hours of the day on the clocks of the people, 0…23.
    public var hours: [Part] = []
    public var examples: [DiffExample] = []

    /// People who are concerned.
    public var people = 0
    /// People that the traffic or the state knows.
    public var allPeople = 0
    public var span: (from: Instant, to: Instant)?
    /// Of the kind `badge`, events where only the number before is another one.
    public var carriedBadges = 0
    /// Not changed, but decided by another rule or with another reason.
    public var otherReasons = 0
    /// Messages that only the new rules hold back: what became of them.
    public var heldShown = 0
    public var heldNotShown = 0
    /// Messages that wait when the traffic ends.
    public var waitingBefore = 0
    public var waitingAfter = 0
    /// Lines that were left out.
    public var otherApps = 0
    public var unreadable = 0
    public var outOfOrder = 0
    public var firstOutOfOrder = 0

    public init() {}

    public struct Part: Sendable, Equatable {
        public var name: String
        public var events: Int
        public var changed: Int
    }

    public struct RulePart: Sendable, Equatable {
        /// A rule, `guard:<name>`, or "" for nobody.
        public var name: String
        public var events: Int
        public var before: Int
        public var after: Int
    }

    public func count(_ kind: ChangeKind) -> Int { kinds.first { $0.kind == kind }?.count ?? 0 }
}

extension DiffReport {
    /// Beyond it parts are left out: nobody reads them.
    static let mostExamples = 16
    static let fewestExamples = 6
    static let examplesPerKind = 3

    init(_ comparison: DiffComparison) {
        let tally = comparison.tally
        events = tally.events
        changed = tally.changed
        kinds = ChangeKind.allCases.map { ($0, tally.kinds[$0, default: 0]) }
        rules = tally.rules.map { RulePart(name: $0.key.string, events: $0.value.events, before: $0.value.before, after: $0.value.after) }
            .sorted { $0.events != $1.events ? $0.events > $1.events : ExactText($0.name) < ExactText($1.name) }
        channels = tally.channels.filter { $0.value.changed > 0 }
            .map { Part(name: $0.key.string, events: $0.value.events, changed: $0.value.changed) }
            .sorted { $0.changed != $1.changed ? $0.changed > $1.changed : ExactText($0.name) < ExactText($1.name) }
        if tally.otherChannels.changed > 0 {
            channels.append(Part(name: "(other channels)", events: tally.otherChannels.events, changed: tally.otherChannels.changed))
        }
        hours = tally.hours.enumerated().map { hour, count in
            Part(name: hour < 10 ? "0\(hour)" : "\(hour)", events: count.events, changed: count.changed)
        }
        examples = comparison.shelf.chosen(
            most: DiffReport.mostExamples, least: DiffReport.fewestExamples, perKind: DiffReport.examplesPerKind, counts: tally.kinds)
        people = tally.people.count
        span = comparison.span
        carriedBadges = tally.carriedBadges
        otherReasons = tally.otherReasons
        heldShown = comparison.waiting.fate.shown
        heldNotShown = comparison.waiting.fate.notShown
        (waitingBefore, waitingAfter) = comparison.waiting.stillWaiting
        otherApps = comparison.otherApps
        (outOfOrder, firstOutOfOrder) = comparison.outOfOrder
    }
}
