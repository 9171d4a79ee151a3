// What an event is, for whoever meets its name in a report for the first time.
import RuleEngine
import RuleReference

enum EventWords {
    /// Name and sentence of each of these events, in the order of a journey.
    static func glossary(_ events: [EventName]) -> [(String, String)] {
        Reference.events.filter { events.contains($0.event) }.map { ($0.event.rawValue, $0.summary) }
    }
}
