// What came of a replay: counts in an order that is the same on every run, and the timelines of a few people. Written as JSON,
// as words for a terminal and as a page by whoever shows it.
public import PushMessage
import RuleEngine

public struct ReplayReport: Sendable {
    public struct Part: Sendable, Equatable {
        /// An hour, a day, a channel ("" for none), a rule (or `guard:<name>`, or "" for nobody).
        public let name: String
        public let counts: ReplayCounts
    }

    /// A cap or quiet hours that have decided.
    public struct Limit: Sendable, Equatable {
        public let rule: String
        public let events: Int
        public let people: Int
    }

    public struct Row: Sendable {
        public let person: ReplayPerson
        public let marks: [ReplayMark]
        public let waits: [ReplayWait]
        /// There was more than is kept.
        public let isCut: Bool
    }

    /// Of lines.
    public let counts: ReplayCounts
    public let hours: [Part]
    public let days: [Part]
    public let channels: [Part]
    /// Of decisions: who decided whether something is displayed, most first.
    public let rules: [Part]
    public let caps: [Limit]
    public let quiet: [Limit]
    /// Those with the most events first.
    public let people: [ReplayPerson]
    /// The busiest of them, by their names.
    public let rows: [Row]
    public let span: (from: Instant, to: Instant)?
    public let duplicates: Int
    public let taps: Int
    /// What was held back until a moment that has come: shown, not shown, held back again, or answered by something else.
    public let due: (shown: Int, notShown: Int, again: Int, gone: Int)
    /// What was held back until the app came to the front, and what of it was decided then.
    public let heldForResume: Int
    public let handedOver: Int
    /// What waits when the traffic ends.
    public let waiting: (moment: Int, resume: Int)
    /// Each with its place, most first.
    public let errors: [(words: String, count: Int)]
    /// Lines that were left out, and those that came too late.
    public internal(set) var otherApps = 0
    public internal(set) var unreadable = 0
    public internal(set) var outOfOrder = 0
    public internal(set) var firstOutOfOrder = 0

    /// People in a timeline; of a list of people many more.
    public static let mostRows = 24

    init(_ tally: ReplayTally, _ marks: ReplayMarks, state: AppState) {
        counts = tally.all
        hours = tally.hours.enumerated().map { Part(name: $0.offset < 10 ? "0\($0.offset)" : "\($0.offset)", counts: $0.element) }
        days = tally.days.map { Part(name: $0.key, counts: $0.value) }.sorted { $0.name < $1.name }
        channels =
            ReplayReport.parts(tally.channels)
            + (tally.otherChannels.events > 0 ? [Part(name: "(other channels)", counts: tally.otherChannels)] : [])
        rules = ReplayReport.parts(tally.rules)
        caps = ReplayReport.limits(tally.caps)
        quiet = ReplayReport.limits(tally.quiet)
        let people = tally.people.values.sorted { a, b in
            let (mine, theirs) = (a.counts.events, b.counts.events)
            return mine != theirs ? mine > theirs : ExactText(a.recipient) < ExactText(b.recipient)
        }
        self.people = people
        rows = people.lazy.filter { marks.rows[ExactText($0.recipient)] != nil }.prefix(ReplayReport.mostRows).compactMap { person in
            marks.rows[ExactText(person.recipient)].map { Row(person: person, marks: $0.marks, waits: $0.waits, isCut: $0.isCut) }
        }
        span = tally.span
        duplicates = tally.duplicates
        taps = tally.taps
        due = (tally.due.shown, tally.due.notShown, tally.due.again, tally.due.gone)
        heldForResume = tally.heldForResume
        handedOver = tally.handedOver
        waiting = state.recipients.reduce(into: (0, 0)) { counts, entry in
            for message in entry.value.deferred { if message.dueAt == nil { counts.1 += 1 } else { counts.0 += 1 } }
        }
        errors =
            tally.errors.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map { ($0.key.string, $0.value) }
            + (tally.otherErrors > 0 ? [("(other errors)", tally.otherErrors)] : [])
    }

    private static func parts(_ counts: [ExactText: ReplayCounts]) -> [Part] {
        counts.sorted { a, b in a.value.events != b.value.events ? a.value.events > b.value.events : a.key < b.key }
            .map { Part(name: $0.key.string, counts: $0.value) }
    }

    private static func limits(_ reached: [ExactText: ReplayTally.Reached]) -> [Limit] {
        reached.sorted { a, b in a.value.events != b.value.events ? a.value.events > b.value.events : a.key < b.key }
            .map { Limit(rule: $0.key.string, events: $0.value.events, people: $0.value.people.count) }
    }
}
